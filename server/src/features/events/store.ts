import { chatKey } from '../../messages/chat-key.ts'
import { hasJoined } from '../../messages/chat-access.ts'
import type { Db } from '../../db/pool.ts'
import { chatBucket } from '../../values/bucket.ts'

/** The key of a chat as people see it, when the wallet has joined it. */
export async function findJoinedChat(db: Db, wallet: string, nftaddr: string): Promise<string | undefined> {
  const chat = chatKey(nftaddr)
  const [joined, [known]] = await Promise.all([
    hasJoined(db, wallet, chat),
    // Each chat that was ever joined has a row.
    db.query<{ nftaddr: string }>('select nftaddr from group_chats where bucket = $1 and chat = $2', [
      chatBucket(chat),
      chat,
    ]),
  ])
  return joined ? known?.nftaddr : undefined
}
