import type { Db } from '../../db/pool.ts'
import { logoOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

/**
 * The facts about the chat of a contract: its picture, its number of members, and the wallet's own part in it.
 */
export interface Chat {
  logo: string
  members: number
  joined: boolean
  has_messaged: boolean
}

export async function getChat(db: Db, chat: string, wallet: string): Promise<Chat> {
  const [row] = await db.query<Chat>(
    `select ${logoOf('$2')} as logo, coalesce(c.members, 0) as members,
       coalesce(v.joined, false) as joined, coalesce(v.posted > 0, false) as has_messaged
     from buckets l left join group_chats c on c.bucket = $1 and c.chat = $2
     left join group_visits v on v.bucket = $1 and v.chat = $2 and v.walletaddr = $3
     where l.bucket = $1`,
    [chatBucket(chat), chat, wallet],
  )
  return row!
}
