// Counts what a wallet has not read, on one machine: one statement each.

import { coalesced } from '../../db/coalesce.ts'
import { unreadRequests } from '../../messages/conversations.ts'
import { conversationsOf, mutedPeers, unreadInChat } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import type { Inbox } from './inbox.ts'
import { bookmarks, isOpen, isOpenIn, unreadInChats } from './joined-chats.ts'

export interface Count {
  count: number
}

/** Makes a count from a statement and the types of its values. */
export const counting = (sql: string, types: string[]) =>
  coalesced<Count>(sql, types, { atOnce: 8, inFlight: 4 })

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversationsOf('$1')}) c`

/** Counts by the visits of the wallet: on one machine they are beside the chats, and need no look at its bookmarks. */
const unreadInJoined = (which: string) => `
  select coalesce(sum(${unreadInChat}), 0)::bigint as count
  from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat
  where v.walletaddr = $1 and v.joined and ${which}`

const direct = counting(unreadDirect, ['text'])

/** Makes a count of a kind of messages, and the same without closed chats, which are in $2. */
const ofChats = (sql: (which: string) => string) => ({
  all: counting(sql('true'), ['text']),
  open: counting(sql(`c.${isOpenIn('$2')}`), ['text', 'text']),
})
const ofType = (type: string) => ofChats((which) => unreadInJoined(`c.context_type = '${type}' and ${which}`))

const inChats: Record<string, ReturnType<typeof ofChats>> = {
  all: ofChats((which) => `select (${unreadDirect}) + (${unreadInJoined(which)}) as count`),
  nft: ofType('nft'),
  community: ofType('community'),
}

/** Counts what is unread where a wallet has accepted and not muted the peer or chat; $4 is the time. */
const unreadInMain = `
  with ${bookmarks}, ${mutedPeers('$4')}
  select (
    select coalesce(sum(unread), 0)::bigint from (${conversationsOf('$1', 'main')}) c
    where peer not in (select peer from muted)
  ) + (${unreadInChats(`${isOpen} and coalesce(muted_until_ms <= $4, true)`)}) as count`

const inMain = counting(unreadInMain, ['text', 'integer', 'text', 'bigint'])
const inRequests = counting(unreadRequests, ['text'])

export const countOf = async (found: Promise<Count[]>) => (await found)[0]?.count ?? 0

export const countUnread: Inbox['countUnread'] = (db, wallet, type, closed) => {
  if (type === 'dm') return countOf(direct(db, [wallet]))
  const { all, open } = inChats[type]!
  return countOf(closed.length === 0 ? all(db, [wallet]) : open(db, [wallet, closed.join(' ')]))
}

export const countUnreadIn: Inbox['countUnreadIn'] = (db, wallet, view, closed) => {
  if (view === 'main') return countOf(inMain(db, [wallet, walletBucket(wallet), closed.join(' '), db.now()]))
  return view === 'requests' ? countOf(inRequests(db, [wallet])) : countUnread(db, wallet, 'all', closed)
}
