// Counts what a wallet has not read, on one machine: one statement each.

import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { unreadRequests } from '../../messages/conversations.ts'
import { conversationsOf, mutedPeers } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import type { Inbox } from './inbox.ts'
import { bookmarks, isOpen, joinedChats } from './joined-chats.ts'

export interface Count {
  count: number
}

export const counting = (sql: string, types = ['text', 'integer']) => {
  const count = coalesced<Count>(sql, types, { atOnce: 8, inFlight: 4 })
  return (db: Db, wallet: string, closed: string[]) =>
    count(db, [wallet, walletBucket(wallet), closed.join(' ')].slice(0, types.length))
}

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversationsOf('$1')}) c`
export const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joinedChats}) c where ${which}`
export const withBookmarks = (sql: string) => `with ${bookmarks} ${sql}`

const unreadOfAll = (which: string) =>
  withBookmarks(`select (${unreadDirect}) + (${unreadInChats(which)}) as count`)

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

/** Does the same without closed chats. */
const unreadBesides: Record<string, CountUnread> = {
  nft: inOpenChats('nft'),
  community: inOpenChats('community'),
  all: counting(unreadOfAll(isOpen), ['text', 'integer', 'text']),
}

/** Counts what is unread where a wallet has accepted and not muted the peer or chat; $4 is the time. */
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

export const countOf = async (found: Promise<Count[]>) => (await found)[0]?.count ?? 0

/** Returns the statement that counts messages of one kind. */
export const statementOf = (type: string, closed: string[]): CountUnread =>
  (closed.length > 0 && unreadBesides[type]) || unreadOfType[type]!

export const countUnread: Inbox['countUnread'] = (db, wallet, type, closed) =>
  countOf(statementOf(type, closed)(db, wallet, closed))

export const countUnreadIn: Inbox['countUnreadIn'] = (db, wallet, view, closed) => {
  if (view === 'main') return countOf(inMain(db, [wallet, walletBucket(wallet), closed.join(' '), db.now()]))
  return view === 'requests' ? countOf(inRequests(db, wallet, [])) : countUnread(db, wallet, 'all', closed)
}
