// A link to a wallet or a community shows this to anyone who follows it, without signing in: the page for a visitor, and the
// preview that other messengers show for the link. It shows only what anybody may know: a name beside its address, or the name
// of a community as the link has it. It is the same whether there is such a community or not, so nothing that is closed shows.

import type { Invitation } from '../../http/page-meta.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { parseSlug } from '../../values/display-name.ts'
import { canonicalAddress, isAddress, isEvmAddress } from '../../values/formats.ts'
import { foldName } from '../../values/skeleton.ts'

/** Returns what the path of a page invites to; undefined when it is no such link. */
export async function findInvitation({ db }: { db: Db }, pathname: string): Promise<Invitation | undefined> {
  const [, kind, encoded = '', rest] = pathname.split('/')
  const text = rest ? undefined : decodeURIComponent(encoded)
  if (!text || text.length > 128) return undefined
  if (kind === 'dm') return findWallet(db, text)
  return kind === 'c' && isAddress(text) && !('problem' in parseSlug(text))
    ? { kind: 'community', name: text }
    : undefined
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
