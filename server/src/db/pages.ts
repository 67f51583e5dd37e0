// PostgreSQL makes these lists into JSON. A list goes to the socket as it is, page by page, so a whole history is sent in bounded
// memory and is never parsed and written again.
//
// A page has at most `pageRows` items and about `pageBytes` of text. Adding up sizes row by row costs a sixth of a short page, so
// it is done only where it is needed: a page is first read without it, and long texts come back empty; then the page is read
// again, with sizes.
//
// The first page of a list is a short read. Later pages are read through Db.long.
//
// Pages are the bytes that PostgreSQL sends (Db.query as bytes).

import { LRUCache } from 'lru-cache'
import { joined } from '../lib/join-pieces.ts'
import { coalesced } from './coalesce.ts'
import type { Db } from './pool.ts'
import { type Page, type PageQuery, pageRows, type Read, readPages } from './read-pages.ts'

export type { PageQuery }

type Pages = Buffer[] | ((long: Db) => AsyncIterable<Buffer>)

/**
 * This has pages of items as JSON text with commas between. An endpoint whose contract says `pages` returns one, and no other
 * endpoint does. Another object with these fields is no JsonList: its maker ensures that its pages are short.
 */
export class JsonList<Item> {
  /** These are all pages, or a function that reads them; pages after the first are read through `long`. */
  readonly pages: Pages
  /** Only the type system uses this: it is the type of one item. */
  declare private readonly item: Item

  constructor(pages: Pages) {
    this.pages = pages
  }
}

export const pagesOf = ({ pages }: JsonList<unknown>, long: Db) =>
  typeof pages === 'function' ? pages(long) : pages

/** Makes a page of JsonList from items. */
export const pageOf = (items: readonly unknown[]): Buffer => Buffer.from(JSON.stringify(items).slice(1, -1))

/** This is a short response that is JSON text already: a number in it may have more digits than a JavaScript number holds. */
export class JsonText<Value> {
  readonly text: string
  /** Only the type system uses this: it is the type of the text's value. */
  declare private readonly value: Value

  constructor(text: string) {
    this.text = text
  }
}

/** A page ends after this many bytes of text, as they are stored. JSON may double them. */
const pageBytes = 128 * 1024
/** Pages without longer texts are not measured: they have half a megabyte at most. */
const longText = 2.5 * 1024

export type Direction = 'asc' | 'desc'

interface ListOptions<Name extends string> {
  /** These are the types of the values by name, besides :after, :before and :limit. */
  types: Record<Name, string>
  /**
   * Selects rows with ids between :after and :before (both excluded), in the order of ids: at most
   * :limit from that end. `isFull` says that it is for `fullItem`.
   */
  rows: (direction: Direction, isFull: boolean) => string
  /** This is the SQL of a row `m` as JSON. */
  item: string
  /**
   * This is the same with what few rows have besides: those whose column `marks` is not 0. A page with such a row is read again
   * with it, because preparing it for each page would cost a tenth of a short one. The pages after it are read with it at once, and
   * so is the list the next time.
   */
  fullItem?: string
  /** These texts of a row `m` may be long; `fullTexts` are those that only fullItem has. */
  texts: string[]
  fullTexts?: string[]
  /** The first page of a whole list has this many rows: few, where the list is mostly short. */
  firstRows?: number
  /** One statement carries at most this many short pages. */
  atOnce?: number
}

/** This many lists that have marks are remembered. */
const mostMarked = 10_000

/** Longer pages go to PostgreSQL alone: their rows cost more than the round trip. */
const mostCoalesced = 100

/** This is a row of a page: the items, their number, the id of the last one, and its state. */
type Row = Record<'items' | 'count' | 'last' | 'state', Buffer>

/** Makes a list from its SQL, which names its values as psql does: `:reader`. */
export function list<Item, Name extends string>({
  types,
  rows,
  item,
  fullItem,
  texts,
  fullTexts = [],
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
  const sizeOf = (all: string[]) => all.map((text) => `coalesce(octet_length(${text}), 0)`).join(' + ')
  const fullSize = sizeOf([...texts, ...fullTexts])
  const short = (direction: Direction, isFull: boolean) => {
    const size = isFull ? fullSize : sizeOf(texts)
    const findsMarks = fullItem !== undefined
    return statement(`
      select ${columns(
        `case when bool_or(size > ${longText}) then 'long'${findsMarks ? ` when bool_or(marks <> 0) then 'marked'` : ''} else 'whole' end`,
      )} from (
        select m.id, ${findsMarks ? 'm.marks, ' : ''}${size} as size,
          case when ${size} <= ${longText} then ${isFull ? fullItem : item} end as item
        from (${rows(direction, isFull)}) m
      ) page`)
  }
  const [oldest, newest] = [short('asc', false), short('desc', false)]
  const [oldestFull, newestFull] =
    fullItem === undefined ? [oldest, newest] : [short('asc', true), short('desc', true)]
  const bySize = statement(`
    select item as items, '1' as count, id::text as last,
      case when sum(size) over () >= ${pageBytes} then 'cut' else 'whole' end as state
    from (
      select m.id, size, ${fullItem ?? item} as item from (
        select *, sum(size) over (order by id rows unbounded preceding) - size as before_it from (
          select m.*, ${fullSize} as size from (${rows('asc', true)}) m
        ) m
      ) m where before_it < ${pageBytes}
    ) page order by id`)
  const first = statement(
    `select '' as items, count(*)::text as count, coalesce(min(id), 0)::text as last, 'whole' as state from (${rows('desc', false)}) m`,
  )

  const marked = new LRUCache<string, true>({ maxSize: mostMarked, sizeCalculation: () => 1 })

  return (db, given, query) => {
    const values: Record<string, unknown> = { ...given }
    // While no list has marks, none is looked up.
    const key = marked.size > 0 ? JSON.stringify(values) : undefined
    const reading =
      ({ text, together }: typeof oldest): Read =>
      async (on, page) => {
        const all = names.map((name) => (name in page ? page[name as keyof PageQuery] : values[name]))
        const isShort = page.limit <= mostCoalesced
        return toPage(await (isShort ? together(on, all) : on.query<Row>(text, all, 'bytes')))
      }
    const [bySizes, firsts] = [reading(bySize), reading(first)]
    const reads = {
      oldest: reading(oldest),
      newest: reading(newest),
      oldestFull: reading(oldestFull),
      newestFull: reading(newestFull),
      bySize: bySizes,
      first: firsts,
    }
    const marks = {
      isExpected: key !== undefined && marked.has(key),
      found(any: boolean) {
        if (any) marked.set(key ?? JSON.stringify(values), true)
        else if (marks.isExpected) marked.delete(key!)
      },
    }
    return new JsonList((long) => readPages(reads, { db, long }, query, { firstRows, marks }))
  }
}

const columns = (state: string) => `
  coalesce(string_agg(item, ',' order by id), '') as items, count(*)::text as count,
  coalesce(max(id), 0)::text as last, ${state} as state`

/**
 * A long page comes as a row for each item: the driver makes several copies of a text of half a megabyte, each larger than the
 * one before.
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
