// Removes a message of a chat: its text is deleted and its row stays, so that unread counts stay right.

import type { Db } from '../db/pool.ts'
import { chatBucket } from '../values/bucket.ts'
import { eventJson } from './events.ts'
import { type Holds, keepingPost } from './holds.ts'

interface Removal {
  /** The key of the chat (chat-key.ts) comes first, then the name that people see. */
  chat: string
  nftaddr: string
  id: number
  by: 'author' | 'moderator' | 'operator'
}

/** Removes a message; returns whether it was there until now. Its members are notified when the log is read. */
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
