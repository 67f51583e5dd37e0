// Reads the inbox of a wallet on one machine, newest first. Most have few rows: one statement reads them all. For a longer one
// the keys of all rows are read first, and then the rows in pages, by their keys; so no row is missed that moves meanwhile.

import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { LRUCache } from 'lru-cache'
import { coalesced } from '../../db/coalesce.ts'
import { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { conversationsOf, mutedPeers, type View } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { countUnread, countUnreadIn } from './counts.ts'
import type { Inbox, InboxPage, Of } from './inbox.ts'
import { bookmarks } from './joined-chats.ts'
import { chatPlaces, chatRows, type Closed, conversationPlaces, conversationRows } from './rows.ts'

async function find(db: Db, of: Of, query: InboxPage): Promise<JsonList<InboxItem>> {
  if (query.limit === undefined && query.before === undefined) {
    const pages = await readWhole(db, of)
    if (pages.length > 0)
      return new JsonList(pages.map(({ items }) => items).filter((items) => items.length > 0))
  }
  if (lengths.get(of.wallet) !== 'keys') {
    const keys = await findKeys(db, of, query)
    return new JsonList((long) => rowsOf(long, of, keys))
  }
  // Finding the places of thousands of rows takes its turn too.
  return new JsonList(async function* (long) {
    yield* rowsOf(long, of, await findKeys(long, of, query))
  })
}

/** Says how an inbox is read: in one page, in several by one statement, or by its keys. */
type Length = 'page' | 'pages' | 'keys'

/** The inbox of these wallets was recently of this length: a statement reads all rows before it knows that there are too many. */
const lengths = new LRUCache<string, Length>({
  maxSize: 10_000,
  sizeCalculation: () => 1,
  ttl: 600_000,
})
/** The first request of these wallets finds out how long their inbox is. */
const learning = new Map<string, Promise<unknown>>()

/** Reads an inbox by one statement; returns no pages of one that is too long for it. */
async function readWhole(db: Db, of: Of): Promise<Rows[]> {
  const { wallet } = of
  const first = learning.get(wallet)
  if (first) await first
  const length = lengths.get(wallet)
  const rows = readFrom(length ?? 'page', db, of)
  if (length === undefined) {
    const forget = () => learning.delete(wallet)
    learning.set(wallet, rows.then(forget, forget))
  }
  return rows
}

async function readFrom(length: Length, db: Db, of: Of): Promise<Rows[]> {
  if (length === 'keys') return []
  const found = await statements[length][kindOf(of)](db, valuesOf(of))
  const next = length === 'page' ? 'pages' : 'keys'
  const isWhole = found.length > 0
  if (!isWhole || !lengths.has(of.wallet)) lengths.set(of.wallet, isWhole ? length : next)
  return isWhole ? found : readFrom(next, db, of)
}

/**
 * Says which statement reads an inbox: a plain one, or that of a view, which has closed chats in $3 and the time in $4. Requests
 * have no chats, and the time in $3.
 */
type Kind = View | Closed

const kindOf = ({ closed, view }: Of): Kind => view ?? (closed.length === 0 ? 'none' : 'some')

function valuesOf({ wallet, closed, view, now }: Of): unknown[] {
  const own = [wallet, walletBucket(wallet)]
  if (view === 'requests') return [...own, now]
  if (view !== undefined) return [...own, closed.join(' '), now]
  return closed.length === 0 ? own : [...own, closed.join(' ')]
}

const typesOf = {
  none: [],
  some: ['text'],
  all: ['text', 'bigint'],
  main: ['text', 'bigint'],
  requests: ['bigint'],
}
const kinds = Object.keys(typesOf) as Kind[]

/** Makes a statement of each kind; `next` is the number of its first value besides those of valuesOf. */
const ofEach = <Made>(make: (kind: Kind, next: number) => Made) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind, typesOf[kind].length + 3)])) as Record<Kind, Made>

function beginningOf(kind: Kind): string {
  if (kind === 'none' || kind === 'some') return `with ${bookmarks}`
  return kind === 'requests' ? `with ${mutedPeers('$3')}` : `with ${bookmarks}, ${mutedPeers('$4')}`
}

function rowsOfKind(kind: Kind, whichPeers?: string, whichChats?: string): string {
  if (kind === 'none' || kind === 'some')
    return `${conversationRows(whichPeers)} union all ${chatRows(kind, whichChats)}`
  const direct = conversationRows(whichPeers, kind)
  return kind === 'requests' ? direct : `${direct} union all ${chatRows('some', whichChats, kind)}`
}

function placesOfKind(kind: Kind): string {
  if (kind === 'none' || kind === 'some') return `${conversationPlaces()} union all ${chatPlaces(kind)}`
  const direct = conversationPlaces(kind)
  return kind === 'requests' ? direct : `${direct} union all ${chatPlaces('some')}`
}

/** This many rows of an inbox come as one text: a megabyte in one would be copied several times on its way. */
const pageRows = 200
/** Longer inboxes, and those with more than this many rows of up to 13 KiB, are read by their keys. */
const mostRows = 2000
const rowsByKey = 80

// Chats without messages all have the id 0.
const inOrder = 'order by ms desc nulls last, id desc, key collate "C"'

/** This is true of rows that one statement may return: a long one has up to 13 KiB. */
const isShort = (most: number) => `count(*) <= ${most} and count(*) filter (where is_long) <= ${rowsByKey}`

/** Returns no row when the inbox is too long for one page. */
const wholePage = (kind: Kind) => `
  ${beginningOf(kind)}
  select coalesce(string_agg(item, ','), '') as items from (
    select is_long, item from (${rowsOfKind(kind)}) r ${inOrder} limit ${pageRows + 1}
  ) sorted having ${isShort(pageRows)}`

/** Returns no row when the inbox is too long for one statement. */
const wholeInbox = (kind: Kind) => `
  ${beginningOf(kind)}, sorted as materialized (
    select is_long, item from (${rowsOfKind(kind)}) r ${inOrder}
  )
  select (select string_agg(item, ',') from (select item from sorted limit ${pageRows} offset page * ${pageRows}) p) as items
  from generate_series(0, (
    select case when ${isShort(mostRows)} then (count(*) + ${pageRows} - 1) / ${pageRows} else 0 end from sorted
  ) - 1) page`

interface Rows {
  items: Buffer
}

const reads = (make: (kind: Kind) => string) =>
  ofEach((kind) =>
    coalesced<Rows>(make(kind), ['text', 'integer', ...typesOf[kind]], { atOnce: 8, as: 'bytes' }),
  )
const statements = { page: reads(wholePage), pages: reads(wholeInbox) }

const byKey = ofEach(
  (kind, next) => `
  ${beginningOf(kind)}
  select coalesce(string_agg(item, ',' ${inOrder}), '') as items from (
    ${rowsOfKind(kind, `peer = any ($${next}::text[])`, `chat = any ($${next + 1}::text[])`)}
  ) r`,
)

/** Yields the rows with these keys, in pages. */
async function* rowsOf(db: Db, of: Of, keys: string[]): AsyncGenerator<Buffer, void, undefined> {
  for (let i = 0; i < keys.length; i += rowsByKey) {
    const some = keys.slice(i, i + rowsByKey)
    const ofKind = (kind: string) => some.filter((key) => key.startsWith(kind)).map((key) => key.slice(1))
    const values = [...valuesOf(of), ofKind('d'), ...(of.view === 'requests' ? [] : [ofKind('c')])]
    const [page] = await db.query<Rows>(byKey[kindOf(of)], values, 'bytes')
    if (page!.items.length > 0) yield page!.items
  }
}

// Spec gap: chats without messages stand at the end, as far as there is room. A message that was
// deleted meanwhile has no time: what comes after it is found by ids.
const keysOf = ofEach(
  (kind, next) => `
  ${beginningOf(kind)}, before as (
    select coalesce(
      (select ms from direct_messages where bucket = ($${next}::bigint % 64)::integer and id = $${next}),
      (select ms from group_messages where bucket = ($${next}::bigint % 64)::integer and id = $${next}),
      (select ms from withheld_posts where bucket = ($${next}::bigint % 64)::integer and id = $${next} and fromaddr = $1)) as ms
  )
  select coalesce(string_agg(key, ' ' ${inOrder}), '') as keys from (
    select p.* from (${placesOfKind(kind)}) p, before
    where $${next} is null or p.ms is null
      or case when before.ms is null then p.id < $${next} else (p.ms, p.id) < (before.ms, $${next}) end
    ${inOrder} limit $${next + 1}
  ) r`,
)

async function findKeys(db: Db, of: Of, { limit, before }: InboxPage): Promise<string[]> {
  const values = [...valuesOf(of), before ?? null, limit ?? null]
  const [found] = await db.query<{ keys: string }>(keysOf[kindOf(of)], values)
  return found!.keys.split(' ').filter(Boolean)
}

export const machineInbox: Inbox = { conversations: conversationsOf('$1'), find, countUnread, countUnreadIn }
