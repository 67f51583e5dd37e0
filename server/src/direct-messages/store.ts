import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { chatItem } from '../core/chat-item.ts'
import { type JsonList, type JsonPage, listByPages, type PageQuery } from '../core/json-list.ts'
import type { Db } from '../db/connect.ts'

export { insertMessage } from './send.ts'

/** A message as far as the question who may change it goes. */
export interface MessageRow {
  id: number
  conversation_id: number
  fromaddr: string
  toaddr: string
}

/** Which messages a list is of: SQL conditions on `m` and their values, numbered from $4. */
interface Scope {
  /** Each is served by an index that ends in the id; a message satisfies at most one. */
  conditions: string[]
  values: unknown[]
}

const pair = (i: number, j: number) =>
  `m.conversation_id = (select c.id from conversations c where c.a = least($${i}::text collate "C", $${j}::text collate "C") and c.b = greatest($${i}::text collate "C", $${j}::text collate "C"))`

export const findMessagesOf = (db: Db, wallet: string, page: PageQuery) =>
  find(db, { conditions: ['m.fromaddr = $4', 'm.toaddr = $4 and m.fromaddr <> $4'], values: [wallet] }, page)

export const findConversation = (db: Db, one: string, other: string, page: PageQuery) =>
  find(db, { conditions: [pair(4, 5)], values: [one, other] }, page)

/** Messages strictly after a time, in epoch milliseconds. */
export const findConversationSince = (db: Db, one: string, other: string, time: number, page: PageQuery) =>
  find(
    db,
    {
      conditions: [`${pair(4, 5)} and m.timestamp > to_timestamp($6::float8 / 1000)`],
      values: [one, other, time],
    },
    page,
  )

/** The newest 1000 messages from one wallet to the other that have been read. */
export const findReadMessages = (
  db: Db,
  sender: string,
  recipient: string,
  { limit = 1000, before = Number.MAX_SAFE_INTEGER, after }: PageQuery,
) =>
  find(
    db,
    { conditions: [`${pair(4, 5)} and m.fromaddr = $4 and m.read`], values: [sender, recipient] },
    { limit, before, ...(after !== undefined && { after }) },
  )

export const findNftMessagesOf = (db: Db, wallet: string, page: PageQuery) =>
  find(
    db,
    {
      conditions: [
        'm.fromaddr = $4 and m.nftaddr is not null',
        'm.toaddr = $4 and m.fromaddr <> $4 and m.nftaddr is not null',
      ],
      values: [wallet],
    },
    page,
  )

export const findNftMessagesOfToken = (
  db: Db,
  wallet: string,
  nftaddr: string,
  nftid: string,
  page: PageQuery,
) =>
  find(
    db,
    {
      conditions: [
        'm.fromaddr = $4 and m.nftaddr = $5 and m.nftid = $6',
        'm.toaddr = $4 and m.fromaddr <> $4 and m.nftaddr = $5 and m.nftid = $6',
      ],
      values: [wallet, nftaddr, nftid],
    },
    page,
  )

export const findNftConversation = (
  db: Db,
  one: string,
  other: string,
  nftaddr: string,
  nftid: string,
  page: PageQuery,
) =>
  find(
    db,
    {
      conditions: [`${pair(4, 5)} and m.nftaddr = $6 and m.nftid = $7`],
      values: [one, other, nftaddr, nftid],
    },
    page,
  )

function find(db: Db, { conditions, values }: Scope, page: PageQuery): JsonList<ChatItem> {
  return listByPages(async ({ after, before, limit, newest }) => {
    const [found] = await db.query<JsonPage>(pageOf(conditions, newest ? 'desc' : 'asc'), [
      after,
      before,
      limit,
      ...values,
    ])
    return found!
  }, page)
}

/** A page of messages as JSON. Each condition is read by its own index, at most $3 rows of it, and the results are merged. */
function pageOf(conditions: string[], direction: 'asc' | 'desc'): string {
  const parts = conditions.map(
    (condition) =>
      `(select m.* from direct_messages m where ${condition} and m.id > $1 and m.id < $2 order by m.id ${direction} limit $3)`,
  )
  return `
    select coalesce(string_agg(item, ',' order by id), '') as items, count(*) as count, coalesce(max(id), 0) as last
    from (select m.id, ${chatItem} as item from (
      select * from (${parts.join(' union all ')}) u order by id ${direction} limit $3
    ) m) page`
}

export async function getMessage(db: Db, id: number): Promise<ChatItem> {
  const [row] = await db.query<{ item: ChatItem }>(
    `select (${chatItem})::json as item from direct_messages m where m.id = $1`,
    [id],
  )
  return row!.item
}

export const findMessageById = (db: Db, id: number) => findOne(db, 'id = $1', [id])

/** By sender, recipient and time (epoch milliseconds), which no two messages share. */
export const findMessageByTime = (db: Db, fromaddr: string, toaddr: string, time: number) =>
  findOne(
    db,
    `${pair(1, 2)} and m.fromaddr = $1 and m.toaddr = $2 and m.timestamp = to_timestamp($3::float8 / 1000)`,
    [fromaddr, toaddr, time],
  )

async function findOne(db: Db, condition: string, values: unknown[]): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(
    `select m.id, m.conversation_id, m.fromaddr, m.toaddr from direct_messages m where ${condition}`,
    values,
  )
  return row
}

// Whatever changes the read flag or removes a message first locks the conversation, as sending does, and then moves the
// counter by what it really changed: so counts equal a recount under any interleaving.

/** Sets the read flag; the unread counter follows when the flag really changes. */
export const updateRead = (db: Db, { id, conversation_id }: MessageRow, read: boolean) =>
  db.query(
    `with locked as (
       select id from conversations where id = $2 for update
     ), flipped as (
       update direct_messages m set read = $3 from locked
       where m.id = $1 and m.conversation_id = locked.id and m.read <> $3 and m.fromaddr <> m.toaddr
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
     from deleted where c.id = $2 and not deleted.read`,
    [id, conversation_id],
  )

/** One wallet removes all messages between it and another. The conversation's time stays, so that later messages are later. */
export const deleteConversation = (db: Db, one: string, other: string) =>
  db.transaction(async (tx) => {
    // Two statements: the second must see what was sent while the first waited for the lock.
    const [conversation] = await tx.query<{ id: number }>(
      `select id from conversations where a = least($1::text collate "C", $2::text collate "C") and b = greatest($1::text collate "C", $2::text collate "C") for update`,
      [one, other],
    )
    if (!conversation) return
    await tx.query(
      `with deleted as (
         delete from direct_messages where conversation_id = $1 returning id
       ), told as (
         insert into events (walletaddr, event)
         select distinct wallet, jsonb_build_object('type', 'conversation-deleted', 'fromaddr', $2::text, 'toaddr', $3::text)
         from unnest(array[$2::text, $3::text]) wallet where exists (select from deleted)
       )
       update conversations set unread_a = 0, unread_b = 0 where id = $1`,
      [conversation.id, one, other],
    )
  })
