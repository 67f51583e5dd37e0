// This module finds the reactions of others to a message of a wallet, for a push about them. The push names no text of the message.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Subject } from '../../jobs/tasks.ts'
import { day } from '../../lib/times.ts'
import type { ReactionFacts } from '../../messages/notification-policy.ts'
import { chatPath } from '../../messages/chat-path.ts'
import { chatTitle, shortTitle } from '../../messages/chat-title.ts'
import { getSide, isChatMuted } from '../../messages/consent.ts'
import { erasedBy, nameOf } from '../../messages/shared-sql.ts'
import { bucketOfId } from '../../values/bucket.ts'
import { shortAddress } from '../../values/short-address.ts'
import { type Push, type Secret, tagOf } from './push-content.ts'

/** The number of newest reactions that are counted. */
const mostReactions = 100

type OfReaction = Extract<Subject, { reaction: number }>

interface Reaction {
  walletaddr: string
  vals: string[]
  added_ms: number
  name: string
}

/** Describes where the message is. */
interface Place {
  path: string
  /** The name of the chat; undefined in a conversation. */
  title: string | undefined
  encrypted: boolean
  joined: boolean
  muted: boolean
}

export interface Reactions extends ReactionFacts, Pick<Place, 'path' | 'title' | 'encrypted'> {
  /** The newest one, of those that count. */
  latest: Reaction | undefined
  /** The time of the newest one; 0 when there is none. */
  newest: number
}

/** Returns who has reacted in the last day to a message of a wallet; undefined where the wallet has no such message. */
export async function findReactions(
  { db, gate }: Pick<Context, 'db' | 'gate'>,
  wallet: string,
  { reaction: id, to }: OfReaction,
): Promise<Reactions | undefined> {
  const place =
    'peer' in to ? await inConversation(db, wallet, to.peer, id) : await inChat(db, wallet, to.chat, id)
  if (!place) return undefined
  const all = await db.query<Reaction>(
    `select r.walletaddr, r.vals, r.added_ms, ${nameOf('r.walletaddr')} as name from reactions r
     where r.bucket = $1 and r.item_id = $2 and r.walletaddr <> $3 and not r.unseen and r.added_ms > $4
     order by r.added_ms desc limit ${mostReactions}`,
    [bucketOfId(id), id, wallet, db.now() - day],
  )
  const others = all.map(({ walletaddr }) => walletaddr)
  const unheard = await findUnheard(db, wallet, others)
  const heard = all.filter(({ walletaddr }) => !unheard.has(walletaddr))
  const isClosed = async (chat: string) => (await gate.closedTo(wallet, [chat])).length > 0
  return {
    about: 'reaction',
    ...place,
    reactors: heard.length,
    closed: 'chat' in to && heard.length > 0 && (await isClosed(to.chat)),
    latest: heard[0],
    newest: heard[0]?.added_ms ?? 0,
  }
}

/** Returns which of some wallets a wallet has blocked, ignored or muted. */
async function findUnheard(db: Db, wallet: string, others: string[]): Promise<Set<string>> {
  if (others.length === 0) return new Set()
  const sides = await Promise.all(
    others.map(async (peer) => ({ peer, ...(await getSide(db, wallet, peer)) })),
  )
  const muted = await db.query<{ peer: string }>(
    `select peer from contacts where ${ofWallet} and peer = any($3::text[]) and muted_until_ms > $4`,
    keyOf(wallet, others, db.now()),
  )
  const unheard = [...sides.filter(({ blocked, state }) => blocked || state === 2), ...muted]
  return new Set(unheard.map(({ peer }) => peer))
}

async function inConversation(db: Db, wallet: string, peer: string, id: number): Promise<Place | undefined> {
  const [message] = await db.query<{ encrypted: boolean }>(
    `select m.encrypted_sym_x_key is not null as encrypted from direct_messages m
     join conversations c on c.bucket = $1 and c.id = m.conversation_id and m.id > ${erasedBy('$3')}
     where m.bucket = $1 and m.id = $2 and m.fromaddr = $3 and m.toaddr = $4 and not m.hidden_from_sender`,
    [bucketOfId(id), id, wallet, peer],
  )
  const path = `/dm/${encodeURIComponent(peer)}`
  return message && { ...message, path, title: undefined, joined: true, muted: false }
}

async function inChat(db: Db, wallet: string, chat: string, id: number): Promise<Place | undefined> {
  const [post] = await db.query<{ nftaddr: string; title: string; isCommunity: boolean; joined: boolean }>(
    `select c.nftaddr, ${chatTitle('$1')} as title, c.context_type = 'community' as "isCommunity", coalesce(v.joined, false) as joined
     from group_messages m join group_chats c on c.bucket = $1 and c.chat = $2
     left join group_visits v on v.bucket = $1 and v.chat = $2 and v.walletaddr = $4
     where m.bucket = $1 and m.chat = $2 and m.id = $3 and m.fromaddr = $4 and m.removed_by is null`,
    [bucketOfId(id), chat, id, wallet],
  )
  if (!post) return undefined
  const { nftaddr, title, isCommunity, joined } = post
  return {
    path: chatPath({ nftaddr, isCommunity }),
    title: shortTitle({ title, isCommunity }),
    encrypted: false,
    joined,
    muted: await isChatMuted(db, wallet, chat),
  }
}

/** Writes the push about reactions to a message; one of the same conversation or chat replaces it. */
export function reactionPush(
  config: Secret,
  wallet: string,
  { path, title, encrypted, reactors, latest, newest }: Reactions,
  preview: NotificationRules['preview'],
  badge: number,
): Push {
  const { name, walletaddr, vals } = latest!
  const who = name || shortAddress(walletaddr)
  const others = reactors === 2 ? ' and 1 other' : reactors > 2 ? ` and ${reactors - 1} others` : ''
  const isShown = preview === 'text' && !encrypted && reactors === 1
  const did = `eacted${isShown ? ` ${vals.join(' ')}` : ''} to your message`
  const said = title === undefined ? `R${did}` : `${who}${others} r${did}`
  return {
    v: 1,
    kind: 'reaction',
    title: preview === 'none' ? 'Parley' : (title ?? who),
    body: preview === 'none' ? 'New reaction' : said,
    tag: tagOf(config, [wallet, 'reactions', path].join(' ')),
    url: path,
    badge,
    at: newest,
  }
}
