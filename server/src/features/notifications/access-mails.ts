// Mails about what was added that reads or writes for a wallet (messages/granting.ts): at most one in five minutes, which names the kinds of
// all that is new. They go to the confirmed address whatever mails a wallet wants, and at any hour.

import type { GrantNotice } from '@parley/sdk/contract/grants.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { body, type Draft, shortAddress } from './templates.ts'

const fiveMinutes = 300_000

/** What no mail has named yet, oldest first, and when the next mail may be sent. */
export async function findUnmailed(
  db: Db,
  wallet: string,
): Promise<{ added: { id: number; action: GrantNotice }[]; nextAt: number }> {
  const of = [walletBucket(wallet), wallet]
  const added = await db.query<{ id: number; action: GrantNotice }>(
    'select id, action from access_notices where wbucket = $1 and walletaddr = $2 and mailed_ms is null order by id',
    of,
  )
  const [last] = await db.query<{ ms: number | null }>(
    'select max(mailed_ms) as ms from access_notices where wbucket = $1 and walletaddr = $2',
    of,
  )
  return { added, nextAt: (last?.ms ?? 0) + fiveMinutes }
}

/** Notes that a mail has named all up to an id. */
export const noteMailed = (db: Db, wallet: string, upTo: number) =>
  db.query(
    'update access_notices set mailed_ms = $4 where wbucket = $1 and walletaddr = $2 and id <= $3 and mailed_ms is null',
    [walletBucket(wallet), wallet, upTo, db.now()],
  )

const addedNames: Record<GrantNotice, string> = {
  api_key_added: 'an API key',
  incoming_hook_added: 'an incoming hook',
  webhook_added: 'a webhook',
  push_subscription_added: 'a browser that gets notifications',
  telegram_linked: 'a chat of Telegram',
}

/** The mail about what was added that reads or writes for a wallet. It says of which kind: labels may be chosen by others. */
export function accessMail(home: string, wallet: string, added: GrantNotice[]): Draft {
  const link = `${home}/settings`
  const kinds = [...new Set(added)].map((action) => addedNames[action]).join(', ')
  const line = `This was added to ${shortAddress(wallet)}: ${kinds}.`
  const note = 'If that was not you, sign out everywhere in the settings: this ends all that was added.'
  return {
    kind: 'access',
    subject: `Something was added to your wallet on ${new URL(home).host}`,
    link,
    ...body({ lines: [line], action: { label: 'Settings', link }, notes: [note] }),
  }
}
