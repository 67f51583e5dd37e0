// A link to a wallet or a community shows this to anyone who follows it, without signing in: the page for a visitor, and the
// preview that other messengers show for the link. It shows only what anybody may know: a name beside its address, or the name of
// a community that exists and was not taken down.

import { type Standing, takedownOf } from '../../auth/standing.ts'
import type { Invitation } from '../../http/page-meta.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { findUnseenCommunities, findUnseenRooms } from '../../messages/unseen.ts'
import { chatKey, communityOf, isRoom } from '../../messages/chat-key.ts'
import { findPlace } from '../../messages/rooms.ts'
import { canonicalAddress, isAddress, isEvmAddress } from '../../values/formats.ts'
import { foldName } from '../../values/skeleton.ts'

/** Returns what the path of a page invites to; undefined when it is no such link. */
export async function findInvitation(
  ctx: { db: Db; standing: Pick<Standing, 'sanction' | 'subjectsOf'> },
  pathname: string,
): Promise<Invitation | undefined> {
  const [, kind, encoded = '', rest] = pathname.split('/')
  const text = rest ? undefined : decodeURIComponent(encoded)
  if (!text || text.length > 128) return undefined
  if (kind === 'dm') return findWallet(ctx.db, text)
  const chat = chatKey(text)
  if (kind !== 'c' || takedownOf(ctx.standing, chat)) return undefined
  const unseen = [...(await findUnseenCommunities(ctx, null)), ...(await findUnseenRooms(ctx, null))]
  return unseen.some((one) => one === chat || one === communityOf(chat))
    ? undefined
    : findCommunity(ctx.db, chat)
}

async function findWallet(db: Db, text: string): Promise<Invitation | undefined> {
  const address = canonicalAddress(text)
  const [own] = isAddress(address)
    ? await db.query<{ name: string }>(`select name from names where ${ofAddress}`, keyOf(address))
    : []
  if (own || isEvmAddress(address)) return { kind: 'wallet', address, name: own?.name ?? '' }
  const [named] = await db.query<{ address: string; name: string }>(
    'select address, name from names where folded = $1 limit 1',
    [foldName(text)],
  )
  return named && { kind: 'wallet', ...named }
}

async function findCommunity(db: Db, chat: string): Promise<Invitation | undefined> {
  const found = await findPlace(db, chat)
  if (!found || (isRoom(chat) && !found.kind)) return undefined
  return { kind: 'community', name: found.community + chat.slice(communityOf(chat).length) }
}
