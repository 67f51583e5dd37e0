import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { chatItem } from '../../messages/direct-message.ts'
import type { Db } from '../../db/pool.ts'
import { announce } from '../../messages/events.ts'
import { erasedBy, isPair } from '../../messages/shared-sql.ts'

/** The part of a message that decides who may change it. */
export interface MessageRow {
  id: number
  conversation_id: number
  fromaddr: string
  toaddr: string
}

export async function findMessage(db: Db, id: number): Promise<ChatItem | undefined> {
  const [row] = await db.query<{ item: ChatItem }>(
    `select (${chatItem})::json as item from direct_messages m where m.id = $1`,
    [id],
  )
  return row?.item
}

export const findMessageById = (db: Db, reader: string, id: number) => findOne(db, 'm.id = $2', [reader, id])

/** By sender, recipient and time in epoch milliseconds: no two messages have the same. */
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

// A statement that changes the read flag or removes a message first locks the conversation, as
// sending does, and then changes the counter by the rows it changed. So counts equal a recount in
// any order of concurrent statements. Messages that the recipient has erased no longer count.

/** Sets the read flag; the unread counter follows when the flag really changes. */
export const updateRead = (db: Db, { id, conversation_id }: MessageRow, read: boolean) =>
  db.query(
    `with c as (
       select * from conversations where id = $2 for update
     ), flipped as (
       update direct_messages m set read = $3 from c
       where m.id = $1 and m.conversation_id = c.id and m.read <> $3 and m.fromaddr <> m.toaddr and m.id > ${erasedBy('m.toaddr')}
       returning m.id, m.fromaddr, m.toaddr, case when $3 then -1 else 1 end as change
     ), announced as (
       ${announce('read', 'wallet', { id: 'id', fromaddr: 'fromaddr', toaddr: 'toaddr', read: '$3::boolean' })}
       from flipped, unnest(array[fromaddr, toaddr]) wallet
     )
     update conversations c set
       unread_a = c.unread_a + case when flipped.toaddr = c.a then flipped.change else 0 end,
       unread_b = c.unread_b + case when flipped.toaddr = c.b then flipped.change else 0 end
     from flipped where c.id = $2`,
    [id, conversation_id, read],
  )

/** Removes a message for both of its ends; the unread counter follows when it was unread. */
export const deleteMessage = (db: Db, { id, conversation_id }: MessageRow) =>
  db.transaction(async (tx) => {
    // Two statements: the second must see the counter and the flag as they are under the lock. A
    // single one would use the counter from before it waited, and fail the check `>= 0` when the
    // message was marked as unread in between.
    await tx.query(`select id from conversations where id = $1 for update`, [conversation_id])
    await tx.query(
      `with deleted as (
         delete from direct_messages where id = $1 returning id, fromaddr, toaddr, read
       ), announced as (
         ${announce('deleted', 'wallet', { id: 'id', fromaddr: 'fromaddr', toaddr: 'toaddr' })}
         from (select deleted.*, unnest(array[fromaddr, nullif(toaddr, fromaddr)]) as wallet from deleted) d
         where wallet is not null
       )
       update conversations c set
         unread_a = c.unread_a - case when deleted.toaddr = c.a then 1 else 0 end,
         unread_b = c.unread_b - case when deleted.toaddr = c.b then 1 else 0 end
       from deleted where c.id = $2 and not deleted.read and deleted.id > ${erasedBy('deleted.toaddr')}`,
      [id, conversation_id],
    )
  })

/**
 * One wallet removes all messages between it and another, except those it has erased: they belong
 * to the other. The conversation's time stays, so the times of later messages are greater.
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
       ), announced as (
         ${announce('conversation-deleted', 'wallet', { fromaddr: '$2::text', toaddr: '$3::text' })}
         from (select distinct unnest(array[$2::text, $3::text]) as wallet) ends where exists (select from deleted)
       )
       update conversations c set
         unread_a = c.unread_a - (select count(*) from deleted where unread and toaddr = c.a),
         unread_b = c.unread_b - (select count(*) from deleted where unread and toaddr = c.b)
       where c.id = $1`,
      [conversation.id, caller, peer],
    )
  })
