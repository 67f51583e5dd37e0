// What a link to a wallet or a community shows to anyone who follows it, without signing in: the page for
// a visitor, and the preview that other messengers show of the link. Only what anybody may know: a
// name beside its address, or the name of a community that exists and was not taken down.

import type { Standing } from '../../auth/standing.ts'
import type { Invitation } from '../../http/page.ts'
import type { Db } from '../../db/pool.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'
import { canonicalAddress, isAddress, isEvmAddress } from '../../values/formats.ts'
import { foldName } from '../../values/skeleton.ts'

/** What the path of a page invites to; undefined when it is no such link. */
export async function findInvitation(
  { db, standing }: { db: Db; standing: Pick<Standing, 'sanction'> },
  pathname: string,
): Promise<Invitation | undefined> {
  const [, kind, encoded = '', rest] = pathname.split('/')
  const text = rest ? undefined : decodeURIComponent(encoded)
  if (!text || text.length > 128) return undefined
  if (kind === 'dm') return findWallet(db, text)
  if (kind === 'c' && !standing.sanction(chatKey(text), 'takedown')) return findCommunity(db, text)
  return undefined
}

async function findWallet(db: Db, text: string): Promise<Invitation | undefined> {
  const address = canonicalAddress(text)
  const [own] = isAddress(address)
    ? await db.query<{ name: string }>('select name from names where wbucket = $1 and address = $2', [
        walletBucket(address),
        address,
      ])
    : []
  if (own || isEvmAddress(address)) return { kind: 'wallet', address, name: own?.name ?? '' }
  const [named] = await db.query<{ address: string; name: string }>(
    'select address, name from names where folded = $1 limit 1',
    [foldName(text)],
  )
  return named && { kind: 'wallet', ...named }
}

async function findCommunity(db: Db, text: string): Promise<Invitation | undefined> {
  const chat = chatKey(text)
  const [found] = await db.query<{ community: string }>(
    'select community from communities where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  return found && { kind: 'community', name: found.community }
}
