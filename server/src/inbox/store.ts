import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import type { JsonList } from '../core/json-list.ts'
import type { Db } from '../db/connect.ts'

/** The inbox of a wallet, newest first: one row for each conversation that has a message. */
export function findInbox(db: Db, wallet: string): JsonList<InboxItem> {
  return {
    pages: (async function* () {
      const [found] = await db.query<{ items: string }>(inboxOf, [wallet])
      if (found!.items) yield found!.items
    })(),
  }
}

/** A wallet's conversations, from whichever end of the pair it is. */
const conversationsOf = `
  select id, b as peer, unread_a as unread from conversations where a = $1
  union all
  select id, a as peer, unread_b as unread from conversations where b = $1 and a <> $1`

const inboxOf = `
  select coalesce(string_agg(row_to_json(i)::text, ',' order by i.timestamp desc, i.id desc), '') as items
  from (
    select
      m.id, 'dm' as context_type, 'message' as type, '' as chain, m.fromaddr, m.toaddr,
      coalesce(m.nftaddr, '') as nftaddr, coalesce(m.nftid, '') as nftid, m.message,
      coalesce(m.encrypted_sym_x_key, '') as encrypted_sym_x_key, coalesce(m.x_access_conditions, '') as x_access_conditions,
      m.read, c.unread, '' as sender_name, '' as name, '' as logo,
      to_char(m.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp,
      to_char(m.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp_dtm
    from (${conversationsOf}) c
    cross join lateral (select * from direct_messages where conversation_id = c.id order by id desc limit 1) m
  ) i`

export const countUnread = (db: Db, wallet: string) =>
  count(db, `select coalesce(sum(unread), 0) as count from (${conversationsOf}) c`, [wallet])

/** What `wallet` has not read of what `peer` sent. */
export const countUnreadFrom = (db: Db, wallet: string, peer: string) =>
  count(
    db,
    `select coalesce(max(case when a = $1 then unread_a else unread_b end), 0) as count from conversations
     where a = least($1::text collate "C", $2::text collate "C") and b = greatest($1::text collate "C", $2::text collate "C")`,
    [wallet, peer],
  )

export const countUnreadOfToken = (db: Db, wallet: string, nftaddr: string, nftid: string) =>
  count(
    db,
    `select count(*) as count from direct_messages where toaddr = $1 and nftaddr = $2 and nftid = $3 and not read`,
    [wallet, nftaddr, nftid],
  )

async function count(db: Db, sql: string, values: unknown[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql, values)
  return row!.count
}
