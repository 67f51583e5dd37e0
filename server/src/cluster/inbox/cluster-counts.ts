// Counts what a wallet has not read, on a cluster. Each part is counted by itself: conversations by their copies, and chats where
// the wallet has joined some.

import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { mutedPeers } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { copiesOf, unreadCopiedRequests } from './copies-sql.ts'
import { type Count, counting, countOf } from './counts.ts'
import type { Inbox } from './inbox.ts'
import { bookmarksOfCluster, hasJoinedChats, isOpen, unreadInChats } from './joined-chats.ts'

const inOpenChats = (which: string) => `with ${bookmarksOfCluster} ${unreadInChats(`${isOpen} and ${which}`)}`
const ofChats = (which: string) => counting(inOpenChats(which), ['text', 'integer', 'text'])

const ofPart = {
  dm: counting(`select coalesce(sum(unread), 0)::bigint as count from (${copiesOf('$1', '$2')}) c`, [
    'text',
    'integer',
  ]),
  requests: counting(unreadCopiedRequests, ['text', 'integer']),
  main: coalesced<Count>(
    `with ${mutedPeers('$3')} select coalesce(sum(unread), 0)::bigint as count from (${copiesOf('$1', '$2', 'main')}) c
     where peer not in (select peer from muted)`,
    ['text', 'integer', 'bigint'],
    { atOnce: 8 },
  ),
  unmuted: coalesced<Count>(
    inOpenChats('coalesce(muted_until_ms <= $4, true)'),
    ['text', 'integer', 'text', 'bigint'],
    { atOnce: 8 },
  ),
}

const inChatsOf: Record<string, ReturnType<typeof counting>> = {
  all: ofChats('true'),
  nft: ofChats(`context_type = 'nft'`),
  community: ofChats(`context_type = 'community'`),
}

const sumOf = async (...counts: Promise<number>[]) =>
  (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)

/** Without a joined chat, the chats of all nodes need not be read. */
const ifJoined = async (db: Db, wallet: string, count: () => Promise<Count[]>) => {
  const [row] = await db.query<{ joined: boolean }>(`select ${hasJoinedChats} as joined`, [
    wallet,
    walletBucket(wallet),
  ])
  return row!.joined ? countOf(count()) : 0
}

export const countUnreadOnCluster: Inbox['countUnread'] = (db, wallet, type, closed) => {
  const own = [wallet, walletBucket(wallet)]
  const direct = () => countOf(ofPart.dm(db, own))
  const chats = () => ifJoined(db, wallet, () => inChatsOf[type]!(db, [...own, closed.join(' ')]))
  if (type === 'all') return sumOf(direct(), chats())
  return type === 'dm' ? direct() : chats()
}

export const countUnreadInOnCluster: Inbox['countUnreadIn'] = (db, wallet, view, closed) => {
  if (view === 'all') return countUnreadOnCluster(db, wallet, 'all', closed)
  const own = [wallet, walletBucket(wallet)]
  if (view === 'requests') return countOf(ofPart.requests(db, own))
  const now = db.now()
  return sumOf(
    countOf(ofPart.main(db, [...own, now])),
    ifJoined(db, wallet, () => ofPart.unmuted(db, [...own, closed.join(' '), now])),
  )
}
