import type { Db } from './pool.ts'

/** At most this many conversations, threads of comments or chats are locked at once. */
const portion = 200

interface Portion<Key> {
  bucket: number
  keys: Key[]
}

/** Yields the rows of a query in its order, in portions of one bucket. */
export async function portions<Key>(db: Db, rows: string, values: unknown[]): Promise<Portion<Key>[]> {
  const found = await db.query<Portion<Key>>(
    `select bucket, json_agg(key order by n) as keys from (select *, row_number() over () as n from (${rows}) r) rows
     group by bucket order by bucket`,
    values,
  )
  return found.flatMap(({ bucket, keys }) =>
    Array.from({ length: Math.ceil(keys.length / portion) }, (_, i) => ({
      bucket,
      keys: keys.slice(i * portion, (i + 1) * portion),
    })),
  )
}
