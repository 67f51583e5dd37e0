// This module erases a wallet.
//
// It runs in steps, each a transaction that may be repeated: first the large tables, in portions of one bucket that hold their
// locks only for a moment, then everything else at once. After an interruption the wallet starts it again. The features come in
// the order opposite to that of their list: what was made from another's rows is erased before them.
//
// A conversation belongs to both of its ends. Erasing one side hides from that wallet everything up to the newest message, by one
// number in the conversation's row, and leaves the other side complete. The wallet's settings about the other are forgotten too.
// Messages that neither end can see any more are deleted, and then the row, which says who wrote to whom. Rows are locked in the
// same order as by sending.

import { endGrants } from '../../auth/grants.ts'
import type { Db } from '../../db/pool.ts'
import { type Erased, type Feature, tablesOf } from '../../feature.ts'
import { deleteJobsFor } from '../../jobs/queue.ts'
import { drawEvents } from '../../messages/events.ts'
import type { Holds } from '../../messages/holds.ts'

/** Erases a wallet. The service stores only `hash` of it, and what is held (messages/holds.ts). */
export async function eraseWallet(
  all: readonly Feature[],
  db: Db,
  wallet: string,
  hash: Buffer,
  holds: Holds = [],
): Promise<void> {
  const erased = tablesOf(all.toReversed()).flatMap(([, table]) =>
    typeof table.erased === 'string' ? [] : [table.erased],
  )
  for (const erase of erased) if (typeof erase === 'object') await erase.before(db, wallet, holds)
  await db.transaction((tx) => eraseRest(erased, tx, wallet, hash))
}

/** Erases the wallet's own rows, and stores under a keyed hash that it was erased. */
async function eraseRest(erased: Erased[], tx: Db, wallet: string, hash: Buffer): Promise<void> {
  const { announce } = await drawEvents(tx, [{ wallet, event: { type: 'resync', change: 'erased' } }])
  await endGrants(tx, wallet)
  for (const erase of erased) if (typeof erase === 'function') await erase(tx, wallet, hash)
  await deleteJobsFor(tx, wallet)
  await tx.query(
    `insert into erasures (wallet_hash, erased_ms) values ($1, $2)
     on conflict (wallet_hash) do update set erased_ms = excluded.erased_ms`,
    [hash, tx.now()],
  )
  // Open event streams of this wallet must start over, and are closed.
  await announce()
}
