// Changes conversations. What follows from a change depends on where the tables lie (cluster/changes.ts).

import type { Db } from '../db/pool.ts'

/** Changes the conversation of two wallets by a statement that draws a number and leaves an entry in the log. */
export async function changing<T>(
  db: Db,
  pair: [one: string, other: string],
  change: Promise<T>,
): Promise<T> {
  const result = await change
  await db.layout.copies.changed(db, [pair])
  return result
}

/** Changes some conversations of a bucket by a statement that neither draws a number nor leaves an entry in the log. */
export const changingSilently = <T>(
  db: Db,
  bucket: number,
  conversations: number[],
  change: (db: Db) => Promise<T>,
): Promise<T> => db.layout.copies.changingSilently(db, bucket, conversations, change)
