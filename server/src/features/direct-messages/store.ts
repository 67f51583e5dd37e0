import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { chatItemFor } from '../../messages/direct-message.ts'
import type { Db } from '../../db/pool.ts'
import { eventJson } from '../../messages/events.ts'
import { type Holds, keepingMessages } from '../../messages/holds.ts'
import { erasedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId, inOrder, pairBucket } from '../../values/bucket.ts'

/** The part of a message that decides who may change it. */
export interface MessageRow {
  id: number
  conversation_id: number
  fromaddr: string
  toaddr: string
}

/** Returns a message as a wallet sees it. */
export async function findMessage(db: Db, reader: string, id: number): Promise<ChatItem | undefined> {
  const [row] = await db.query<{ item: ChatItem }>(
    `select (${chatItemFor('$3', '$1')})::json as item from direct_messages m where m.bucket = $1 and m.id = $2`,
    [bucketOfId(id), id, reader],
  )
  return row?.item
}

export const findMessageById = (db: Db, reader: string, id: number) =>
  findOne(db, 'm.bucket = $2 and m.id = $3', [reader, bucketOfId(id), id])

/** Finds a message by sender, recipient and time in epoch milliseconds: no two messages have the same. */
export const findMessageByTime = (db: Db, reader: string, fromaddr: string, toaddr: string, time: number) =>
  findOne(
    db,
    `m.bucket = $2 and c.a = least($3::text collate "C", $4) and c.b = greatest($3::text collate "C", $4)
     and m.fromaddr = $3 and m.toaddr = $4 and m.ms = $5`,
    [reader, pairBucket(fromaddr, toaddr), fromaddr, toaddr, time],
  )

async function findOne(db: Db, condition: string, values: unknown[]): Promise<MessageRow | undefined> {
  const [row] = await db.query<MessageRow>(
    `select m.id, m.conversation_id, m.fromaddr, m.toaddr
     from direct_messages m join conversations c
       on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
     where ${condition} and ${notHiddenFrom('$1')}`,
    values,
  )
  return row
}

/** Sets the read flag; the unread counter follows when the flag really changes. */
export const updateRead = (db: Db, { id, conversation_id, fromaddr, toaddr }: MessageRow, read: boolean) =>
  db.layout.copies.changing(
    db,
    [fromaddr, toaddr],
    db.query('select mark_direct_message_v1($1, $2, $3, $4, $5, $6)', [
      db.now(),
      bucketOfId(id),
      conversation_id,
      id,
      read,
      eventJson({ type: 'read', id, fromaddr, toaddr, read }),
    ]),
  )

/** Removes a message for both of its ends; the unread counter follows when it was unread. */
export const deleteMessage = (db: Db, holds: Holds, { id, conversation_id, fromaddr, toaddr }: MessageRow) =>
  keepingMessages(db, holds, { between: [fromaddr, toaddr], ids: [id] }, (tx) =>
    tx.query('select delete_direct_message_v1($1, $2, $3, $4, $5)', [
      tx.now(),
      bucketOfId(id),
      conversation_id,
      id,
      eventJson({ type: 'deleted', id, fromaddr, toaddr }),
    ]),
  )

/**
 * Removes all messages between a wallet and another, except those that the wallet has erased: they belong to the other.
 */
export const deleteConversation = (db: Db, holds: Holds, caller: string, peer: string) =>
  keepingMessages(db, holds, { between: [caller, peer] }, (tx) =>
    tx.query('select delete_conversation_v1($1, $2, $3, $4, $5, $6)', [
      tx.now(),
      pairBucket(caller, peer),
      ...inOrder(caller, peer),
      caller,
      eventJson({ type: 'conversation-deleted', fromaddr: caller, toaddr: peer }),
    ]),
  )
