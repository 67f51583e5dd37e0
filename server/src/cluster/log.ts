// Reads the log of events on one machine: the two tables of messages and the table of other events. Its numbers come from one
// sequence, so it is read over all buckets at once, by the cursor with holes; each poll is one statement, so it has one snapshot.
// In a cluster each bucket counts by itself, and cluster-log.ts reads bucket by bucket. All other code knows only the positions:
// a position is the greatest id of its number, and everything after it has a greater id.

import type { Db } from '../db/pool.ts'
import { alsoInLog } from '../messages/imported.ts'
import { notErasedBy, notHiddenFrom } from '../messages/shared-sql.ts'
import { firstIdOf, lastIdOf, numberOfId, walletBucket } from '../values/bucket.ts'
import { createCursor, type Range, type Snapshot } from './cursor.ts'
import { batchSize, type Item, itemsOf } from './item.ts'

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
