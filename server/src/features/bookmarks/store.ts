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
