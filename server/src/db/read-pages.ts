// Reads a list page by page. pages.ts has the statements.

import type { Db } from './pool.ts'

/** A page has at most this many rows. */
export const pageRows = 200

export interface PageQuery {
  limit?: number
  after?: number
  before?: number
}

export interface Page {
  items: Buffer
  count: number
  last: number
  /** Says whether long texts were left out, whether a row has marks, or whether the page has ended before its limit. */
  state: 'whole' | 'long' | 'marked' | 'cut'
}

export type Read = (db: Db, query: Required<PageQuery>) => Promise<Page>

interface Marks {
  /** This is true when the list had marks the last time. */
  isExpected: boolean
  found: (any: boolean) => void
}

interface Reads {
  /** Reads a page without sizes, from one end or the other. */
  oldest: Read
  newest: Read
  /** Do the same with all that rows with marks have. */
  oldestFull: Read
  newestFull: Read
  /** Reads a page from the oldest item, which ends by its bytes. */
  bySize: Read
  /** Finds where the newest items begin. */
  first: Read
}

/** Yields the pages of a list by keyset, oldest first. */
export async function* readPages(
  reads: Reads,
  { db, long }: { db: Db; long: Db },
  { limit = Infinity, after, before }: PageQuery,
  { firstRows, marks }: { firstRows: number; marks: Marks },
): AsyncGenerator<Buffer, void, undefined> {
  const until = before ?? Number.MAX_SAFE_INTEGER
  let from = after ?? -1
  let left = limit
  let isFull = marks.isExpected
  // Spec gap: the page that ends at `before` is the one next to it; any other page begins after
  // `after`.
  if (limit < Infinity && after === undefined && before !== undefined) {
    const query = { limit, after: from, before: until }
    let page = limit <= pageRows ? await (isFull ? reads.newestFull : reads.newest)(db, query) : undefined
    if (page?.state === 'marked' && !isFull) page = await reads.newestFull(db, query)
    if (page?.state === 'whole' || page?.state === 'marked') {
      marks.found(page.state === 'marked')
      yield page.items
      return
    }
    from = (await reads.first(long, query)).last - 1
  }
  let on = db
  let read = isFull ? reads.oldestFull : reads.oldest
  for (let rows = Math.min(firstRows, left); ; rows = Math.min(pageRows, left)) {
    const query = { limit: rows, after: from, before: until }
    let page = await read(on, query)
    if (page.state === 'marked' && !isFull) {
      isFull = true
      page = await (read = reads.oldestFull)(on, query)
    }
    if (on === db) marks.found(page.state === 'marked')
    on = long
    if (page.state === 'long') page = await (read = reads.bySize)(on, query)
    if (page.count > 0) yield page.items
    left -= page.count
    from = page.last
    if (left === 0 || (page.state !== 'cut' && page.count < rows)) return
  }
}
