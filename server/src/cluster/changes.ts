// Does what follows from a change of conversations. On a cluster their copies (copies.ts) are applied after the commit and before
// the response. When that fails, or the instance is killed, follow-copies.ts does it: the log says which conversations have
// changed, or, where it would have nothing, the event that `changingSilently` adds. On one machine nothing follows.

import type { Db } from '../db/pool.ts'
import { deleteGoneCopies } from './copies-upkeep.ts'
import { applyCopies, type Pair } from './copies.ts'
import { followCopiesStep, silentChange } from './follow-copies.ts'
import type { Step } from './follow.ts'

export interface Copies {
  /** Changes the conversation of two wallets by a statement on `db` that draws a number and leaves an entry in the log. */
  readonly changing: <T>(db: Db, pair: Pair, change: Promise<T>) => Promise<T>
  /** Changes some conversations of a bucket by a statement that neither draws a number nor leaves an entry in the log. */
  readonly changingSilently: <T>(
    db: Db,
    bucket: number,
    conversations: number[],
    change: (db: Db) => Promise<T>,
  ) => Promise<T>
  /** Applies what an instance left undone, step by step; it is undefined where nothing is. */
  readonly followStep: ((db: Db) => Promise<Step>) | undefined
  /** Deletes copies of what is gone. */
  readonly deleteGone: (db: Db) => Promise<void>
}

export const noCopies: Copies = {
  changing: (_db, _pair, change) => change,
  changingSilently: (db, _bucket, _conversations, change) => change(db),
  followStep: undefined,
  deleteGone: async () => {},
}

/** Does what follows. A failure is no failure of the change: the follower of the log applies the copies later. */
async function changed(db: Db, pairs: Pair[]): Promise<void> {
  if (pairs.length > 0) await db.afterCommit((pool) => applyCopies(pool, pairs).catch(() => {}))
}

export const copies: Copies = {
  changing: async (db, pair, change) => {
    const result = await change
    await changed(db, [pair])
    return result
  },
  /** The number and the entry are added in the same transaction. */
  changingSilently: (db, bucket, conversations, change) =>
    db.transaction(async (tx) => {
      const [drawn] = await tx.query<{ id: number }>(
        'select (draw_ids_v1($1, array[$2::integer]))[1] as id',
        [tx.now(), bucket],
      )
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
      await changed(
        tx,
        pairs.map(({ a, b }) => [a, b]),
      )
      return result
    }),
  followStep: followCopiesStep,
  deleteGone: deleteGoneCopies,
}
