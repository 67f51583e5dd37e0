import { deleteJobsFor } from '../../jobs/queue.ts'
import type { Db } from '../../db/pool.ts'
import { announce } from '../../messages/events.ts'

// In the order in which other requests lock the same rows: a chat before a wallet's visits to it.
const statements = [
  `delete from settings where walletaddr = $1`,
  `delete from names where address = $1`,
  `delete from images where addr = $1`,
  `delete from keys where address = $1`,
  // Spec gap: a community belongs to its members too. It stays, no one may change it, and its name
  // is not free again.
  `update communities set creator = null where creator = $1`,
  `with gone as materialized (
     delete from bookmarks where walletaddr = $1 returning chat
   ), locked as materialized (
     select chat from group_chats where chat in (select chat from gone) order by chat for update
   )
   update group_chats c set members = c.members - 1 from locked where c.chat = locked.chat`,
  // Its messages remain, so their number is no secret; it keeps unread counts right if the wallet
  // returns.
  `delete from group_visits where walletaddr = $1 and posted = 0`,
  `update group_visits set entry_time = null, seen = 0, seen_own = 0 where walletaddr = $1`,
  `delete from idempotency_keys where caller = $1`,
  // Spec gap: the key of an admin's request stays, so that a late repetition does not run again.
  `update idempotency_keys set answer = '[]'
   where caller = 'admin' and endpoint = 'updateSettings' and answer::jsonb @> jsonb_build_array(jsonb_build_object('walletaddr', $1::text))`,
  // Spec gap: how many mails an address got today is kept (as a hash) until the end of the day, to
  // protect its owner.
  `delete from mail_quotas where key = 'wallet ' || $1`,
  `delete from dm_mails where toaddr = $1`,
  `delete from events where walletaddr = $1`,
]

/** Erases the wallet's own rows, and stores under a keyed hash that it was erased. */
export async function eraseProfile(tx: Db, wallet: string, hash: Buffer): Promise<void> {
  for (const statement of statements) await tx.query(statement, [wallet])
  await deleteJobsFor(tx, wallet)
  await tx.query(
    `insert into erasures (wallet_hash, erased_at) values ($1, now()) on conflict (wallet_hash) do update set erased_at = now()`,
    [hash],
  )
  // Open event streams of this wallet must start over, and are closed.
  await tx.query(announce('resync', '$1::text', { change: "'erased'" }), [wallet])
}
