/**
 * A list that PostgreSQL has already made into JSON: pages of items with commas between. It goes to the socket as it is,
 * so that a whole history is answered in bounded memory and is never parsed and written again.
 */
export interface JsonList<Item> {
  readonly pages: Buffer[] | AsyncIterable<string | Buffer>
  /** Only for the type: what one item is. */
  readonly item?: Item
}

/** What a paged query answers, as text: its items as JSON with commas between, how many, and the last one's id. */
export type JsonPage = Record<'items' | 'count' | 'last', string | Buffer>

/** The same as columns, from rows with an `id` and an `item`. */
export const pageColumns = `
  coalesce(string_agg(item, ',' order by id), '') as items, count(*)::text as count, coalesce(max(id), 0)::text as last`

/** A list of the items PostgreSQL has made into JSON text, with commas between. */
export const listOf = <Item>(items: string): JsonList<Item> => ({
  pages: (async function* () {
    if (items) yield items
  })(),
})

/** How many items a whole list is fetched by. Items reach 128 KiB, so this bounds the memory of an answer. */
const pageSize = 200

export interface PageQuery {
  limit?: number
  after?: number
  before?: number
}

/**
 * Answers a list by keyset pages, oldest first. `fetch` gives at most `limit` items with ids between `after` and `before`
 * (both excluded), the oldest of them, or the newest when `newest` is set; either way oldest first. A whole list begins with
 * `firstSize` items: few, where it is mostly short.
 */
export function listByPages<Item>(
  fetch: (page: Required<PageQuery> & { newest: boolean }) => Promise<JsonPage>,
  { limit, after, before }: PageQuery,
  firstSize = pageSize,
): JsonList<Item> {
  const to = before ?? Number.MAX_SAFE_INTEGER
  return {
    pages: (async function* () {
      // Spec gap: the page that ends at `before` is the one next to it; any other page begins after `after`.
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
