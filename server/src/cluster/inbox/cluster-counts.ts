// Counts what a wallet has not read, on a cluster. Each part is counted by itself: conversations by their copies, and chats where
// the wallet has joined some.

import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { mutedPeers } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { copiesOf, unreadCopiedRequests } from './copies-sql.ts'
import { type Count, counting, countOf, statementOf, unreadInChats, withBookmarks } from './counts.ts'
import type { Inbox } from './inbox.ts'
import { hasJoinedChats, isOpen } from './joined-chats.ts'

const ofPart = {
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

const sumOf = async (...counts: Promise<number>[]) =>
  (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)

/** Without a joined chat, the chats of all nodes need not be read. */
const inChats = async (db: Db, wallet: string, count: () => Promise<Count[]>) => {
  const [row] = await db.query<{ joined: boolean }>(`select ${hasJoinedChats} as joined`, [
    wallet,
    walletBucket(wallet),
  ])
  return row!.joined ? countOf(count()) : 0
}

export const countUnreadOnCluster: Inbox['countUnread'] = (db, wallet, type, closed) => {
  const direct = () => countOf(ofPart.dm(db, wallet, closed))
  if (type === 'dm') return direct()
  if (type === 'all')
    return sumOf(
      direct(),
      inChats(db, wallet, () => ofPart.chats(db, wallet, closed)),
    )
  return inChats(db, wallet, () => statementOf(type, closed)(db, wallet, closed))
}

export const countUnreadInOnCluster: Inbox['countUnreadIn'] = (db, wallet, view, closed) => {
  if (view === 'all') return countUnreadOnCluster(db, wallet, 'all', closed)
  if (view === 'requests') return countOf(ofPart.requests(db, wallet, []))
  const own = [wallet, walletBucket(wallet)]
  const now = db.now()
  return sumOf(
    countOf(ofPart.main(db, [...own, now])),
    inChats(db, wallet, () => ofPart.openChats(db, [...own, closed.join(' '), now])),
  )
}
