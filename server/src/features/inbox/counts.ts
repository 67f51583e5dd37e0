import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { unreadCopiedRequests, unreadRequests } from '../../messages/conversations.ts'
import {
  conversationsOf,
  copiesOf,
  erasedBy,
  isBlockedBy,
  mutedPeers,
  type View,
} from '../../messages/shared-sql.ts'
import { pairBucket, walletBucket } from '../../values/bucket.ts'
import { bookmarks, hasJoinedChats, isOpen, joinedChats } from './joined-chats.ts'

interface Count {
  count: number
}

const counting = (sql: string, types = ['text', 'integer']) => {
  const count = coalesced<Count>(sql, types, { atOnce: 8, inFlight: 4 })
  return (db: Db, wallet: string, closed: string[]) =>
    count(db, [wallet, walletBucket(wallet), closed.join(' ')].slice(0, types.length))
}

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversationsOf('$1')}) c`
const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joinedChats}) c where ${which}`
const withBookmarks = (sql: string) => `with ${bookmarks} ${sql}`

const unreadOfAll = (which: string) =>
  withBookmarks(`select (${unreadDirect}) + (${unreadInChats(which)}) as count`)

/** On a cluster each part is counted by itself: conversations by their copies, and chats where the wallet has joined some. */
const onCluster = {
  dm: counting(`select coalesce(sum(unread), 0)::bigint as count from (${copiesOf('$1', '$2')}) c`),
  requests: counting(unreadCopiedRequests),
  main: coalesced<Count>(
    `with ${mutedPeers('$3')} select coalesce(sum(unread), 0)::bigint as count from (${copiesOf('$1', '$2', 'main')}) c
     where peer not in (select peer from muted)`,
    ['text', 'integer', 'bigint'],
    { atOnce: 8 },
  ),
  chats: counting(withBookmarks(unreadInChats(isOpen)), ['text', 'integer', 'text']),
  openChats: coalesced<Count>(
    withBookmarks(unreadInChats(`${isOpen} and coalesce(muted_until_ms <= $4, true)`)),
    ['text', 'integer', 'text', 'bigint'],
    { atOnce: 8 },
  ),
}

const sumOf = async (...parts: Promise<number>[]) =>
  (await Promise.all(parts)).reduce((sum, count) => sum + count, 0)

/** Else the chats of all nodes need not be looked through. */
const inChats = async (db: Db, wallet: string, count: () => Promise<Count[]>) => {
  const [row] = await db.query<{ joined: boolean }>(`select ${hasJoinedChats} as joined`, [
    wallet,
    walletBucket(wallet),
  ])
  return row!.joined ? countOf(count()) : 0
}

type CountUnread = (db: Db, wallet: string, closed: string[]) => Promise<Count[]>

const unreadOfType: Record<string, CountUnread> = {
  dm: counting(unreadDirect, ['text']),
  nft: counting(withBookmarks(unreadInChats(`context_type = 'nft'`))),
  community: counting(withBookmarks(unreadInChats(`context_type = 'community'`))),
  all: counting(unreadOfAll('true')),
}

const inOpenChats = (type: string) =>
  counting(withBookmarks(unreadInChats(`context_type = '${type}' and ${isOpen}`)), [
    'text',
    'integer',
    'text',
  ])

/** The same without closed chats. */
const unreadBesides: Record<string, CountUnread> = {
  nft: inOpenChats('nft'),
  community: inOpenChats('community'),
  all: counting(unreadOfAll(isOpen), ['text', 'integer', 'text']),
}

/** What is unread of what a wallet has accepted and not muted; $4 is the time. */
const unreadInMain = `
  with ${bookmarks}, ${mutedPeers('$4')}
  select (
    select coalesce(sum(unread), 0)::bigint from (${conversationsOf('$1', 'main')}) c
    where peer not in (select peer from muted)
  ) + (${unreadInChats(`${isOpen} and coalesce(muted_until_ms <= $4, true)`)}) as count`

const inMain = coalesced<Count>(unreadInMain, ['text', 'integer', 'text', 'bigint'], {
  atOnce: 8,
  inFlight: 4,
})
const inRequests = counting(unreadRequests, ['text'])

const unreadFrom = coalesced<Count>(
  `select case when ${isBlockedBy('$2')} then 0 when a = $2 then unread_a else unread_b end as count from conversations c
   where bucket = $1 and a = least($2::text collate "C", $3) and b = greatest($2::text collate "C", $3)`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

const unreadOfToken = coalesced<Count>(
  `select count(*) as count
   from direct_messages m join conversations c on c.bucket = m.bucket and c.id = m.conversation_id
   where m.toaddr = $1 and m.nftaddr = $2 and m.nftid = $3 and not m.read and m.id > ${erasedBy('$1')}
     and not m.hidden_from_recipient and not ${isBlockedBy('$1')}`,
  ['text', 'text', 'text'],
  { atOnce: 32 },
)

const countOf = async (found: Promise<Count[]>) => (await found)[0]?.count ?? 0

/** Unread messages of a wallet, of one kind or all, without those of chats that are closed to it. */
export const countUnread = (db: Db, wallet: string, type: string, closed: string[] = []): Promise<number> => {
  const count = (closed.length > 0 && unreadBesides[type]) || unreadOfType[type]!
  if (!db.isCluster) return countOf(count(db, wallet, closed))
  const direct = () => countOf(onCluster.dm(db, wallet, closed))
  if (type === 'dm') return direct()
  const ofAll = () => onCluster.chats(db, wallet, closed)
  if (type === 'all') return sumOf(direct(), inChats(db, wallet, ofAll))
  return inChats(db, wallet, () => count(db, wallet, closed))
}

/** Unread messages in a part of an inbox. */
export function countUnreadIn(db: Db, wallet: string, view: View, closed: string[]): Promise<number> {
  const own = [wallet, walletBucket(wallet)]
  const now = db.now()
  if (view === 'main' && db.isCluster)
    return sumOf(
      countOf(onCluster.main(db, [...own, now])),
      inChats(db, wallet, () => onCluster.openChats(db, [...own, closed.join(' '), now])),
    )
  if (view === 'main') return countOf(inMain(db, [...own, closed.join(' '), now]))
  const ofRequests = db.isCluster ? onCluster.requests : inRequests
  return view === 'requests' ? countOf(ofRequests(db, wallet, [])) : countUnread(db, wallet, 'all', closed)
}

/** What `wallet` has not read of what `peer` sent. */
export const countUnreadFrom = (db: Db, wallet: string, peer: string) =>
  countOf(unreadFrom(db, [pairBucket(wallet, peer), wallet, peer]))

export const countUnreadOfToken = (db: Db, wallet: string, nftaddr: string, nftid: string) =>
  countOf(unreadOfToken(db, [wallet, nftaddr, nftid]))
