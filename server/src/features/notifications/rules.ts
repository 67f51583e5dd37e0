import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import { isBanned } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { defaults, type Recipient } from '../../messages/telling.ts'

/** What a wallet has chosen, or what holds for one that has not. */
export async function getRules(db: Db, wallet: string): Promise<NotificationRules> {
  const [row] = await db.query<{ rules: NotificationRules }>(
    'select rules from notification_rules where wbucket = $1 and walletaddr = $2',
    [walletBucket(wallet), wallet],
  )
  return row?.rules ?? defaults
}

/** Who would be told, for messages/telling.ts. */
export const recipientOf = async (
  { db, standing }: Pick<Context, 'db' | 'standing'>,
  wallet: string,
): Promise<Recipient> => ({
  ...(await getRules(db, wallet)),
  banned: isBanned(standing, wallet),
})

export const setRules = (db: Db, wallet: string, rules: NotificationRules) =>
  db.query(
    `insert into notification_rules (wbucket, walletaddr, rules) values ($1, $2, $3::jsonb)
     on conflict (wbucket, walletaddr) do update set rules = excluded.rules`,
    [walletBucket(wallet), wallet, JSON.stringify(rules)],
  )
