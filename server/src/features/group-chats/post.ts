import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { batched } from '../../db/batch.ts'
import type { Db } from '../../db/pool.ts'
import type { Chat } from '../../messages/chat-key.ts'
import {
  lastPostVersion,
  newLastPost,
  type NewPost,
  postColumns,
  storedGroupChatItem,
} from '../../messages/group-message.ts'
import {
  namesOf,
  type NewMessage,
  type RequestKey,
  requireStored,
  storeTogether,
} from '../../messages/storing.ts'
import { chatBucket } from '../../values/bucket.ts'

interface GroupMessage extends NewMessage {
  post: Chat & NewPost
}

/**
 * Stores a message in a group chat, together with others that arrive at the same time; once for
 * each key. It writes the rows of the chat and of the sender, none for other members. Throws 429
 * when the chat's time is ahead of the clock.
 */
export async function insertPost(
  db: Db,
  post: Chat & NewPost,
  key?: RequestKey,
): Promise<{ item: GroupChatItem; repeated: boolean }> {
  const { chat } = post
  const row = await insertTogether(db, { bucket: chatBucket(chat), place: chat, key, post })
  const stored = requireStored(row as typeof row & Pick<Chat, 'nftaddr' | 'context_type'>, 'chat')
  return { item: storedGroupChatItem(post, stored, stored), repeated: stored.repeated }
}

const insertTogether = batched(
  storeTogether<GroupMessage, keyof Chat | keyof NewPost>({
    one: 'post_group_message_v1',
    many: 'post_group_messages_v1',
    texts: ['chat', 'nftaddr', 'context_type', ...namesOf(postColumns)],
    textsOf: ({ post }) => post,
    copyVersion: lastPostVersion,
    copyOf: ({ post }, ms) => newLastPost(post, ms),
  }),
  { inFlight: 2, size: 128, waitsFor: 'rows' },
)
