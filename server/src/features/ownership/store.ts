import type { Db } from '../../db/pool.ts'
import { hasJoined } from '../../messages/chat-access.ts'
import { logoOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

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
  const [[row], joined] = await Promise.all([
    db.query<Chat>(
      `select
         ${logoOf('$2')} as logo,
         coalesce((select members from group_chats where bucket = $1 and chat = $2), 0) as members,
         exists (select from group_visits where bucket = $1 and chat = $2 and walletaddr = $3 and posted > 0) as has_messaged`,
      [chatBucket(chat), chat, wallet],
    ),
    hasJoined(db, wallet, chat),
  ])
  return { ...row!, joined }
}
