// Removing a message of a chat: its text is gone, its row stays, so that what is unread stays right.

import type { Db } from '../db/pool.ts'
import { chatBucket } from '../values/bucket.ts'
import { eventJson } from './events.ts'
import { type Holds, keepingPost } from './holds.ts'

interface Removal {
  /** The key of the chat (chat-key.ts), and what people call it. */
  chat: string
  nftaddr: string
  id: number
  by: 'author' | 'moderator' | 'operator'
}

/** Removes a message; answers whether it was there until now. Its members are told when the log is read. */
export async function removePost(db: Db, holds: Holds, { chat, nftaddr, id, by }: Removal): Promise<boolean> {
  const event = eventJson({ type: 'post-removed', id, nftaddr, removed_by: by })
  const [row] = await keepingPost(db, holds, { chat, id }, (tx) =>
    tx.query<{ removed: boolean }>('select remove_post_v1($1, $2, $3, $4, $5, $6) as removed', [
      tx.now(),
      chatBucket(chat),
      chat,
      id,
      by,
      event,
    ]),
  )
  return row!.removed
}
