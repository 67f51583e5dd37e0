import type { ReadState } from '@parley/sdk/contract/read-state.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf } from '../../db/own-rows.ts'
import type { Chat } from '../../messages/chat-key.ts'
import { eventJson } from '../../messages/events.ts'
import { chatBucket, pairBucket } from '../../values/bucket.ts'

/**
 * The number of messages that one statement reads: it locks the conversation, so that a message that is sent meanwhile waits.
 */
const portion = 2000
/** The maximum number of portions of one request: the rest is left for the next one. */
const mostPortions = 10

/** Marks what a peer has sent as read, up to an id; where an NFT is given, only messages about it. */
export const readConversationTo = (
  db: Db,
  reader: string,
  peer: string,
  to: number,
  context?: { nftaddr: string; nftid: string },
): Promise<ReadState> =>
  inPortions(to, async () => {
    const event = eventJson({ type: 'read-to', id: to, fromaddr: peer, toaddr: reader, ...context })
    const marked = db.query<ReadState>(
      'select id, unread from read_conversation_to_v1($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        db.now(),
        pairBucket(reader, peer),
        reader,
        peer,
        to,
        context?.nftaddr ?? null,
        context?.nftid ?? null,
        portion,
        event,
      ],
    )
    const [read] = await db.layout.copies.changing(db, [reader, peer], marked)
    return read!
  })

/** Stores that a wallet has read a chat up to an id. It never moves back. */
export const readChatTo = (db: Db, reader: string, { chat, nftaddr }: Chat, to: number): Promise<ReadState> =>
  inPortions(to, async () => {
    const event = eventJson({ type: 'inbox', change: 'entered', nftaddr, id: to })
    const [read] = await db.query<ReadState>(
      'select id, unread from read_chat_to_v1($1, $2, $3, $4, $5, $6, $7, $8)',
      [db.now(), chatBucket(chat), chat, ...keyOf(reader), to, portion, event],
    )
    return read!
  })

async function inPortions(to: number, next: () => Promise<ReadState>): Promise<ReadState> {
  let read = await next()
  for (let n = 1; n < mostPortions && read.id < to; n++) read = await next()
  return read
}
