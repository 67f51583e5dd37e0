// What follows from a change of conversations on a cluster: their copies (copies.ts) are applied after the commit and before the
// request is answered. When that fails, or the instance is killed, live/follow-copies.ts does it: the log says which conversations
// have changed, or, where it would have nothing, the event that `changingSilently` adds. On one machine nothing follows.

import type { Db } from '../db/pool.ts'
import { applyCopies, type Pair } from './copies.ts'

/**
 * Applies the copies of conversations that were changed on `db`, after their commit. A failure is no failure of the change: the
 * follower of the log applies them later.
 */
async function copyChanged(db: Db, pairs: Pair[]): Promise<void> {
  if (!db.isCluster || pairs.length === 0) return
  await db.afterCommit((pool) => applyCopies(pool, pairs).catch(() => {}))
}

/** Changes the conversation of two wallets by a statement that draws a number and leaves an entry in the log. */
export async function changing<T>(db: Db, pair: Pair, change: Promise<T>): Promise<T> {
  const result = await change
  await copyChanged(db, [pair])
  return result
}

/** Whose log entry it is: no wallet has this name, so no stream shows it. */
export const silentChange = 'changed conversations'

/**
 * Changes some conversations of a bucket by a statement that neither draws a number nor leaves an entry in the log. On a cluster
 * that is added here, in the same transaction; on one machine there are no copies.
 */
export async function changingSilently<T>(
  db: Db,
  bucket: number,
  conversations: number[],
  change: (db: Db) => Promise<T>,
): Promise<T> {
  if (!db.isCluster) return change(db)
  return db.transaction(async (tx) => {
    const [drawn] = await tx.query<{ id: number }>('select (draw_ids_v1($1, array[$2::integer]))[1] as id', [
      tx.now(),
      bucket,
    ])
    const pairs = await tx.query<{ a: string; b: string }>(
      'select a, b from conversations where bucket = $1 and id = any($2::bigint[])',
      [bucket, conversations],
    )
    await tx.query('insert into events (bucket, id, walletaddr, event, ms) values ($1, $2, $3, $4, $5)', [
      bucket,
      drawn!.id,
      silentChange,
      JSON.stringify({ pairs: pairs.map(({ a, b }) => [a, b]) }),
      tx.now(),
    ])
    const result = await change(tx)
    await copyChanged(
      tx,
      pairs.map(({ a, b }) => [a, b]),
    )
    return result
  })
}
