import type { Db } from '../../db/pool.ts'
import { logoOf } from '../../messages/shared-sql.ts'

/**
 * What is known of the chat of a contract: its picture, how many have joined, and the wallet's own
 * part in it.
 */
export interface Chat {
  logo: string
  members: number
  joined: boolean
  has_messaged: boolean
}

export async function getChat(db: Db, chat: string, wallet: string): Promise<Chat> {
  const [row] = await db.query<Chat>(
    `select
       ${logoOf('$1')} as logo,
       coalesce((select members from group_chats where chat = $1), 0) as members,
       exists (select from bookmarks where walletaddr = $2 and chat = $1) as joined,
       exists (select from group_visits where walletaddr = $2 and chat = $1 and posted > 0) as has_messaged`,
    [chat, wallet],
  )
  return row!
}
