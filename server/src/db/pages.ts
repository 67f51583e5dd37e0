// Lists that PostgreSQL makes into JSON. A list goes to the socket as it is, page by page, so a
// whole history is answered in bounded memory and is never parsed and written again.
//
// Pages are the bytes that PostgreSQL sends (Db.query as bytes).

import type { Db } from './pool.ts'

/** Pages of items as JSON text with commas between. */
export interface JsonList<Item> {
  readonly pages: Buffer[] | AsyncIterable<Buffer>
  /** Only for the type: what one item is. */
  readonly item?: Item
}

/** A row of pageColumns: the items, how many they are, and the id of the last one, in digits. */
export type JsonPage = Record<'items' | 'count' | 'last', Buffer>

/** The columns of a page, from rows with an `id` and an `item`. */
export const pageColumns = `
  coalesce(string_agg(item, ',' order by id), '') as items, count(*)::text as count, coalesce(max(id), 0)::text as last`

/** The one row of pageColumns. */
export const readPage = async (db: Db, sql: string, values: unknown[]): Promise<JsonPage> =>
  (await db.query<JsonPage>(sql, values, 'bytes'))[0]!

/** A list of one page. */
export const listOf = <Item>(items: string): JsonList<Item> => ({ pages: [Buffer.from(items)] })

/**
 * How many items a whole list is fetched by. Items reach 128 KiB, so this bounds the memory of an
 * answer.
 */
const pageSize = 200

export interface PageQuery {
  limit?: number
  after?: number
  before?: number
}

/**
 * Answers a list by keyset pages, oldest first. `fetch` gives at most `limit` items with ids
 * between `after` and `before` (both excluded), the oldest of them, or the newest when `newest` is
 * set; either way oldest first. A whole list begins with `firstSize` items: few, where it is mostly
 * short.
 */
export function listByPages<Item>(
  fetch: (page: Required<PageQuery> & { newest: boolean }) => Promise<JsonPage>,
  { limit, after, before }: PageQuery,
  firstSize = pageSize,
): JsonList<Item> {
  const to = before ?? Number.MAX_SAFE_INTEGER
  return {
    pages: (async function* () {
      // Spec gap: the page that ends at `before` is the one next to it; any other page begins after
      // `after`.
      if (limit !== undefined) {
        const newest = after === undefined && before !== undefined
        yield (await fetch({ limit, after: after ?? -1, before: to, newest })).items
        return
      }
      for (let from = after ?? -1, size = firstSize; ; size = pageSize) {
        const page = await fetch({ limit: size, after: from, before: to, newest: false })
        if (page.items.length > 0) yield page.items
        if (Number(page.count) < size) return
        from = Number(page.last)
      }
    })(),
  }
}
