// Lists that PostgreSQL makes into JSON. A list goes to the socket as it is, page by page, so a
// whole history is answered in bounded memory and is never parsed and written again.
//
// A page has at most `pageRows` items and about `pageBytes` of text. Adding up sizes row by row
// costs a sixth of a short page, so it is done only where it is needed: a page is first read without
// it, and texts that are long come back as nothing; then the page is read again, with sizes.
//
// The first page of a list is a short read. What comes after it is read through Db.long.
//
// Pages are the bytes that PostgreSQL sends (Db.query as bytes).

import { joined } from '../lib/joined.ts'
import { coalesced } from './coalesce.ts'
import type { Db } from './pool.ts'

/** Pages of items as JSON text with commas between. */
export interface JsonList<Item> {
  /** All pages, or how to read them; pages after the first are read through `long`. */
  readonly pages: Buffer[] | ((long: Db) => AsyncIterable<Buffer>)
  /** Only for the type: what one item is. */
  readonly item?: Item
}

export const pagesOf = ({ pages }: JsonList<unknown>, long: Db) =>
  typeof pages === 'function' ? pages(long) : pages

/** A list of one page. */
export const listOf = <Item>(items: string): JsonList<Item> => ({ pages: [Buffer.from(items)] })

/** Rows of a page at most. */
const pageRows = 200
/** Bytes of text after which a page ends, as they are stored. JSON may double them. */
const pageBytes = 128 * 1024
/** Pages without longer texts are not measured: they have half a megabyte at most. */
const longText = 2.5 * 1024

export interface PageQuery {
  limit?: number
  after?: number
  before?: number
}

export type Direction = 'asc' | 'desc'

interface ListOptions<Name extends string> {
  /** The types of the values by name, besides :after, :before and :limit. */
  types: Record<Name, string>
  /**
   * Selects rows with ids between :after and :before (both excluded), in the order of ids: at most
   * :limit from that end.
   */
  rows: (direction: Direction) => string
  /** A row `m` as JSON. */
  item: string
  /** The texts of a row `m` that may be long. */
  texts: string[]
  /** Rows of the first page of a whole list: few, where it is mostly short. */
  firstRows?: number
  /** How many short pages one statement may carry. */
  atOnce?: number
}

/** Longer pages go to PostgreSQL alone: their rows cost more than the round trip. */
const mostCoalesced = 100

/** A row of a page: the items, how many they are, the id of the last one, and whether it is all. */
type Row = Record<'items' | 'count' | 'last' | 'state', Buffer>

interface Page {
  items: Buffer
  count: number
  last: number
  /** Whether texts are long and were left out, or whether the page has ended before its limit. */
  state: 'whole' | 'long' | 'cut'
}

type Read = (db: Db, query: Required<PageQuery>) => Promise<Page>

/** Makes a list from its SQL, which names its values as psql does: `:reader`. */
export function list<Item, Name extends string>({
  types,
  rows,
  item,
  texts,
  firstRows = pageRows,
  atOnce = 8,
}: ListOptions<Name>): (db: Db, values: Record<Name, unknown>, page: PageQuery) => JsonList<Item> {
  const allTypes: Record<string, string> = { after: 'bigint', before: 'bigint', limit: 'int', ...types }
  const names = Object.keys(allTypes)
  const statement = (sql: string) => {
    const text = sql.replaceAll(/(?<!:):(\w+)/g, (found, name: string) =>
      // JSON in the text has colons too.
      names.includes(name) ? `$${names.indexOf(name) + 1}` : found,
    )
    return { text, together: coalesced<Row>(text, Object.values(allTypes), { atOnce, as: 'bytes' }) }
  }
  const size = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ')
  const short = (direction: Direction) =>
    statement(`
      select ${columns(`case when bool_or(size > ${longText}) then 'long' else 'whole' end`)} from (
        select m.id, ${size} as size, case when ${size} <= ${longText} then ${item} end as item from (${rows(direction)}) m
      ) page`)
  const [oldest, newest] = [short('asc'), short('desc')]
  const bySize = statement(`
    select item as items, '1' as count, id::text as last,
      case when sum(size) over () >= ${pageBytes} then 'cut' else 'whole' end as state
    from (
      select m.id, size, ${item} as item from (
        select *, sum(size) over (order by id rows unbounded preceding) - size as before_it from (
          select m.*, ${size} as size from (${rows('asc')}) m
        ) m
      ) m where before_it < ${pageBytes}
    ) page order by id`)
  const first = statement(
    `select '' as items, count(*)::text as count, coalesce(min(id), 0)::text as last, 'whole' as state from (${rows('desc')}) m`,
  )

  return (db, given, query) => {
    const values: Record<string, unknown> = { ...given }
    const reading =
      ({ text, together }: typeof oldest): Read =>
      async (on, page) => {
        const all = names.map((name) => (name in page ? page[name as keyof PageQuery] : values[name]))
        const isShort = page.limit <= mostCoalesced
        return toPage(await (isShort ? together(on, all) : on.query<Row>(text, all, 'bytes')))
      }
    const [bySizes, firsts] = [reading(bySize), reading(first)]
    const reads = { oldest: reading(oldest), newest: reading(newest), bySize: bySizes, first: firsts }
    return { pages: (long) => readPages(reads, { db, long }, query, firstRows) }
  }
}

const columns = (state: string) => `
  coalesce(string_agg(item, ',' order by id), '') as items, count(*)::text as count,
  coalesce(max(id), 0)::text as last, ${state} as state`

/**
 * A long page comes as a row for each item: of a text of half a megabyte the driver makes several
 * copies, each larger than the one before.
 */
function toPage(rows: Row[]): Page {
  const last = rows.at(-1)
  const items = rows.map((row) => row.items)
  return {
    items: items.length === 1 ? items[0]! : joined('', items),
    count: rows.reduce((sum, { count }) => sum + Number(count), 0),
    last: Number(last?.last ?? 0),
    state: (last?.state.toString() ?? 'whole') as Page['state'],
  }
}

interface Reads {
  /** A page without sizes, from one end or the other. */
  oldest: Read
  newest: Read
  /** A page from the oldest, ended by its bytes. */
  bySize: Read
  /** Where the newest items begin. */
  first: Read
}

/** The pages of a list by keyset, oldest first. */
async function* readPages(
  reads: Reads,
  { db, long }: { db: Db; long: Db },
  { limit = Infinity, after, before }: PageQuery,
  firstRows: number,
): AsyncGenerator<Buffer, void, undefined> {
  const until = before ?? Number.MAX_SAFE_INTEGER
  let from = after ?? -1
  let left = limit
  // Spec gap: the page that ends at `before` is the one next to it; any other page begins after
  // `after`.
  if (limit < Infinity && after === undefined && before !== undefined) {
    const query = { limit, after: from, before: until }
    const page = limit <= pageRows ? await reads.newest(db, query) : undefined
    if (page?.state === 'whole') {
      yield page.items
      return
    }
    from = (await reads.first(long, query)).last - 1
  }
  let on = db
  let read = reads.oldest
  for (let rows = Math.min(firstRows, left); ; rows = Math.min(pageRows, left)) {
    const query = { limit: rows, after: from, before: until }
    let page = await read(on, query)
    on = long
    if (page.state === 'long') page = await (read = reads.bySize)(on, query)
    if (page.count > 0) yield page.items
    left -= page.count
    from = page.last
    if (left === 0 || (page.state === 'whole' && page.count < rows)) return
  }
}
