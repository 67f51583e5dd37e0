// A link to a wallet or a community shows this to anyone who follows it, without signing in: the page for a visitor, and the
// preview that other messengers show for the link. It shows only what anybody may know: a name beside its address, or the name of
// a community that exists and was not taken down.

import type { Standing } from '../../auth/standing.ts'
import type { Invitation } from '../../http/page-meta.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { findUnseenCommunities } from '../../messages/unseen.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { chatBucket } from '../../values/bucket.ts'
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
  if (kind !== 'c' || ctx.standing.sanction(chat, 'takedown')) return undefined
  return (await findUnseenCommunities(ctx, null)).includes(chat) ? undefined : findCommunity(ctx.db, chat)
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
  const [found] = await db.query<{ community: string }>(
    'select community from communities where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  return found && { kind: 'community', name: found.community }
}
