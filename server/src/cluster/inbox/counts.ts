// Counts what a wallet has not read, on one machine: one statement each.

import { coalesced } from '../../db/coalesce.ts'
import type { Db } from '../../db/pool.ts'
import { unreadRequests } from '../../messages/conversations.ts'
import { conversationsOf, mutedPeers, unreadInChat } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import type { Inbox } from './inbox.ts'
import { bookmarks, isOpen, unreadInChats } from './joined-chats.ts'

export interface Count {
  count: number
}

/** Makes a count from a statement about a wallet, from its bucket and closed chats as far as it has types for them. */
export const counting = (sql: string, types = ['text', 'integer']) => {
  const count = coalesced<Count>(sql, types, { atOnce: 8, inFlight: 4 })
  return (db: Db, wallet: string, closed: string[]) =>
    count(
      db,
      types.length === 1 ? [wallet] : [wallet, walletBucket(wallet), closed.join(' ')].slice(0, types.length),
    )
}

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversationsOf('$1')}) c`

/** Counts by the visits of the wallet: on one machine they are beside the chats, and need no look at its bookmarks. */
const unreadInJoined = (which: string) => `
  select coalesce(sum(${unreadInChat}), 0)::bigint as count
  from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat
  where v.walletaddr = $1 and v.joined and ${which}`

const ofKind = {
  all: (which: string) => `select (${unreadDirect}) + (${unreadInJoined(which)}) as count`,
  nft: (which: string) => unreadInJoined(`c.context_type = 'nft' and ${which}`),
  community: (which: string) => unreadInJoined(`c.context_type = 'community' and ${which}`),
}

type Kind = keyof typeof ofKind
const ofEachKind = <Made>(make: (sql: (which: string) => string) => Made): Record<string, Made> =>
  Object.fromEntries(Object.keys(ofKind).map((kind) => [kind, make(ofKind[kind as Kind])]))

const unreadOf: Record<string, (db: Db, wallet: string, closed: string[]) => Promise<Count[]>> = {
  dm: counting(unreadDirect, ['text']),
  ...ofEachKind((sql) => counting(sql('true'), ['text'])),
}

/** Does the same without closed chats. */
const unreadBesides = ofEachKind((sql) => {
  const count = coalesced<Count>(sql(`c.chat <> all(string_to_array($2, ' '))`), ['text', 'text'], {
    atOnce: 8,
    inFlight: 4,
  })
  return (db: Db, wallet: string, closed: string[]) => count(db, [wallet, closed.join(' ')])
})

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

export const countUnread: Inbox['countUnread'] = (db, wallet, type, closed) => {
  const count = (closed.length > 0 && unreadBesides[type]) || unreadOf[type]!
  return countOf(count(db, wallet, closed))
}

export const countUnreadIn: Inbox['countUnreadIn'] = (db, wallet, view, closed) => {
  if (view === 'main') return countOf(inMain(db, [wallet, walletBucket(wallet), closed.join(' '), db.now()]))
  return view === 'requests' ? countOf(inRequests(db, wallet, [])) : countUnread(db, wallet, 'all', closed)
}
