import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Db } from '../db/pool.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import { type Chat, chatKey, communityOf, isNftKey, isRoom } from './chat-key.ts'
import { chatBucket } from '../values/bucket.ts'
import type { Who } from '../limits/concurrency.ts'
import type { Quotas } from '../limits/quotas.ts'
import { eventJson } from './events.ts'
import type { Gate } from './gate.ts'
import { findPlace } from './rooms.ts'

/**
 * Returns the chat in which a wallet wants to read or post: a community, a room of one, or an NFT chat whose gate lets the wallet
 * in. Anything else is 404.
 */
export async function requireChat(
  ctx: { db: Db; gate: Gate },
  nftaddr: string,
  wallet: string,
): Promise<Chat> {
  const chat = chatKey(nftaddr)
  const place = await findPlace(ctx.db, chat)
  if (place && (place.kind || !isRoom(chat))) {
    await ctx.gate.require(chat, wallet)
    return {
      chat,
      nftaddr: place.community + chat.slice(communityOf(chat).length),
      context_type: 'community',
      isNews: place.kind === 'news',
      isArchived: place.archived,
    }
  }
  if (isNftKey(nftaddr)) {
    await ctx.gate.require(chat, wallet)
    return { chat, nftaddr, context_type: 'nft' }
  }
  throw new ApiError(
    'not_found',
    'There is no such chat: nftaddr must be an NFT contract, the name of a community that exists, or <community>/<room>.',
  )
}

/** Returns the key of a chat as people see it, when the wallet has joined it. */
export async function findJoinedChat(db: Db, wallet: string, nftaddr: string): Promise<string | undefined> {
  const chat = chatKey(nftaddr)
  // A row exists for each chat that was ever joined.
  const [known] = await db.query<{ nftaddr: string }>(
    `select c.nftaddr from group_visits v join group_chats c on c.bucket = v.bucket and c.chat = v.chat
     where v.bucket = $1 and v.chat = $2 and v.walletaddr = $3 and v.joined`,
    [chatBucket(chat), chat, wallet],
  )
  return known?.nftaddr
}

/** Returns the keys of the chats that a wallet has joined. */
export async function findJoinedChats(db: Db, wallet: string): Promise<string[]> {
  const rows = await db.query<{ chat: string }>(`select chat from bookmarks where ${ofWallet}`, keyOf(wallet))
  return rows.map(({ chat }) => chat)
}

/** Returns the joined chats that a wallet may not read. */
export const findClosedChats = async (
  { db, gate }: { db: Db; gate: Gate },
  wallet: string,
): Promise<string[]> =>
  gate.concerns(wallet) ? gate.closedTo(wallet, await findJoinedChats(db, wallet)) : []

/** Selects the visits of chats of one bucket by a wallet: $1 is the bucket, $2 the chats, $3 the wallet. */
export const ofVisits = 'bucket = $1 and chat = any($2) and walletaddr = $3'

export const lockVisits = (tx: Db, of: unknown[]) =>
  tx.query(`select chat from group_visits where ${ofVisits} order by chat for update`, of)

/**
 * Stores that a wallet has entered a chat: everything posted so far counts as read. Returns the id of the last message that now
 * counts as read: the caller must not show later ones, which would be shown and still count as unread. A wallet that has used up
 * its daily changes reads without entering.
 */
export async function enterChat(
  {
    db,
    events,
    quotas,
  }: { db: Db; events: { poke: () => void }; quotas: Pick<Quotas, 'hasLeft' | 'countUsed'> },
  wallet: string,
  { chat, nftaddr }: Chat,
  who: Who | null,
): Promise<number> {
  if (!quotas.hasLeft('changes', who)) return Number.MAX_SAFE_INTEGER
  const event = eventJson({ type: 'inbox', change: 'entered', nftaddr })
  const [entry] = await db.query<{ last_id: number; moved: boolean }>(
    'select last_id, moved from enter_chat_v1($1, $2, $3, $4, $5, $6)',
    [db.now(), chatBucket(chat), chat, ...keyOf(wallet), event],
  )
  if (entry!.moved) {
    quotas.countUsed('changes', who)
    events.poke()
  }
  return entry!.last_id
}
