// Deletes the words of deleted messages from the index.

import type { Db } from '../../db/pool.ts'
import { searchReader } from './reader.ts'

const atOnce = 1000

/**
 * Deletes a portion; returns whether there is more. The reader waits meanwhile: it may have read a message before it was deleted,
 * and stores its words first.
 */
const cleanSome = (db: Db): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.query('select id from log_readers where name = $1 for update', [searchReader.name])
    const gone = await tx.query<{ bucket: number; id: number }>(
      `select bucket, id from search_gone order by bucket, id limit ${atOnce}`,
    )
    if (gone.length === 0) return false
    const ids = gone.map(({ id }) => id)
    const buckets = [...new Set(gone.map(({ bucket }) => bucket))]
    await tx.query('delete from search_direct where id = any($1::bigint[])', [ids])
    await tx.query('delete from search_posts where bucket = any($1::integer[]) and id = any($2::bigint[])', [
      buckets,
      ids,
    ])
    await tx.query('delete from search_gone where bucket = any($1::integer[]) and id = any($2::bigint[])', [
      buckets,
      ids,
    ])
    return gone.length === atOnce
  })

export async function cleanIndex(db: Db, isStopping = () => false): Promise<void> {
  while (!isStopping() && (await cleanSome(db)));
}
