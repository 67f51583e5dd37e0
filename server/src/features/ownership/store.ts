import type { Db } from '../../db/pool.ts'
import { logoOf } from '../../messages/shared-sql.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'

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
    db.query('select 1 as one from bookmarks where wbucket = $1 and walletaddr = $2 and chat = $3', [
      walletBucket(wallet),
      wallet,
      chat,
    ]),
  ])
  return { ...row!, joined: joined.length > 0 }
}
