import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { chatItem } from '../core/chat-item.ts'
import { type JsonList, type JsonPage, listByPages, type PageQuery } from '../core/json-list.ts'
import type { Db } from '../db/connect.ts'
import { erasedBy, isPair } from '../db/fragments.ts'

export { insertMessage } from './send.ts'

/** A message as far as the question who may change it goes. */
export interface MessageRow {
  id: number
  conversation_id: number
  fromaddr: string
  toaddr: string
}

// Every list is read through the index made for it, in the order of that index, at most a page of rows. The key that is
// searched for comes from a row `k` rather than from a constant: the planner would otherwise know that ordering by it is
// idle, and might walk the primary key through everybody's messages instead.
interface Part {
  /** Gives the row `k`. */
  from: string
  /** Messages `m` of that key. A message satisfies at most one part. */
  where: string
  /** The index's first column. */
  order: string
}

// $4 is always the wallet that reads: it is not shown what it has erased.
const wallet = 'unnest(array[$4::text]) as k (wallet)'
const notErased = ` and m.id > (select ${erasedBy('$4')} from conversations c where c.id = m.conversation_id)`
const sentBy = (more = ''): Part => ({
  from: wallet,
  where: `m.fromaddr = k.wallet${more}${notErased}`,
  order: 'm.fromaddr',
})
const receivedBy = (more = ''): Part => ({
  from: wallet,
  where: `m.toaddr = k.wallet and m.fromaddr <> $4${more}${notErased}`,
  order: 'm.toaddr',
})
const between = (more = ''): Part => ({
  from: `(select id, ${erasedBy('$4')} as erased from conversations c where ${isPair('$4', '$5')}) k`,
  where: `m.conversation_id = k.id and m.id > k.erased${more}`,
  order: 'm.conversation_id',
})

export const findMessagesOf = (db: Db, address: string, page: PageQuery) =>
  find(db, [sentBy(), receivedBy()], [address], page)

export const findConversation = (db: Db, reader: string, peer: string, page: PageQuery) =>
  find(db, [between()], [reader, peer], page)

/** Messages strictly after a time, in epoch milliseconds: the index on time gives the first one's id, and so the place. */
export const findConversationSince = (db: Db, reader: string, peer: string, time: number, page: PageQuery) =>
  find(
    db,
    [
      between(
        ` and m.id >= (
          select f.id from direct_messages f where f.conversation_id = k.id and f.timestamp > to_timestamp($6::float8 / 1000)
          order by f.conversation_id, f.timestamp limit 1)`,
      ),
    ],
    [reader, peer, time],
    page,
  )

/** The newest 1000 messages from one wallet to the other that have been read. */
export const findReadMessages = (
  db: Db,
  sender: string,
  recipient: string,
  { limit = 1000, before = Number.MAX_SAFE_INTEGER, after }: PageQuery,
) =>
  find(db, [between(' and m.fromaddr = $4 and m.read')], [sender, recipient], {
    limit,
    before,
    ...(after !== undefined && { after }),
  })

export const findNftMessagesOf = (db: Db, address: string, page: PageQuery) =>
  find(db, [sentBy(' and m.nftaddr is not null'), receivedBy(' and m.nftaddr is not null')], [address], page)

interface Token {
  nftaddr: string
  nftid: string
}

export const findNftMessagesOfToken = (
  db: Db,
  address: string,
  { nftaddr, nftid }: Token,
  page: PageQuery,
) => {
  const ofToken = ' and m.nftaddr = $5 and m.nftid = $6'
  return find(db, [sentBy(ofToken), receivedBy(ofToken)], [address, nftaddr, nftid], page)
}

export const findNftConversation = (
  db: Db,
  reader: string,
  peer: string,
  { nftaddr, nftid }: Token,
  page: PageQuery,
) => find(db, [between(' and m.nftaddr = $6 and m.nftid = $7')], [reader, peer, nftaddr, nftid], page)

function find(db: Db, parts: Part[], values: unknown[], page: PageQuery): JsonList<ChatItem> {
  return listByPages(async ({ after, before, limit, newest }) => {
    const sql = pageOf(parts, newest ? 'desc' : 'asc')
    const [found] = await db.query<JsonPage>(sql, [after, before, limit, ...values])
    return found!
  }, page)
}

/** A page of messages as JSON: at most $3 rows of each part, merged. */
function pageOf(parts: Part[], direction: 'asc' | 'desc'): string {
  const selects = parts.map(
    ({ from, where, order }) => `
      (select m.* from ${from} cross join lateral (
        select m.* from direct_messages m where ${where} and m.id > $1 and m.id < $2
        order by ${order} ${direction}, m.id ${direction} limit $3) m)`,
  )
  const merged =
    selects.length === 1
      ? selects[0]!
      : `(select * from (${selects.join(' union all ')}) u order by id ${direction} limit $3)`
  return `
    select coalesce(string_agg(item, ',' order by id), '') as items, count(*) as count, coalesce(max(id), 0) as last
    from (select m.id, ${chatItem} as item from ${merged} m) page`
}

export async function getMessage(db: Db, id: number): Promise<ChatItem> {
  const [row] = await db.query<{ item: ChatItem }>(
    `select (${chatItem})::json as item from direct_messages m where m.id = $1`,
    [id],
  )
  return row!.item
}

export const findMessageById = (db: Db, reader: string, id: number) => findOne(db, 'm.id = $2', [reader, id])

/** By sender, recipient and time (epoch milliseconds), which no two messages share. */
export const findMessageByTime = (db: Db, reader: string, fromaddr: string, toaddr: string, time: number) =>
  findOne(
    db,
    `${isPair('$2', '$3')} and m.fromaddr = $2 and m.toaddr = $3 and m.timestamp = to_timestamp($4::float8 / 1000)`,
    [reader, fromaddr, toaddr, time],
  )

async function findOne(db: Db, condition: string, values: unknown[]): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(
    `select m.id, m.conversation_id, m.fromaddr, m.toaddr
     from direct_messages m join conversations c on c.id = m.conversation_id and m.id > ${erasedBy('$1')}
     where ${condition}`,
    values,
  )
  return row
}

// Whatever changes the read flag or removes a message first locks the conversation, as sending does, and then moves the
// counter by what it really changed: so counts equal a recount under any interleaving. What the recipient has erased counts
// no more.

/** Sets the read flag; the unread counter follows when the flag really changes. */
export const updateRead = (db: Db, { id, conversation_id }: MessageRow, read: boolean) =>
  db.query(
    `with c as (
       select * from conversations where id = $2 for update
     ), flipped as (
       update direct_messages m set read = $3 from c
       where m.id = $1 and m.conversation_id = c.id and m.read <> $3 and m.fromaddr <> m.toaddr and m.id > ${erasedBy('m.toaddr')}
       returning m.id, m.fromaddr, m.toaddr, case when $3 then -1 else 1 end as change
     ), told as (
       insert into events (walletaddr, event)
       select wallet, jsonb_build_object('type', 'read', 'id', id, 'fromaddr', fromaddr, 'toaddr', toaddr, 'read', $3::boolean)
       from flipped, unnest(array[fromaddr, toaddr]) wallet
     )
     update conversations c set
       unread_a = c.unread_a + case when flipped.toaddr = c.a then flipped.change else 0 end,
       unread_b = c.unread_b + case when flipped.toaddr = c.b then flipped.change else 0 end
     from flipped where c.id = $2`,
    [id, conversation_id, read],
  )

export const deleteMessage = (db: Db, { id, conversation_id }: MessageRow) =>
  db.query(
    `with locked as (
       select id from conversations where id = $2 for update
     ), deleted as (
       delete from direct_messages m using locked where m.id = $1 and m.conversation_id = locked.id
       returning m.id, m.fromaddr, m.toaddr, m.read
     ), told as (
       insert into events (walletaddr, event)
       select wallet, jsonb_build_object('type', 'deleted', 'id', id, 'fromaddr', fromaddr, 'toaddr', toaddr)
       from (select deleted.*, unnest(array[fromaddr, nullif(toaddr, fromaddr)]) as wallet from deleted) d
       where wallet is not null
     )
     update conversations c set
       unread_a = c.unread_a - case when deleted.toaddr = c.a then 1 else 0 end,
       unread_b = c.unread_b - case when deleted.toaddr = c.b then 1 else 0 end
     from deleted where c.id = $2 and not deleted.read and deleted.id > ${erasedBy('deleted.toaddr')}`,
    [id, conversation_id],
  )

/**
 * One wallet removes all messages between it and another, but for what it has erased already: that is the other's alone.
 * The conversation's time stays, so that later messages are later.
 */
export const deleteConversation = (db: Db, caller: string, peer: string) =>
  db.transaction(async (tx) => {
    // Two statements: the second must see what was sent while the first waited for the lock.
    const [conversation] = await tx.query<{ id: number }>(
      `select id from conversations where ${isPair('$1', '$2')} for update`,
      [caller, peer],
    )
    if (!conversation) return
    await tx.query(
      `with deleted as (
         delete from direct_messages m using conversations c
         where c.id = $1 and m.conversation_id = c.id and m.id > ${erasedBy('$2')}
         returning m.toaddr, not m.read and m.id > ${erasedBy('m.toaddr')} as unread
       ), told as (
         insert into events (walletaddr, event)
         select distinct wallet, jsonb_build_object('type', 'conversation-deleted', 'fromaddr', $2::text, 'toaddr', $3::text)
         from unnest(array[$2::text, $3::text]) wallet where exists (select from deleted)
       )
       update conversations c set
         unread_a = c.unread_a - (select count(*) from deleted where unread and toaddr = c.a),
         unread_b = c.unread_b - (select count(*) from deleted where unread and toaddr = c.b)
       where c.id = $1`,
      [conversation.id, caller, peer],
    )
  })
