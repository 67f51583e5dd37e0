// Says which chats an owner may download, and how often.

import { exportsOfDay } from '@parley/sdk/contract/moving.ts'
import type { Context } from '../../context.ts'
import { slidingWindow } from '../../limits/sliding-window.ts'
import { tooMany } from '../../limits/too-many.ts'
import { requireExistingChat } from '../../messages/chat-access.ts'
import { requireRole } from '../../messages/require-role.ts'
import { chatBucket } from '../../values/bucket.ts'
import type { ArchivedChat } from './archive.ts'

/** Returns a chat that the wallet owns, and its rooms. What is closed to the wallet is left out; others are 403. */
export async function findOwnChats(ctx: Context, name: string, wallet: string): Promise<ArchivedChat[]> {
  const { chat, nftaddr } = await requireExistingChat(ctx.db, name)
  await requireRole(ctx, chat, wallet, 'owner')
  await ctx.gate.require(chat, wallet)
  const rooms = await ctx.db.query<{ chat: string }>(
    'select chat from rooms where bucket = $1 and parent = $2 order by position, chat',
    [chatBucket(chat), chat],
  )
  const keys = rooms.map((room) => room.chat)
  const closed = ctx.gate.concerns(wallet) ? await ctx.gate.closedTo(wallet, keys) : []
  const open = keys.filter((key) => !closed.includes(key))
  return [{ chat, nftaddr }, ...open.map((key) => ({ chat: key, nftaddr: nftaddr + key.slice(chat.length) }))]
}

const made = slidingWindow('chat_exports', 'made')
const limit = { most: exportsOfDay, seconds: 24 * 3600 }

/** Counts an export of a chat, or throws 429. */
export async function countExport({ db, config }: Context, chat: string): Promise<void> {
  if (!config.rateLimits || (await made.count(db, chat, limit))) return
  const wait = (await made.secondsToWait(db, chat, limit)) ?? 1
  throw tooMany(
    'chat-exports',
    `This chat was downloaded ${limit.most} times in a day. Try again in ${wait} s.`,
    wait,
  )
}

export const deleteExpiredExports = made.deleteExpired
