// This is the content of a push. It is read when the push is sent: meanwhile a message may have been read or deleted, and rules
// changed.

import type { FileItem } from '@parley/sdk/contract/files.ts'
import { wordFor } from '@parley/sdk/files/kinds.ts'
import { plainText } from '@parley/sdk/formatting/index.ts'
import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { mac } from '../../lib/mac.ts'
import { mayNotify, takesAll } from '../../messages/consent.ts'
import { mutedPeers, nameOf } from '../../messages/shared-sql.ts'
import { inOrder, pairBucket, walletBucket } from '../../values/bucket.ts'
import { shortAddress } from '../../values/short-address.ts'
import type { ConversationFacts } from '../../messages/notification-policy.ts'

/** The service worker of the web client shows this. */
export interface Push {
  v: 1
  kind: 'dm' | 'request' | 'mention' | 'chat' | 'reaction' | 'announcement' | 'summary' | 'test'
  title: string
  body: string
  /** A device shows only the latest of two pushes with the same tag. */
  tag: string
  /** A path of the web client. */
  url: string
  /** The number of unread messages. */
  badge: number
  /** The time in epoch milliseconds. */
  at: number
  /** A POST to this address ends notifications of this kind (stop-links.ts). */
  stop?: string
}

/** A notification of this kind makes no sound, where a channel can do that. */
export const isQuiet = ({ kind }: Pick<Push, 'kind'>) => kind === 'reaction'

export interface Conversation extends ConversationFacts {
  peer: string
  /** The name of the peer; empty without one. */
  name: string
  /** The id of the newest unread message; 0 when there is none. */
  newest: number
  at: number
  message: string
  files: FileItem[] | null
  encrypted: boolean
}

/** Returns the messages from another wallet that a wallet has not read, and its choices about that wallet. */
export async function findConversation(
  db: Db,
  wallet: string,
  peer: string,
  dmDefault: string,
): Promise<Conversation | undefined> {
  const [a, b] = inOrder(wallet, peer)
  const bucket = pairBucket(wallet, peer)
  const [side] = await db.query<Omit<ConversationFacts, 'about' | 'muted'> & { id: number; name: string }>(
    `select c.id, case when c.a = $4 then c.state_a else c.state_b end as state,
       case when c.a = $4 then c.blocked_a else c.blocked_b end as blocked,
       case when c.a = $4 then c.unread_a else c.unread_b end as unread,
       ${nameOf('$5')} as name, ${takesAll('$4', '$6')} as "takesAll"
     from conversations c where c.bucket = $1 and c.a = $2 and c.b = $3`,
    [bucket, a, b, wallet, peer, dmDefault],
  )
  if (!side || wallet === peer) return undefined
  const [contact] = await db.query<{ muted: boolean }>(
    `select coalesce(muted_until_ms, 0) > $4 as muted from contacts where ${ofWallet} and peer = $3`,
    keyOf(wallet, peer, db.now()),
  )
  const [newest] = await db.query<
    Pick<Conversation, 'message' | 'files' | 'encrypted'> & { id: number; ms: number }
  >(
    `select id, ms, preview_v1(message, 800) as message, files, encrypted_sym_x_key is not null as encrypted from direct_messages
     where bucket = $1 and conversation_id = $2 and toaddr = $3 and not read and not withheld order by id desc limit 1`,
    [bucket, side.id, wallet],
  )
  return {
    about: 'conversation',
    ...side,
    unread: newest ? side.unread : 0,
    muted: contact?.muted ?? false,
    peer,
    newest: newest?.id ?? 0,
    at: newest?.ms ?? 0,
    message: newest?.message ?? '',
    files: newest?.files ?? null,
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

/** Returns the number of unread messages that a wallet has from those that may notify it. */
export async function countUnreadOf(db: Db, wallet: string, dmDefault: string): Promise<Unread> {
  const [row] = await db.query<Unread>(unreadOf(db.layout.inbox.conversations), [
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

/** Returns 32 characters that stand for a conversation; a push service learns nothing from them (RFC 8030, 5.4). */
export const tagOf = ({ jwtSecret }: Secret, subject: string) =>
  mac(jwtSecret, 'push topic', subject).toString('base64url').slice(0, 32)

/**
 * Returns the beginning of a message for a push: on one line, without markers, unless messages stand as they were typed. Where
 * the text is only the names of its files, it says what these are.
 */
export function previewOf(
  { messageFormat }: Format,
  message: string,
  files: FileItem[] | null = null,
): string {
  const names = files?.map(({ name }) => name).join(', ')
  // A long text is cut.
  const isOnlyFiles = names === message || (message.length > 200 && names?.startsWith(message))
  const text =
    files && isOnlyFiles ? wordFor(files) : messageFormat === 'plain' ? message : plainText(message)
  return Array.from(text).slice(0, 200).join('')
}

export interface Format {
  messageFormat: string
}

/** Writes the push about the newest message of a conversation. */
export function messagePush(
  config: Secret & Format,
  wallet: string,
  { peer, name, unread: count, state, takesAll: all, at, message, files, encrypted }: Conversation,
  preview: NotificationRules['preview'],
  badge: number,
): Push {
  const isRequest = state === 0 && !all
  const many = count === 1 ? 'New message' : `${count} new messages`
  const text = encrypted ? 'Encrypted message' : previewOf(config, message, files)
  return {
    v: 1,
    kind: isRequest ? 'request' : 'dm',
    title: preview === 'none' ? 'Parley' : name || shortAddress(peer),
    // A stranger's message is shown to nobody who has not opened it.
    body: isRequest ? 'Wants to write to you' : preview === 'text' ? text : many,
    tag: tagOf(config, [wallet, peer].join(' ')),
    url: `/dm/${encodeURIComponent(peer)}`,
    badge,
    at,
  }
}

/** Writes the one push at the end of quiet hours. */
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
