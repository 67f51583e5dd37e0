import { chatKey } from '../../messages/chat-key.ts'
import type { Db } from '../../db/pool.ts'

/** The key of a chat as people see it, when the wallet has joined it. */
export async function findJoinedChat(db: Db, wallet: string, nftaddr: string): Promise<string | undefined> {
  const [row] = await db.query<{ nftaddr: string }>(
    `select coalesce(c.nftaddr, b.nftaddr) as nftaddr from bookmarks b left join group_chats c using (chat)
     where b.walletaddr = $1 and b.chat = $2`,
    [wallet, chatKey(nftaddr)],
  )
  return row?.nftaddr
}
