// Finds the conversation or the chat of a message by its id alone, for a wallet that sees the message.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Db } from '../db/pool.ts'
import { bucketOfId } from '../values/bucket.ts'
import { requireChat } from './chat-access.ts'
import type { Chat } from './chat-key.ts'
import type { Gate } from './gate.ts'
import { erasedBy, notHiddenFrom } from './shared-sql.ts'

export type MessagePlace =
  | { kind: 'conversation'; conversation: number; peer: string }
  | ({ kind: 'chat' } & Chat)

// The error is the same for all, so that it does not say which messages there are.
export const noSuchMessage = () => new ApiError('not_found', 'There is no such message that you may read.')

const ofConversation = `
  select m.conversation_id as conversation, case when m.fromaddr = $1 then m.toaddr else m.fromaddr end as peer
  from direct_messages m
  join conversations c on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
  where m.bucket = $2 and m.id = $3 and $1 in (m.fromaddr, m.toaddr) and ${notHiddenFrom('$1')}`

const ofChat = `
  select c.nftaddr from group_messages m join group_chats c on c.bucket = m.bucket and c.chat = m.chat
  where m.bucket = $2 and m.id = $3 and m.removed_by is null
  union all
  select c.nftaddr from withheld_posts m join group_chats c on c.bucket = m.bucket and c.chat = m.chat
  where m.bucket = $2 and m.id = $3 and m.fromaddr = $1 and m.removed_by is null`

/** Returns the conversation of a message that a wallet sees in it, and the other end; undefined when there is none. */
export async function findConversation(db: Db, wallet: string, id: number) {
  const [found] = await db.query<{ conversation: number; peer: string }>(ofConversation, [
    wallet,
    bucketOfId(id),
    id,
  ])
  return found
}

/** Returns where a message is, or throws 404 for a wallet that does not see it. */
export async function requirePlace(
  ctx: { db: Db; gate: Gate },
  wallet: string,
  id: number,
): Promise<MessagePlace> {
  const direct = await findConversation(ctx.db, wallet, id)
  if (direct) return { kind: 'conversation', ...direct }
  const [post] = await ctx.db.query<{ nftaddr: string }>(ofChat, [wallet, bucketOfId(id), id])
  if (!post) throw noSuchMessage()
  const chat = await requireChat(ctx, post.nftaddr, wallet).catch((refusal: unknown) => {
    throw refusal instanceof ApiError && refusal.status === 403 ? noSuchMessage() : refusal
  })
  return { kind: 'chat', ...chat }
}

/** Makes the refusal of a change of a message by the words of the functions of the database. */
export function refusedChange(refused: string, peer: string): ApiError {
  if (refused === 'request')
    return new ApiError(
      'conflict',
      `Accept the request of ${peer} first: PUT /v1/contacts/${peer} with {"state":"accepted"}.`,
    )
  if (refused === 'blocked')
    return new ApiError(
      'conflict',
      `You have blocked ${peer}. Unblock it first: PUT /v1/contacts/${peer} with {"blocked":false}.`,
    )
  return noSuchMessage()
}
