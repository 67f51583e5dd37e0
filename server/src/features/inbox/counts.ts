import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { conversationsOf, erasedBy } from '../../messages/shared-sql.ts'
import { pairBucket, walletBucket } from '../../values/bucket.ts'
import { bookmarks, joinedChats } from './joined-chats.ts'

interface Count {
  count: number
}

const counting = (sql: string, types = ['text', 'integer']) => {
  const count = coalesced<Count>(sql, types, { atOnce: 8, inFlight: 4 })
  return (db: Db, wallet: string) => count(db, [wallet, walletBucket(wallet)].slice(0, types.length))
}

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversationsOf('$1')}) c`
const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joinedChats}) c where ${which}`
const withBookmarks = (sql: string) => `with ${bookmarks} ${sql}`

const unreadOfType: Record<string, (db: Db, wallet: string) => Promise<Count[]>> = {
  dm: counting(unreadDirect, ['text']),
  nft: counting(withBookmarks(unreadInChats(`context_type = 'nft'`))),
  community: counting(withBookmarks(unreadInChats(`context_type = 'community'`))),
  all: counting(withBookmarks(`select (${unreadDirect}) + (${unreadInChats('true')}) as count`)),
}

const unreadFrom = coalesced<Count>(
  `select case when a = $2 then unread_a else unread_b end as count from conversations
   where bucket = $1 and a = least($2::text collate "C", $3) and b = greatest($2::text collate "C", $3)`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

const unreadOfToken = coalesced<Count>(
  `select count(*) as count
   from direct_messages m join conversations c on c.bucket = m.bucket and c.id = m.conversation_id
   where m.toaddr = $1 and m.nftaddr = $2 and m.nftid = $3 and not m.read and m.id > ${erasedBy('$1')}`,
  ['text', 'text', 'text'],
  { atOnce: 32 },
)

const countOf = async (found: Promise<Count[]>) => (await found)[0]?.count ?? 0

/** Unread messages of a wallet, of one kind or all. */
export const countUnread = (db: Db, wallet: string, type: string) => countOf(unreadOfType[type]!(db, wallet))

/** What `wallet` has not read of what `peer` sent. */
export const countUnreadFrom = (db: Db, wallet: string, peer: string) =>
  countOf(unreadFrom(db, [pairBucket(wallet, peer), wallet, peer]))

export const countUnreadOfToken = (db: Db, wallet: string, nftaddr: string, nftid: string) =>
  countOf(unreadOfToken(db, [wallet, nftaddr, nftid]))
