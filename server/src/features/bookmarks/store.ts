import type { Bookmark, NewBookmark } from '@parley/sdk/contract/bookmarks.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { dayOf } from '../../limits/usage.ts'
import { eventJson } from '../../messages/events.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'

/**
 * Joins a chat; joining again changes only the chain, when one is given. Empty when the wallet has
 * as many bookmarks as it may have.
 */
export function insertBookmark(
  db: Db,
  { walletaddr, nftaddr, chain }: NewBookmark,
  most: number,
): Promise<Bookmark[]> {
  const [chat, event] = [chatKey(nftaddr), eventJson({ type: 'inbox', change: 'joined', nftaddr })]
  return db.query<Bookmark>(
    'select id, walletaddr, nftaddr, chain from join_chat_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    [
      db.now(),
      chatBucket(chat),
      chat,
      walletBucket(walletaddr),
      walletaddr,
      nftaddr,
      chain ?? null,
      event,
      dayOf(db.now()),
      most,
    ],
  )
}

export function deleteBookmark(db: Db, wallet: string, nftaddr: string): Promise<object[]> {
  const [chat, event] = [chatKey(nftaddr), eventJson({ type: 'inbox', change: 'left', nftaddr })]
  return db.query('select leave_chat_v1($1, $2, $3, $4, $5, $6) as left', [
    db.now(),
    chatBucket(chat),
    chat,
    walletBucket(wallet),
    wallet,
    event,
  ])
}

export const findBookmarks = (db: Db, wallet: string) =>
  db.query<Bookmark>(
    'select id, walletaddr, nftaddr, chain from bookmarks where wbucket = $1 and walletaddr = $2 order by id',
    [walletBucket(wallet), wallet],
  )

const joined = coalesced<{ one: number }>(
  'select 1 as one from bookmarks where wbucket = $1 and walletaddr = $2 and chat = $3',
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

/** Whether a wallet has a bookmark of a chat, which is no permission to read it. */
export const hasJoined = async (db: Db, wallet: string, chat: string): Promise<boolean> =>
  (await joined(db, [walletBucket(wallet), wallet, chat])).length > 0
