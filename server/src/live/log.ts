// The log of events on one machine: the two tables of messages and the table of other events. Its
// numbers come from one sequence, so it is read over all buckets at once, by the cursor with holes;
// each poll is one statement, so it has one snapshot. In a cluster each bucket counts by itself, and
// cluster-log.ts reads bucket by bucket. All else knows only the positions: a position is the
// greatest id of its number, and what comes after it has a greater id.

import type { Db } from '../db/pool.ts'
import { notErasedBy, notHiddenFrom } from '../messages/shared-sql.ts'
import { firstIdOf, lastIdOf, numberOfId, walletBucket } from '../values/bucket.ts'
import { createCursor, type Range, type Snapshot } from './cursor.ts'
import { batchSize, type Item, itemsOf } from './item.ts'
import { covers, isWithin, type Look } from './look.ts'

/** What has become visible, in the order of ids, with the position after each item. */
interface Batch {
  found: { item: Item; position: number | undefined }[]
  /** Whether something may have been missed for good. */
  lost: boolean
}

export interface Tail {
  /** Looks at the log, in the database, for what this tail does not have yet. */
  look: () => Promise<Look>
  /**
   * Moves on by a look, of this tail or of another one of the same log, an older one too: answers what was not known here.
   * Undefined when it was not looked at all that this tail lacks; then the tail stays where it is.
   */
  take: (look: Look) => Batch | undefined
  /** Everything up to here has been found; undefined where that cannot be said yet. */
  readonly position: number | undefined
}

/** A log: of one machine, or of a cluster. */
export interface Log {
  /** Opens it at its end: what is committed from now on is found. */
  openTail: (db: Db) => Promise<Tail>
  /**
   * The ids of a wallet's items after a position, without those of closed chats; undefined when they cannot all be had: they are
   * too many, some are deleted already, or the position is of another history.
   */
  findMissed: (db: Db, wallet: string, after: number, closed: string[]) => Promise<number[] | undefined>
  /** The items with these ids that are still there, in the order of ids. */
  readByIds: (db: Db, ids: number[]) => Promise<Item[]>
}

/** How many items a client that resumes is sent at most. */
export const maxMissed = 1000

// The xid to be given out next is what `age` counts from, outside of a transaction that has one
// itself. Of xid8 there is no arithmetic.
export const snapshot = `
  select pg_snapshot_xmin(s)::text::bigint as xmin,
    pg_snapshot_xmin(s)::text::bigint + age(pg_snapshot_xmin(s)::xid) as next
  from pg_current_snapshot() s`

const itemsIn = `
  with snapshot as (${snapshot}) select * from snapshot left join (${itemsOf({
    ids: (table, kind, limit) => `
      select '${kind}' as kind, m.id from unnest($1::bigint[], $2::bigint[]) r (low, high)
      cross join lateral (select id from ${table} where id between r.low and r.high order by id limit ${limit}) m`,
    row: (table) => `cross join lateral (select * from ${table} where id = p.id limit 1) m`,
    chat: 'join group_chats c using (bucket, chat)',
  })}) items on true order by id`

/** What lies in the ranges, by ascending id: the first `batchSize` of it. */
async function readItems(db: Db, ranges: Range[]): Promise<Snapshot & { items: Item[] }> {
  const rows = await db.query<Snapshot & (Item | { id: null })>(itemsIn, [
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
  ])
  const { xmin, next } = rows[0]!
  return { xmin, next, items: rows.filter((row) => row.id !== null) }
}

// Whatever is deleted leaves a greater id behind, so this never goes back.
const head = `
  greatest((select max(id) from direct_messages), (select max(id) from group_messages), (select max(id) from events),
    (select max(id) from withheld_posts), (select id from events_forgotten))`

/** The greatest id there is. */
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
    async look() {
      const ranges = cursor.ranges()
      const { items, ...seen } = await readItems(
        db,
        ranges.map(({ low, high }) => ({
          low: firstIdOf(low),
          high: Math.min(lastIdOf(high), Number.MAX_SAFE_INTEGER),
        })),
      )
      return { ranges, ...seen, items, isComplete: items.length < batchSize }
    },
    take(look) {
      const ranges = cursor.ranges()
      if (!('ranges' in look) || !covers(look.ranges, ranges)) return undefined
      const items = look.items.filter(({ id }) => isWithin(ranges, numberOfId(id)))
      const numbers = items.map(({ id }) => numberOfId(id))
      const { positions, lost } = cursor.advance(numbers, look, look.isComplete)
      return { found: items.map((item, i) => ({ item, position: positionOf(positions[i]) })), lost }
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

/** All of it is asked for in one snapshot. */
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
  `(select m.id from ${table} m where ${condition} and m.id > $2 order by m.id limit ${maxMissed + 1})`

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
