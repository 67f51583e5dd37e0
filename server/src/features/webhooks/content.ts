// What a delivery says, looked up when it is told: nothing of whom or what its wallet has silenced by then (messages/telling.ts), and
// of a chat only what it may read at that moment. Texts are not kept with deliveries.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { isBanned } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { silenceOf, silenceOfChat } from '../../messages/telling.ts'
import { chatBucket, inOrder, pairBucket, walletBucket } from '../../values/bucket.ts'
import type { Delivery } from './deliveries.ts'

/** The part of a delivery that its type decides. */
export type Data = Record<string, string | number>

/** `gone` is never told; `unknown` may be later, when a chain answers. */
type Content = Data | 'gone' | 'unknown'

/** A chat of which nothing is known for so long is closed. */
const patience = 3_600_000

/** How much of a command is told: bytes of what stands after its word. */
const mostOfCommand = 4096

export async function contentOf(ctx: Context, wallet: string, delivery: Delivery): Promise<Content> {
  const { id, event, peer, chat, about } = delivery
  if (event === 'test') return { walletaddr: wallet }
  if (chat !== null) return contentOfChat(ctx, wallet, { ...delivery, chat })
  const { db } = ctx
  const facts = { ...(await findSide(db, wallet, peer)), muted: await isPeerMuted(db, wallet, peer) }
  if (silenceOf(facts, { banned: isBanned(ctx.standing, wallet) })) return 'gone'
  if (event !== 'message.deleted') return { id, fromaddr: peer, toaddr: wallet }
  return { ...(about !== null && { id: about }), fromaddr: peer, toaddr: wallet }
}

type OfChat = Delivery & { chat: string }

async function contentOfChat(ctx: Context, wallet: string, delivery: OfChat): Promise<Content> {
  const { event, peer, chat } = delivery
  const state = await findState(ctx.db, wallet, delivery)
  if (!state) return 'gone'
  const isOfModerators = event === 'member.joined'
  const { db } = ctx
  const facts = { joined: state.joined, muted: await isChatMuted(db, wallet, chat), closed: false }
  const silence = silenceOfChat(facts, { banned: isBanned(ctx.standing, wallet) })
  if (isOfModerators ? state.role === null || silence === 'banned' : silence) return 'gone'
  const access = await accessTo(ctx, chat, wallet)
  if (access === 'unknown' && ctx.db.now() - delivery.ms < patience) return 'unknown'
  if (access !== 'open') return 'gone'
  if (!isOfModerators && (await findSide(db, wallet, peer)).blocked) return 'gone'
  return toldOf(delivery, state)
}

function toldOf({ id, event, peer, about }: OfChat, { nftaddr, message }: State): Content {
  const of = { fromaddr: peer, nftaddr }
  if (event === 'member.joined') return { id, ...of }
  if (event === 'message.deleted') return about === null ? 'gone' : { id: about, ...of }
  // It was removed meanwhile, or retention has deleted it.
  if (message === null) return 'gone'
  if (event !== 'command') return { id, ...of }
  const [, word = '', text = ''] = /^\/([a-z0-9_-]+)\s?(.*)$/s.exec(message) ?? []
  return { id, ...of, word, text: firstBytes(text, mostOfCommand) }
}

/** The beginning of a text, cut between two characters. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}

async function accessTo({ gate, standing }: Context, chat: string, wallet: string) {
  if (isBanned(standing, wallet)) return 'closed'
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
  joined: boolean
  role: string | null
  /** Of the post; null when it is not there. */
  message: string | null
}

/** What counts of a chat for a wallet; undefined when there is no such chat any more. */
async function findState(db: Db, wallet: string, { chat, id }: OfChat): Promise<State | undefined> {
  const [state] = await db.query<State>(
    `select c.nftaddr, coalesce(v.joined, false) as joined, r.role, m.message
     from group_chats c
     left join group_visits v on v.bucket = c.bucket and v.chat = c.chat and v.walletaddr = $3
     left join chat_roles r on r.bucket = c.bucket and r.chat = c.chat and r.walletaddr = $3
     left join group_messages m on m.bucket = c.bucket and m.chat = c.chat and m.id = $4 and m.removed_by is null
     where c.bucket = $1 and c.chat = $2`,
    [chatBucket(chat), chat, wallet, id],
  )
  return state
}

/** What a wallet thinks of another. */
async function findSide(db: Db, wallet: string, peer: string) {
  const [side] = await db.query<{ state: number; blocked: boolean }>(
    `select case when a = $4 then state_a else state_b end as state, case when a = $4 then blocked_a else blocked_b end as blocked
     from conversations where bucket = $1 and a = $2 and b = $3`,
    [pairBucket(wallet, peer), ...inOrder(wallet, peer), wallet],
  )
  return side ?? { state: 0, blocked: false }
}

async function isPeerMuted(db: Db, wallet: string, peer: string): Promise<boolean> {
  const [row] = await db.query<{ muted: boolean }>(
    `select coalesce(muted_until_ms, 0) > $4 as muted from contacts where wbucket = $1 and walletaddr = $2 and peer = $3`,
    [walletBucket(wallet), wallet, peer, db.now()],
  )
  return row?.muted ?? false
}

async function isChatMuted(db: Db, wallet: string, chat: string): Promise<boolean> {
  const [row] = await db.query<{ muted: boolean }>(
    `select coalesce(muted_until_ms, 0) > $4 as muted from bookmarks where wbucket = $1 and walletaddr = $2 and chat = $3`,
    [walletBucket(wallet), wallet, chat, db.now()],
  )
  return row?.muted ?? false
}
