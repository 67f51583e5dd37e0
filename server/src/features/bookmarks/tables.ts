import { portions } from '../../db/bucket-portions.ts'
import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Tables } from '../../feature.ts'
import { forever, instant } from '../../messages/shared-sql.ts'
import { lockVisits, ofVisits } from '../../messages/chat-access.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    keyOf(wallet),
    `select json_strip_nulls(json_build_object('id', id, 'walletaddr', walletaddr, 'nftaddr', nftaddr, 'chain', chain, 'muted_until',
         case when muted_until_ms = ${forever} then 'forever' when muted_until_ms = 0 then 'never' else ${instant('muted_until_ms')} end))::text as item,
       json_build_array(chat) as place
     from bookmarks where ${ofWallet} and chat > $3 order by chat`,
    [''],
  )

async function leaveChats(db: Db, wallet: string): Promise<void> {
  const joined = `from bookmarks where ${ofWallet}`
  const own = keyOf(wallet)
  const all = await portions<string>(db, `select bucket, chat as key ${joined} order by bucket, chat`, own)
  for (const { bucket, keys } of all)
    await db.transaction(async (tx) => {
      const left = await tx.query<{ chat: string }>(`delete ${joined} and chat = any($3) returning chat`, [
        ...own,
        keys,
      ])
      const chats = left.map(({ chat }) => chat)
      const ofBucket = [bucket, chats]
      await tx.query(
        `select chat from group_chats where bucket = $1 and chat = any($2) order by chat for update`,
        ofBucket,
      )
      await tx.query(
        `update group_chats set members = members - 1 where bucket = $1 and chat = any($2)`,
        ofBucket,
      )
      await lockVisits(tx, [...ofBucket, wallet])
      await tx.query(`update group_visits set joined = false where ${ofVisits}`, [...ofBucket, wallet])
    })
}

export const tables: Tables = {
  bookmarks: {
    exported: { lines: { 'bookmarks.jsonl': findLines } },
    erased: { before: leaveChats },
    ends: 'erasure',
    access: 'of the wallet itself',
  },
}
