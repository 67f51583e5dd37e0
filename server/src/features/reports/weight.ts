// The weight of a report follows from what its reporter has done here, never from how many say the same, because wallets cost
// nothing. docs/moderation.md has the formula with its reasons.

import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { day } from '../../lib/times.ts'

/** The maximum number of conversations that count. */
const most = 5

const firstSeen = `select first_ms from wallets_seen where ${ofAddress}`

/** SQL for the conversations in which both have accepted each other. */
const accepted = `
  select count(c.id) as n from (
    (select id from conversations where a = $1 and state_a = 1 and not blocked_a and state_b = 1 and b <> $1 limit ${most})
    union all
    (select id from conversations where b = $1 and state_b = 1 and not blocked_b and state_a = 1 and a <> $1 limit ${most})
  ) c`

/** SQL for a chat that the wallet has joined and posted in. */
const takesPart = `select exists (select walletaddr from group_visits where walletaddr = $1 and joined and posted > 0) as is`

/** Returns a weight from 1 to 10. */
export async function weigh(db: Db, wallet: string): Promise<number> {
  const [[seen], [answered], [part]] = await Promise.all([
    db.query<{ first_ms: number }>(firstSeen, keyOf(wallet)),
    db.query<{ n: number }>(accepted, [wallet]),
    db.query<{ is: boolean }>(takesPart, [wallet]),
  ])
  const age = seen ? db.now() - seen.first_ms : 0
  if (age < 7 * day) return 1
  return 2 + Math.min(answered!.n, most) + (part!.is ? 2 : 0) + (age < 90 * day ? 0 : 1)
}
