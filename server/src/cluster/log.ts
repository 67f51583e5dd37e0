// This file has the log of events, its items as they are delivered, and reads it on one machine: the two tables of messages and the
// table of other events. Its numbers come from one sequence, so it is read over all buckets at once, by the cursor with holes; each
// poll is one statement, so it has one snapshot. In a cluster each bucket counts by itself, and cluster-log.ts reads bucket by
// bucket. All other code knows only the positions: a position is the greatest id of its number, and everything after it has a
// greater id.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import type { Db } from '../db/pool.ts'
import { chatItem, chatItemSeenBy } from '../messages/direct-message.ts'
import { groupChatItem, groupChatItemIn, groupChatItemSeenBy, isHeld } from '../messages/group-message.ts'
import { alsoInLog } from '../messages/imported.ts'
import { notErasedBy, notHiddenFrom } from '../messages/shared-sql.ts'
import { firstIdOf, lastIdOf, numberOfId, walletBucket } from '../values/bucket.ts'
import { createCursor, type Range, type Snapshot } from './cursor.ts'

/** This is an event for a wallet, for a pair of wallets, or for the members of a chat. */
export interface Item {
  id: number
  kind: 'direct' | 'group' | 'withheld' | 'chat' | 'event'
  /** This is the sender, the chat, or the wallet. */
  one: string
  /**
   * This is the recipient of a direct message, who gets no event for a withheld one; or the only member of the chat who gets the
   * event.
   */
  other: string | null
  /** This is for an inbox event: it says what was done with which chat. */
  change: string | null
  nftaddr: string | null
  /** This is a ServiceEvent as JSON. */
  json: string
  /** These wallets get another JSON. */
  apart: Record<string, string> | null
}

/** Returns true when an item is for the members of the chat `one`. */
export const isOfChat = ({ kind }: Pick<Item, 'kind'>): boolean =>
  kind === 'group' || kind === 'withheld' || kind === 'chat'

/** Returns true for an event about a change of a message, which has the ids alone (live/as-it-is-now.ts). */
export const isChange = ({ kind, json }: Item): boolean =>
  (kind === 'event' || kind === 'chat') && /"type": "(reacted|reacted-mine|edited)"/.test(json)

/** A poll returns at most this many items. Items reach 128 KiB, so this limits its memory. */
export const batchSize = 200

/** Makes SQL of a message's event as JSON text; `item` is the JSON of the message. */
const messageEvent = (type: Extract<ServiceEvent, { item: unknown }>['type'], item: string): string =>
  `'{"type":"${type}","item":' || ${item} || '}'`

/** Items are read here: the ids in a table, its row of an id `p`, and the chat of such a row. */
interface Place {
  ids: (table: string, kind: Item['kind'], limit: number) => string
  row: (table: string) => string
  chat: string
}

/** This is true when a row of events is for the members of a chat. */
const isOfMembers = `m.walletaddr like 'chat %'`

/** Its author gets a message with what it alone sees of it. */
const apart = (type: Parameters<typeof messageEvent>[0], item: string) =>
  `case when m.own is not null then jsonb_build_object(m.fromaddr, ${messageEvent(type, item)}) end`

/** Returns an item as a wallet gets it. */
export const jsonFor = ({ json, apart: others }: Item, wallet: string): string => others?.[wallet] ?? json

/** Makes a statement that reads the items of a place by ascending id: the first `batchSize` of them. */
export const itemsOf = ({ ids, row, chat }: Place) => `
  with picked as materialized (
    select * from (
      ${ids('direct_messages', 'direct', batchSize)} union all ${ids('group_messages', 'group', batchSize)}
      union all ${ids('withheld_posts', 'withheld', batchSize)} union all ${ids('events', 'event', batchSize)}
    ) ids order by id limit ${batchSize}
  ), items as (
    select p.*, m.fromaddr as one, case when not m.withheld then m.toaddr end as other, null as change, null as nftaddr,
      ${messageEvent('direct-message', chatItem)} as json,
      ${apart('direct-message', chatItemSeenBy('m.fromaddr'))} as apart
    from picked p ${row('direct_messages')} where p.kind = 'direct'
    union all
    select p.*, m.chat, null, null, null, ${messageEvent('group-message', groupChatItem)},
      ${apart('group-message', groupChatItemSeenBy('m.fromaddr', 'c'))}
    from picked p ${row('group_messages')} ${chat} where p.kind = 'group'
    union all
    select p.*, m.chat, m.fromaddr, null, null, ${messageEvent('group-message', groupChatItemIn('c', isHeld))}, null
    from picked p ${row('withheld_posts')} ${chat} where p.kind = 'withheld'
    union all
    select case when ${isOfMembers} then 'chat' else p.kind end, p.id,
      case when ${isOfMembers} then split_part(m.walletaddr, ' ', 2) else m.walletaddr end,
      nullif(split_part(m.walletaddr, ' ', 3), ''), m.event->>'change', m.event->>'nftaddr', m.event::text, null
    from picked p ${row('events')} where p.kind = 'event'
  )
  select * from items order by id`

/** This has the items that became visible, in the order of ids, with the position after each item. */
interface Batch {
  found: { item: Item; position: number | undefined }[]
  /** This is true when something may have been missed for good. */
  lost: boolean
  /** This is false when the log has more: the next poll finds it. */
  isComplete: boolean
}

export interface Tail {
  /** Reads what this tail does not have yet, and moves on. When that fails, the tail stays where it is. */
  poll: () => Promise<Batch>
  /** Everything up to here has been found; it is undefined where that cannot be said yet. */
  readonly position: number | undefined
}

/** This is a log: of one machine, or of a cluster. */
export interface Log {
  /** Opens the log at its end: everything that is committed from now on is found. */
  openTail: (db: Db) => Promise<Tail>
  /**
   * Returns the ids of a wallet's items after a position, without those of closed chats; undefined when they are not all
   * available: there are too many, some are deleted already, or the position is of another history.
   */
  findMissed: (db: Db, wallet: string, after: number, closed: string[]) => Promise<number[] | undefined>
  /** Returns the items with these ids that still exist, in the order of ids. */
  readByIds: (db: Db, ids: number[]) => Promise<Item[]>
}

/** A client that resumes gets at most this many items. */
export const maxMissed = 1000

// `age` counts from the xid to be given out next, outside of a transaction that has one itself. PostgreSQL has no arithmetic for
// xid8.
export const snapshot = `
  select pg_snapshot_xmin(s)::text::bigint as xmin,
    pg_snapshot_xmin(s)::text::bigint + age(pg_snapshot_xmin(s)::xid) as next
  from pg_current_snapshot() s`

const itemsIn = `
  with snapshot as (${snapshot}) select * from snapshot left join (${itemsOf({
    ids: (table, kind, limit) => `
      select '${kind}' as kind, m.id from unnest($1::bigint[], $2::bigint[]) r (low, high)
      cross join lateral (select id from ${table} where id between r.low and r.high ${alsoInLog(table)} order by id limit ${limit}) m`,
    row: (table) => `cross join lateral (select * from ${table} where id = p.id limit 1) m`,
    chat: 'join group_chats c using (bucket, chat)',
  })}) items on true order by id`

/** Reads what lies in the ranges, by ascending id: the first `batchSize` of it. */
async function readItems(db: Db, ranges: Range[]): Promise<Snapshot & { items: Item[] }> {
  const rows = await db.query<Snapshot & (Item | { id: null })>(itemsIn, [
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
  ])
  const { xmin, next } = rows[0]!
  return { xmin, next, items: rows.filter((row) => row.id !== null) }
}

// Every deletion leaves a greater id behind, so this never goes back.
const head = `
  greatest((select max(id) from direct_messages), (select max(id) from group_messages), (select max(id) from events),
    (select max(id) from withheld_posts), (select id from events_forgotten))`

/** Returns the greatest existing id. */
export async function readHead(db: Db): Promise<Snapshot & { head: number }> {
  const [row] = await db.query<Snapshot & { head: number }>(
    `select snapshot.*, ${head} as head from (${snapshot}) snapshot`,
  )
  return row!
}

async function openTail(db: Db): Promise<Tail> {
  const { head: greatest, ...first } = await readHead(db)
  const cursor = createCursor(numberOfId(greatest), first)
  const positionOf = (number: number | undefined) => (number === undefined ? undefined : lastIdOf(number))
  return {
    async poll() {
      const { items, ...seen } = await readItems(
        db,
        cursor.ranges().map(({ low, high }) => ({
          low: firstIdOf(low),
          high: Math.min(lastIdOf(high), Number.MAX_SAFE_INTEGER),
        })),
      )
      const isComplete = items.length < batchSize
      const numbers = items.map(({ id }) => numberOfId(id))
      const { positions, lost } = cursor.advance(numbers, seen, isComplete)
      return {
        found: items.map((item, i) => ({ item, position: positionOf(positions[i]) })),
        lost,
        isComplete,
      }
    },
    get position() {
      return positionOf(cursor.position)
    },
  }
}

async function readByIds(db: Db, ids: number[]): Promise<Item[]> {
  const ranges = ids.map((id) => ({ low: id, high: id }))
  return (await readItems(db, ranges)).items
}

/** One snapshot shows all of it. */
async function findMissed(
  db: Db,
  wallet: string,
  after: number,
  closed: string[],
): Promise<number[] | undefined> {
  const [row] = await db.query<{ ids: number[]; forgotten: number; head: number }>(missed, [
    wallet,
    after,
    walletBucket(wallet),
    closed,
  ])
  const { ids, forgotten, head: greatest } = row!
  const isAhead = after > lastIdOf(numberOfId(greatest))
  return ids.length > maxMissed || after < forgotten || isAhead ? undefined : ids
}

const missedOf = (table: string, condition: string) =>
  `(select m.id from ${table} m where ${condition} and m.id > $2 ${alsoInLog(table)} order by m.id limit ${maxMissed + 1})`

const visible = `${notErasedBy('$1')} and ${notHiddenFrom('$1')}`

const missed = `
  select (select id from events_forgotten) as forgotten, ${head} as head, coalesce(json_agg(id order by id), '[]') as ids
  from (
    select id from (
      ${missedOf('direct_messages', `m.fromaddr = $1 and ${visible}`)}
      union ${missedOf('direct_messages', `m.toaddr = $1 and ${visible}`)}
      union ${missedOf('events', 'm.walletaddr = $1')}
      union select m.id from bookmarks b
        cross join lateral ${missedOf('group_messages', 'm.bucket = b.bucket and m.chat = b.chat')} m
      where b.wbucket = $3 and b.walletaddr = $1 and b.chat <> all($4::text[])
      union select m.id from bookmarks b
        cross join lateral ${missedOf('withheld_posts', 'm.bucket = b.bucket and m.chat = b.chat and m.fromaddr = $1')} m
      where b.wbucket = $3 and b.walletaddr = $1 and b.chat <> all($4::text[])
      union select m.id from bookmarks b
        cross join lateral ${missedOf('events', `m.walletaddr in ('chat ' || b.chat, 'chat ' || b.chat || ' ' || $1)`)} m
      where b.wbucket = $3 and b.walletaddr = $1 and b.chat <> all($4::text[])
    ) of_wallet order by id limit ${maxMissed + 1}
  ) missed`

export const machineLog: Log = { openTail, findMissed, readByIds }
