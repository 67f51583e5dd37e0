// Erasing a wallet.
//
// It runs in steps, each a transaction that may be repeated: first the large tables, in portions of
// one bucket that hold their locks only for a moment, then everything else at once. After an
// interruption the wallet starts it again.
//
// A conversation belongs to both of its ends. To erase one side hides from that wallet everything
// up to the newest message, by one number in the conversation's row, and leaves the other side
// complete. What the wallet thought of the other is forgotten too. Messages that neither end can see any more are deleted, and then the row, which says who wrote
// to whom. Rows are locked in the same order as by sending.

import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import type { Holds } from '../../messages/holds.ts'
import { eraseConversations } from './erase-conversations.ts'
import { eraseProfile } from './erase-profile.ts'
import { portions } from './portions.ts'

/** Erases a wallet. Only `hash` is kept of it, and what is held (messages/holds.ts). */
export async function eraseWallet(db: Db, wallet: string, hash: Buffer, holds: Holds = []): Promise<void> {
  await eraseConversations(db, wallet, holds)
  await deleteComments(db, wallet)
  await leaveChats(db, wallet)
  await forgetVisits(db, wallet)
  await db.transaction((tx) => eraseProfile(tx, wallet, hash))
}

async function deleteComments(db: Db, wallet: string): Promise<void> {
  const all = await portions<number>(
    db,
    `select distinct bucket, thread_id as key from comments where fromaddr = $1 order by bucket, thread_id`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.query(
      `select delete_comments_v2($1, id, $3) as deleted from unnest($2::bigint[]) with ordinality as k (id, n) order by n`,
      [bucket, keys, wallet],
    )
}

async function leaveChats(db: Db, wallet: string): Promise<void> {
  const joined = 'from bookmarks where wbucket = $1 and walletaddr = $2'
  const own = [walletBucket(wallet), wallet]
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
      await tx.query(`update group_visits set joined = false where ${ofChats}`, [...ofBucket, wallet])
    })
}

/**
 * The wallet's messages in chats remain, so their number is no secret; it keeps unread counts right
 * if the wallet returns.
 */
async function forgetVisits(db: Db, wallet: string): Promise<void> {
  const all = await portions<string>(
    db,
    `select bucket, chat as key from group_visits where walletaddr = $1 order by bucket, chat`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.transaction(async (tx) => {
      const of = [bucket, keys, wallet]
      await lockVisits(tx, of)
      // Nobody but the wallet has seen these.
      await tx.query(`delete from withheld_posts where bucket = $1 and chat = any($2) and fromaddr = $3`, of)
      // It may have joined again meanwhile.
      await tx.query(`delete from group_visits where ${ofChats} and posted = expired_own and not joined`, of)
      await tx.query(
        `update group_visits set seen_id = 0, entry_ms = null, seen = 0, seen_own = 0, withheld = 0, seen_withheld = 0,
           withheld_id = 0 where ${ofChats}`,
        of,
      )
    })
}

/** Its visits of chats of one bucket. */
const ofChats = 'bucket = $1 and chat = any($2) and walletaddr = $3'

const lockVisits = (tx: Db, of: unknown[]) =>
  tx.query(`select chat from group_visits where ${ofChats} order by chat for update`, of)
