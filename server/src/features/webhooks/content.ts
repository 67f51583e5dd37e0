// This is the content of a delivery, read when it is sent: nothing that its wallet has muted, blocked or left by then
// (messages/notification-policy.ts), and only chats that it may read at that moment. Texts are not stored with deliveries.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { isBanned } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { hour } from '../../lib/times.ts'
import { decide, defaults, type Facts } from '../../messages/notification-policy.ts'
import { chatTitle } from '../../messages/chat-title.ts'
import { getSide, isChatMuted } from '../../messages/consent.ts'
import { findConversation } from '../../messages/message-place.ts'
import { chatBucket } from '../../values/bucket.ts'
import type { Delivery } from './deliveries.ts'

/** The part of a delivery that its type decides. */
export type Data = Record<string, string | number>

/** `gone`: drop it. `unknown`: retry, a chain has not answered yet. */
type Content = Data | 'gone' | 'unknown'

/** A chat about which nothing is known for this long is closed. */
const patience = hour

/** The maximum number of bytes of a command that are sent after its word. */
const mostOfCommand = 4096

export async function contentOf(ctx: Context, wallet: string, delivery: Delivery): Promise<Content> {
  const { id, event, peer, chat, about } = delivery
  if (event === 'test') return { walletaddr: wallet }
  if (chat !== null) return contentOfChat(ctx, wallet, { ...delivery, chat })
  const { db } = ctx
  const [side, muted] = [await getSide(db, wallet, peer), await isPeerMuted(db, wallet, peer)]
  if (!mayNotify(ctx, wallet, { about: 'conversation', ...ofProgram, ...side, muted })) return 'gone'
  if (event === 'message.edited' && !(about !== null && (await findConversation(db, wallet, about))))
    return 'gone'
  if (event !== 'message.deleted' && event !== 'message.edited') return { id, fromaddr: peer, toaddr: wallet }
  return { ...(about !== null && { id: about }), fromaddr: peer, toaddr: wallet }
}

/** A program is notified also about what was read, and about everything that its webhook names, whoever writes. */
const ofProgram = { unread: 1, takesAll: true, mentioned: false, everyPost: true }

const mayNotify = ({ db, standing }: Context, wallet: string, facts: Facts) =>
  decide(facts, { ...defaults, banned: isBanned(standing, wallet) }, 'webhook', db.now()).notify === 'now'

type OfChat = Delivery & { chat: string }

async function contentOfChat(ctx: Context, wallet: string, delivery: OfChat): Promise<Content> {
  const { db } = ctx
  const { chat } = delivery
  const state = await findState(db, wallet, delivery)
  if (!state) return 'gone'
  const facts = await factsOfChat(db, wallet, delivery, state)
  // The chain is queried last, and only about what nothing else refuses.
  if (!mayNotify(ctx, wallet, { ...facts, closed: false })) return 'gone'
  const access = await accessTo(ctx, chat, wallet)
  if (access === 'unknown' && db.now() - delivery.ms < patience) return 'unknown'
  if (!mayNotify(ctx, wallet, { ...facts, closed: access !== 'open' })) return 'gone'
  return dataOf(delivery, state)
}

async function factsOfChat(db: Db, wallet: string, { event, chat, peer }: OfChat, { joined, role }: State) {
  if (event === 'member.joined') return { about: 'members', moderates: role !== null } as const
  const [{ blocked }, muted] = [await getSide(db, wallet, peer), await isChatMuted(db, wallet, chat)]
  return { about: 'chat', ...ofProgram, joined, muted, blocked } as const
}

function dataOf({ id, event, peer, about }: OfChat, { nftaddr, title, message }: State): Content {
  const of = { fromaddr: peer, nftaddr, ...(title !== nftaddr && { title }) }
  if (event === 'member.joined') return { id, ...of }
  if (event === 'message.deleted') return about === null ? 'gone' : { id: about, ...of }
  if (event === 'message.edited') return about === null || message === null ? 'gone' : { id: about, ...of }
  // It was removed meanwhile, or retention has deleted it.
  if (message === null) return 'gone'
  if (event !== 'command') return { id, ...of }
  const [, word = '', text = ''] = /^\/([a-z0-9_-]+)\s?(.*)$/s.exec(message) ?? []
  return { id, ...of, word, text: firstBytes(text, mostOfCommand) }
}

/** Returns the beginning of a text, cut between two characters. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}

async function accessTo({ gate }: Context, chat: string, wallet: string) {
  try {
    await gate.require(chat, wallet)
    return 'open'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'forbidden' ? 'closed' : 'unknown'
  }
}

interface State {
  nftaddr: string
  title: string
  joined: boolean
  role: string | null
  /** The text of the post; null when it is not there. */
  message: string | null
}

/** Returns the state of a chat that counts for a wallet; undefined when there is no such chat any more. */
async function findState(
  db: Db,
  wallet: string,
  { chat, id, event, about }: OfChat,
): Promise<State | undefined> {
  const [state] = await db.query<State>(
    `select c.nftaddr, ${chatTitle('$1')} as title, coalesce(v.joined, false) as joined, r.role, m.message
     from group_chats c
     left join group_visits v on v.bucket = c.bucket and v.chat = c.chat and v.walletaddr = $3
     left join chat_roles r on r.bucket = c.bucket and r.chat = c.chat and r.walletaddr = $3
     left join group_messages m on m.bucket = c.bucket and m.chat = c.chat and m.id = $4 and m.removed_by is null
     where c.bucket = $1 and c.chat = $2`,
    [chatBucket(chat), chat, wallet, event === 'message.edited' ? about : id],
  )
  return state
}

async function isPeerMuted(db: Db, wallet: string, peer: string): Promise<boolean> {
  const [row] = await db.query<{ muted: boolean }>(
    `select coalesce(muted_until_ms, 0) > $4 as muted from contacts where ${ofWallet} and peer = $3`,
    keyOf(wallet, peer, db.now()),
  )
  return row?.muted ?? false
}
