// What a push says. It is read when it is sent: meanwhile a message may have been read or deleted, and rules changed.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { Db } from '../../db/pool.ts'
import { mac } from '../../lib/mac.ts'
import { mayNotify, takesAll } from '../../messages/consent.ts'
import { conversationsOf, copiesOf, mutedPeers, nameOf } from '../../messages/shared-sql.ts'
import { inOrder, pairBucket, walletBucket } from '../../values/bucket.ts'
import type { Facts } from '../../messages/telling.ts'
import type { Push } from './push-service.ts'

export interface Conversation extends Facts {
  peer: string
  /** Of the peer; empty without one. */
  name: string
  /** Of the newest unread message; 0 when there is none. */
  newest: number
  at: number
  message: string
  encrypted: boolean
}

/** What a wallet has unread of another, and what it thinks of it. */
export async function findConversation(
  db: Db,
  wallet: string,
  peer: string,
  dmDefault: string,
): Promise<Conversation | undefined> {
  const [a, b] = inOrder(wallet, peer)
  const bucket = pairBucket(wallet, peer)
  const [side] = await db.query<Facts & { id: number; name: string }>(
    `select c.id, case when c.a = $4 then c.state_a else c.state_b end as state,
       case when c.a = $4 then c.blocked_a else c.blocked_b end as blocked,
       case when c.a = $4 then c.unread_a else c.unread_b end as unread,
       ${nameOf('$5')} as name, ${takesAll('$4', '$6')} as "takesAll"
     from conversations c where c.bucket = $1 and c.a = $2 and c.b = $3`,
    [bucket, a, b, wallet, peer, dmDefault],
  )
  if (!side || wallet === peer) return undefined
  const [contact] = await db.query<{ muted: boolean }>(
    `select coalesce(muted_until_ms, 0) > $4 as muted from contacts where wbucket = $1 and walletaddr = $2 and peer = $3`,
    [walletBucket(wallet), wallet, peer, db.now()],
  )
  const [newest] = await db.query<{ id: number; ms: number; message: string; encrypted: boolean }>(
    `select id, ms, preview_v1(message, 800) as message, encrypted_sym_x_key is not null as encrypted from direct_messages
     where bucket = $1 and conversation_id = $2 and toaddr = $3 and not read and not withheld order by id desc limit 1`,
    [bucket, side.id, wallet],
  )
  return {
    ...side,
    unread: newest ? side.unread : 0,
    muted: contact?.muted ?? false,
    peer,
    newest: newest?.id ?? 0,
    at: newest?.ms ?? 0,
    message: newest?.message ?? '',
    encrypted: newest?.encrypted ?? false,
  }
}

interface Unread {
  messages: number
  conversations: number
}

const side = { state: 'c.state', blocked: 'false', peer: 'c.peer' }
const unreadOf = (rows: string) => `
  with ${mutedPeers('$3')}
  select coalesce(sum(c.unread), 0)::bigint as messages, count(*) as conversations
  from (${rows}) c where c.unread > 0 and ${mayNotify(side, takesAll('$1', '$4'))}`
const unread = { machine: unreadOf(conversationsOf('$1')), cluster: unreadOf(copiesOf('$1', '$2')) }

/** How much a wallet has unread of those that may notify it. */
export async function countUnreadOf(db: Db, wallet: string, dmDefault: string): Promise<Unread> {
  const [row] = await db.query<Unread>(unread[db.isCluster ? 'cluster' : 'machine'], [
    wallet,
    walletBucket(wallet),
    db.now(),
    dmDefault,
  ])
  return row!
}

export interface Secret {
  jwtSecret: string
}

/** 32 characters that stand for a conversation; a push service learns nothing from them (RFC 8030, 5.4). */
export const tagOf = ({ jwtSecret }: Secret, about: string) =>
  mac(jwtSecret, 'push topic', about).toString('base64url').slice(0, 32)

export const short = (address: string) =>
  address.length > 13 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address

/** The push about the newest message of a conversation. */
export function messagePush(
  config: Secret,
  wallet: string,
  { peer, name, unread: count, state, takesAll: all, at, message, encrypted }: Conversation,
  preview: NotificationRules['preview'],
  badge: number,
): Push {
  const isRequest = state === 0 && !all
  const many = count === 1 ? 'New message' : `${count} new messages`
  const text = encrypted ? 'Encrypted message' : Array.from(message).slice(0, 200).join('')
  return {
    v: 1,
    kind: isRequest ? 'request' : 'dm',
    title: preview === 'none' ? 'Parley' : name || short(peer),
    // What a stranger writes is shown to nobody who has not opened it.
    body: isRequest ? 'Wants to write to you' : preview === 'text' ? text : many,
    tag: tagOf(config, [wallet, peer].join(' ')),
    url: `/dm/${encodeURIComponent(peer)}`,
    badge,
    at,
  }
}

/** The one push at the end of quiet hours. */
export function summaryPush(
  config: Secret,
  wallet: string,
  { messages, conversations }: Unread,
  at: number,
): Push {
  const [what, where] = [
    messages === 1 ? 'message' : 'messages',
    conversations === 1 ? 'conversation' : 'conversations',
  ]
  return {
    v: 1,
    kind: 'summary',
    title: 'Parley',
    body: `${messages} unread ${what} in ${conversations} ${where}`,
    tag: tagOf(config, `${wallet} summary`),
    url: '/',
    badge: messages,
    at,
  }
}

export const testPush = (config: Secret, wallet: string, badge: number, at: number): Push => ({
  v: 1,
  kind: 'test',
  title: 'Parley',
  body: 'A test: notifications arrive here.',
  tag: tagOf(config, `${wallet} test`),
  url: '/settings',
  badge,
  at,
})
