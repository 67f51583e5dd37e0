// The log of events: the two tables of messages and the table of other events. Each poll is one
// statement, so it has one snapshot, and reads all buckets by the indexes on ids.

import type { Db } from '../db/pool.ts'
import { lastIdOf, numberOfId, walletBucket } from '../values/bucket.ts'
import { notErasedBy } from '../messages/shared-sql.ts'
import type { Range, Snapshot } from './cursor.ts'
import { type Item, itemsOf, maxMissed } from './items.ts'

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
export async function readItems(db: Db, ranges: Range[]): Promise<Snapshot & { items: Item[] }> {
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
    (select id from events_forgotten))`

/** The greatest id there is. */
export async function readHead(db: Db): Promise<Snapshot & { head: number }> {
  const [row] = await db.query<Snapshot & { head: number }>(
    `select snapshot.*, ${head} as head from (${snapshot}) snapshot`,
  )
  return row!
}

/** The items with these ids that are still there, in the order of ids. */
const readByIds = async (db: Db, ids: number[]): Promise<Item[]> =>
  (
    await readItems(
      db,
      ids.map((id) => ({ low: id, high: id })),
    )
  ).items

/**
 * The ids of a wallet's items after a position, in one snapshot; undefined when they cannot all be
 * had: they are too many, some are deleted already, or the position is of another history.
 */
async function findMissed(db: Db, wallet: string, after: number): Promise<number[] | undefined> {
  const [row] = await db.query<{ ids: number[]; forgotten: number; head: number }>(missed, [
    wallet,
    after,
    walletBucket(wallet),
  ])
  const { ids, forgotten, head: greatest } = row!
  const isAhead = after > lastIdOf(numberOfId(greatest))
  return ids.length > maxMissed || after < forgotten || isAhead ? undefined : ids
}

const missedOf = (table: string, condition: string) =>
  `(select m.id from ${table} m where ${condition} and m.id > $2 order by m.id limit ${maxMissed + 1})`

const missed = `
  select (select id from events_forgotten) as forgotten, ${head} as head, coalesce(json_agg(id order by id), '[]') as ids
  from (
    select id from (
      ${missedOf('direct_messages', `m.fromaddr = $1 and ${notErasedBy('$1')}`)}
      union ${missedOf('direct_messages', `m.toaddr = $1 and ${notErasedBy('$1')}`)}
      union ${missedOf('events', 'm.walletaddr = $1')}
      union select m.id from bookmarks b
        cross join lateral ${missedOf('group_messages', 'm.bucket = b.bucket and m.chat = b.chat')} m
      where b.wbucket = $3 and b.walletaddr = $1
    ) of_wallet order by id limit ${maxMissed + 1}
  ) missed`

/** The chats that a wallet has joined. */
export async function findJoinedChats(db: Db, wallet: string): Promise<string[]> {
  const rows = await db.query<{ chat: string }>(
    'select chat from bookmarks where wbucket = $1 and walletaddr = $2',
    [walletBucket(wallet), wallet],
  )
  return rows.map(({ chat }) => chat)
}

const day = 24 * 3_600_000

/**
 * Deletes events that are a day old. First it is stored up to which id: a client that resumes from
 * before it is told that something is missing, whether or not it is deleted yet.
 */
export async function deleteOldEvents(db: Db): Promise<void> {
  const before = db.now() - day
  // The sum makes PostgreSQL use the index on times, not walk the index on ids.
  const [{ id: upTo } = { id: null }] = await db.query<{ id: number | null }>(
    'select max(id + 0) as id from events where ms < $1',
    [before],
  )
  if (upTo === null) return
  await db.query('update events_forgotten set id = greatest(id, $1)', [upTo])
  await db.query('delete from events where ms < $1 and id <= $2', [before, upTo])
}

/** What was before the beginning of a stream. */
export const machineHistory = { findMissed, readByIds }
