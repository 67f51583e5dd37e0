// These lists have rows that JavaScript makes, or that are not in the order of their ids: they are read in portions, each after
// the last item of the one before.

import { JsonList, pageOf } from './pages.ts'
import type { Db } from './pool.ts'

/** A portion has this many items. An item has a few kilobytes at most: `list` of pages.ts reads those with longer texts. */
const portion = 100

interface Portions<Query, Item> {
  /** The list has at most this many items where the query has no limit; else it has all. */
  most?: number
  /** Reads at most `limit` items from the place that the query names. */
  read: (db: Db, query: Query & { limit: number }) => Promise<Item[]>
  /** Returns the part of the query that names the place after an item. */
  after: (last: Item) => Partial<Query>
}

/**
 * Makes a list from a query that has a limit and a place to begin after. A list of a single portion is a short read; each portion
 * of a longer list is read through Db.long.
 */
export function inPortions<Query extends { limit?: number }, Item>(
  db: Db,
  query: Query,
  { most = Infinity, read, after }: Portions<Query, Item>,
): JsonList<Item> {
  return new JsonList(async function* (long) {
    let from: Partial<Query> = {}
    let left = query.limit ?? most
    const on = left > portion ? long : db
    while (left > 0) {
      const limit = Math.min(left, portion)
      const items = await read(on, { ...query, ...from, limit })
      if (items.length > 0) yield pageOf(items)
      if (items.length < limit) return
      left -= items.length
      from = after(items.at(-1)!)
    }
  })
}

/** Makes a list that is only known as a whole, which takes its turn as long reads do. It is made into JSON in portions. */
export const portionsOf = <Item>(find: (long: Db) => Promise<Item[]>): JsonList<Item> =>
  new JsonList(async function* (long) {
    const items = await find(long)
    for (let n = 0; n < items.length; n += portion) yield pageOf(items.slice(n, n + portion))
  })
