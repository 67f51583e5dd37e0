import type { Bookmark, NewBookmark } from '@parley/sdk/contract/bookmarks.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { eventJson } from '../../messages/events.ts'
import { joinChat } from '../../messages/rooms.ts'
import { chatBucket } from '../../values/bucket.ts'

/**
 * Joins a chat; joining again changes only the chain, when one is given. Returns nothing when the wallet has reached its maximum
 * of bookmarks.
 */
export function insertBookmark(
  db: Db,
  { walletaddr, nftaddr, chain }: NewBookmark,
  most: number,
): Promise<Bookmark[]> {
  return joinChat<Bookmark>(db, { walletaddr, chat: chatKey(nftaddr), nftaddr, chain }, most)
}

export function deleteBookmark(db: Db, wallet: string, nftaddr: string): Promise<object[]> {
  const [chat, event] = [chatKey(nftaddr), eventJson({ type: 'inbox', change: 'left', nftaddr })]
  return db.query('select leave_chat_v1($1, $2, $3, $4, $5, $6) as left', [
    db.now(),
    chatBucket(chat),
    chat,
    ...keyOf(wallet),
    event,
  ])
}

/** Leaves the rooms of a community with it: a wallet that joins it again joins those that members join. */
export async function leaveRooms(db: Db, wallet: string, community: string): Promise<void> {
  const rooms = await db.query<{ chat: string; nftaddr: string }>(
    `select chat, nftaddr from bookmarks where ${ofWallet} and chat > $3 and chat < $4`,
    keyOf(wallet, `${community}/`, `${community}0`),
  )
  for (const { nftaddr } of rooms) await deleteBookmark(db, wallet, nftaddr)
  await db.query(
    `update group_visits set has_left = false
     where bucket = $1 and walletaddr = $2 and chat > $3 and chat < $4 and has_left`,
    [chatBucket(community), wallet, `${community}/`, `${community}0`],
  )
}

/** Returns all bookmarks of a wallet, the oldest first, or a part of them. */
export const findBookmarks = (
  db: Db,
  wallet: string,
  { limit, after = 0 }: { limit?: number; after?: number } = {},
) =>
  db.query<Bookmark>(
    `select id, walletaddr, nftaddr, chain from bookmarks where ${ofWallet} and id > $3 order by id limit $4`,
    keyOf(wallet, after, limit ?? null),
  )

const joined = coalesced<{ one: number }>(
  `select 1 as one from bookmarks where ${ofWallet} and chat = $3`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

/** Returns true when a wallet has a bookmark of a chat, which is no permission to read it. */
export const hasJoined = async (db: Db, wallet: string, chat: string): Promise<boolean> =>
  (await joined(db, keyOf(wallet, chat))).length > 0
