// The log of events: the two tables of messages and the table of other events, whose ids come from
// one sequence. Each poll is one statement, so it has one snapshot.

import type { Db } from '../db/pool.ts'
import { erasedBy } from '../messages/shared-sql.ts'
import { chatItem } from '../messages/direct-message.ts'
import { messageEvent } from '../messages/events.ts'
import { groupChatItem } from '../messages/group-message.ts'
import type { Range, Snapshot } from './cursor.ts'

/** An event for a wallet, for a pair of wallets, or for the members of a chat. */
export interface Item {
  id: number
  kind: 'direct' | 'group' | 'event'
  /** The sender, the chat, or the wallet. */
  one: string
  /** The recipient of a direct message. */
  other: string | null
  /** Of an inbox event: what was done with which chat. */
  change: string | null
  nftaddr: string | null
  /** A ServiceEvent as JSON. */
  json: string
}

/** How many items a poll answers at most. Items reach 128 KiB, so this bounds its memory. */
export const batchSize = 200

// The xid to be given out next is what `age` counts from. Of xid8 there is no arithmetic.
const snapshot = `
  select pg_snapshot_xmin(s)::text::bigint as xmin,
    pg_snapshot_xmin(s)::text::bigint + age(pg_snapshot_xmin(s)::xid) as next
  from pg_current_snapshot() s`

const idsIn = (table: string, kind: string) => `
  select '${kind}' as kind, m.id from unnest($1::bigint[], $2::bigint[]) r (low, high)
  cross join lateral (select id from ${table} where id between r.low and r.high order by id limit ${batchSize}) m`

const rowOf = (table: string) => `cross join lateral (select * from ${table} where id = p.id limit 1) m`

const itemsIn = `
  with snapshot as (${snapshot}), picked as materialized (
    select * from (
      ${idsIn('direct_messages', 'direct')} union all ${idsIn('group_messages', 'group')} union all ${idsIn('events', 'event')}
    ) ids order by id limit ${batchSize}
  ), items as (
    select p.*, m.fromaddr as one, m.toaddr as other, null as change, null as nftaddr,
      ${messageEvent('direct-message', chatItem)} as json
    from picked p ${rowOf('direct_messages')} where p.kind = 'direct'
    union all
    select p.*, m.chat, null, null, null, ${messageEvent('group-message', groupChatItem)}
    from picked p ${rowOf('group_messages')} join group_chats c using (chat) where p.kind = 'group'
    union all
    select p.*, m.walletaddr, null, m.event->>'change', m.event->>'nftaddr', m.event::text
    from picked p ${rowOf('events')} where p.kind = 'event'
  )
  select * from snapshot left join items on true order by id`

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

/** How many items a client that resumes is sent at most. */
const maxMissed = 1000

/**
 * The ids of a wallet's items after a position, in one snapshot; undefined when they cannot all be
 * had: they are too many, some are deleted already, or the position is of another history.
 */
export async function findMissed(db: Db, wallet: string, after: number): Promise<number[] | undefined> {
  const [row] = await db.query<{ ids: number[]; forgotten: number; head: number }>(missed, [wallet, after])
  const { ids, forgotten, head: greatest } = row!
  return ids.length > maxMissed || after < forgotten || after > greatest ? undefined : ids
}

const missedOf = (table: string, condition: string) =>
  `(select id from ${table} where ${condition} and id > $2 order by id limit ${maxMissed + 1})`

const notErased = `id > (select ${erasedBy('$1')} from conversations c where c.id = conversation_id)`

const missed = `
  select (select id from events_forgotten) as forgotten, ${head} as head, coalesce(json_agg(id order by id), '[]') as ids
  from (
    select id from (
      ${missedOf('direct_messages', `fromaddr = $1 and ${notErased}`)} union ${missedOf('direct_messages', `toaddr = $1 and ${notErased}`)}
      union ${missedOf('events', 'walletaddr = $1')}
      union select m.id from bookmarks b cross join lateral ${missedOf('group_messages', 'chat = b.chat')} m
      where b.walletaddr = $1
    ) of_wallet order by id limit ${maxMissed + 1}
  ) missed`

/** The chats that a wallet has joined. */
export async function findJoinedChats(db: Db, wallet: string): Promise<string[]> {
  const rows = await db.query<{ chat: string }>('select chat from bookmarks where walletaddr = $1', [wallet])
  return rows.map(({ chat }) => chat)
}

/** Deletes events that are a day old. */
export const deleteOldEvents = (db: Db) =>
  db.query(
    `with gone as (delete from events where created_at < now() - interval '24 hours' returning id)
     update events_forgotten set id = greatest(id, (select max(id) from gone)) where exists (select from gone)`,
  )
