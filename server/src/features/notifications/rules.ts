import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import { isBanned } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { defaults, type Recipient } from '../../messages/notification-policy.ts'

/** Returns what a wallet has chosen, or the defaults for one that has not. */
export async function getRules(db: Db, wallet: string): Promise<NotificationRules> {
  const [row] = await db.query<{ rules: NotificationRules }>(
    `select rules from notification_rules where ${ofWallet}`,
    keyOf(wallet),
  )
  return row?.rules ?? defaults
}

/** Returns the recipient of a notification, for messages/notification-policy.ts. */
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
    keyOf(wallet, JSON.stringify(rules)),
  )
