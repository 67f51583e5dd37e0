import { chatKey } from '../../messages/chat-key.ts'
import type { Db } from '../../db/pool.ts'
import { chatBucket } from '../../values/bucket.ts'

/** Returns the key of a chat as people see it, when the wallet has joined it. */
export async function findJoinedChat(db: Db, wallet: string, nftaddr: string): Promise<string | undefined> {
  const chat = chatKey(nftaddr)
  // A row exists for each chat that was ever joined.
  const [known] = await db.query<{ nftaddr: string }>(
    `select c.nftaddr from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat
     where v.bucket = $1 and v.chat = $2 and v.walletaddr = $3 and v.joined`,
    [chatBucket(chat), chat, wallet],
  )
  return known?.nftaddr
}
