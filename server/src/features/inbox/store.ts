// The inbox of a wallet, newest first. Most have few rows: one statement reads them all. Of a longer
// one the keys of all rows are read first, and then the rows in pages, by their keys; so none is
// missed that moves meanwhile.

import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { coalesced } from '../../db/coalesce.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { bookmarks } from './joined-chats.ts'
import { chatPlaces, chatRows, type Closed, conversationPlaces, conversationRows } from './rows.ts'

export interface InboxQuery {
  limit?: number
  /** The id of a row's message: only rows after it. */
  before?: number
}

/**
 * The inbox of a wallet, newest first: one row for each conversation that has a message, and each
 * chat it has joined. Of closed chats, which it may not read, there is nothing but the bookmark.
 */
export async function findInbox(
  db: Db,
  wallet: string,
  closed: string[] = [],
  query: InboxQuery = {},
): Promise<JsonList<InboxItem>> {
  const of = { wallet, closed }
  if (query.limit === undefined && query.before === undefined) {
    const pages = await inboxOf[closedOf(of)](db, valuesOf(of))
    if (pages.length > 0) return { pages: pages.map(({ items }) => items) }
  }
  const keys = await findKeys(db, of, query)
  return { pages: (long) => rowsOf(long, of, keys) }
}

interface Of {
  wallet: string
  /** Keys of chats. */
  closed: string[]
}

const closedOf = ({ closed }: Of): Closed => (closed.length === 0 ? 'none' : 'some')

const valuesOf = ({ wallet, closed }: Of) =>
  closed.length === 0 ? [wallet, walletBucket(wallet)] : [wallet, walletBucket(wallet), closed.join(' ')]

/**
 * How many rows of an inbox come as one text: a megabyte in one would be copied several times on
 * its way.
 */
const pageRows = 200
/** Longer inboxes, and those with more rows of up to 13 KiB, come by their keys. */
const mostRows = 2000
const rowsByKey = 80

// Chats without messages all have the id 0.
const inOrder = 'order by ms desc nulls last, id desc, key collate "C"'

/** Answers no row when the inbox is too long for one statement. */
const wholeInbox = (closed: Closed) => `
  with ${bookmarks}, sorted as materialized (
    select is_long, item from (${conversationRows()} union all ${chatRows(closed)}) r ${inOrder}
  )
  select (select string_agg(item, ',') from (select item from sorted limit ${pageRows} offset page * ${pageRows}) p) as items
  from generate_series(0, (
    select case when count(*) <= ${mostRows} and count(*) filter (where is_long) <= ${rowsByKey}
      then (count(*) + ${pageRows} - 1) / ${pageRows} else 0 end from sorted
  ) - 1) page`

interface Rows {
  items: Buffer
}

const inboxOf = {
  none: coalesced<Rows>(wholeInbox('none'), ['text', 'integer'], { atOnce: 8, as: 'bytes' }),
  some: coalesced<Rows>(wholeInbox('some'), ['text', 'integer', 'text'], { atOnce: 8, as: 'bytes' }),
}

/** Both statements, with or without closed chats in $3. */
const both = (sql: (closed: Closed, next: number) => string) => ({
  none: sql('none', 3),
  some: sql('some', 4),
})

const byKey = both(
  (closed, next) => `
  with ${bookmarks}
  select coalesce(string_agg(item, ',' ${inOrder}), '') as items from (
    ${conversationRows(`peer = any ($${next}::text[])`)}
    union all ${chatRows(closed, `chat = any ($${next + 1}::text[])`)}
  ) r`,
)

/** The rows with these keys, in pages. */
async function* rowsOf(db: Db, of: Of, keys: string[]): AsyncGenerator<Buffer, void, undefined> {
  for (let i = 0; i < keys.length; i += rowsByKey) {
    const some = keys.slice(i, i + rowsByKey)
    const ofKind = (kind: string) => some.filter((key) => key.startsWith(kind)).map((key) => key.slice(1))
    const values = [...valuesOf(of), ofKind('d'), ofKind('c')]
    const [page] = await db.query<Rows>(byKey[closedOf(of)], values, 'bytes')
    if (page!.items.length > 0) yield page!.items
  }
}

// Spec gap: chats without messages stand at the end, as far as there is room. A message that was
// deleted meanwhile has no time: what comes after it is found by ids.
const keysOf = both(
  (closed, next) => `
  with ${bookmarks}, before as (
    select coalesce(
      (select ms from direct_messages where bucket = ($${next}::bigint % 64)::integer and id = $${next}),
      (select ms from group_messages where bucket = ($${next}::bigint % 64)::integer and id = $${next})) as ms
  )
  select coalesce(string_agg(key, ' ' ${inOrder}), '') as keys from (
    select p.* from (${conversationPlaces} union all ${chatPlaces(closed)}) p, before
    where $${next} is null or p.ms is null
      or case when before.ms is null then p.id < $${next} else (p.ms, p.id) < (before.ms, $${next}) end
    ${inOrder} limit $${next + 1}
  ) r`,
)

async function findKeys(db: Db, of: Of, { limit, before }: InboxQuery): Promise<string[]> {
  const values = [...valuesOf(of), before ?? null, limit ?? null]
  const [found] = await db.query<{ keys: string }>(keysOf[closedOf(of)], values)
  return found!.keys.split(' ').filter(Boolean)
}
