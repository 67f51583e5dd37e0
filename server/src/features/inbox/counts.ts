import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { erasedBy, isBlockedBy, type View } from '../../messages/shared-sql.ts'
import { pairBucket } from '../../values/bucket.ts'

interface Count {
  count: number
}

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

/** Returns the unread messages of a wallet, of one kind or all, without those of chats that are closed to it. */
export const countUnread = (db: Db, wallet: string, type: string, closed: string[] = []): Promise<number> =>
  db.layout.inbox.countUnread(db, wallet, type, closed)

/** Returns the unread messages in a part of an inbox. */
export const countUnreadIn = (db: Db, wallet: string, view: View, closed: string[]): Promise<number> =>
  db.layout.inbox.countUnreadIn(db, wallet, view, closed)

/** Returns how many messages that `peer` sent `wallet` has not read. */
export const countUnreadFrom = (db: Db, wallet: string, peer: string) =>
  countOf(unreadFrom(db, [pairBucket(wallet, peer), wallet, peer]))

export const countUnreadOfToken = (db: Db, wallet: string, nftaddr: string, nftid: string) =>
  countOf(unreadOfToken(db, [wallet, nftaddr, nftid]))
