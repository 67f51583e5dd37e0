// Wallets that the caller knows, for which another one could be taken. Address poisoning: somebody
// makes an address that begins and ends like one that its victim writes to, and hopes that only these
// digits are looked at.

import type { Trust } from '@parley/sdk/contract/trust.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { isEvmAddress } from '../../values/formats.ts'

/** How many are told at most. */
const most = 5

// Both parts keep to the index of their end. The beginning of an address is 0x and four digits. Known is
// who was written to or accepted: a stranger does not become known by writing.
const peersLike = `
  select address from (
    select b as address from conversations where a = $1 and state_a = 1
    union all select a from conversations where b = $1 and state_b = 1
    union all select $1
  ) known
  where address <> $2 and left(address, 6) = left($2, 6) and right(address, 4) = right($2, 4) and length(address) = 42
  order by address limit ${most}`

const named = `
  select peer as address from contacts
  where wbucket = $1 and walletaddr = $2 and peer <> $3 and lower(alias) = lower($4) order by peer limit ${most}`

/**
 * The wallets that a wallet knows, itself among them, for which another one could be taken: by its
 * address, or by its name.
 */
export async function findLookAlikes(
  db: Db,
  wallet: string,
  { address, name }: { address: string; name: string },
): Promise<Trust['looks_like']> {
  const [digits, names] = await Promise.all([
    isEvmAddress(address) ? db.query<{ address: string }>(peersLike, [wallet, address]) : [],
    name ? db.query<{ address: string }>(named, [walletBucket(wallet), wallet, address, name]) : [],
  ])
  return [
    ...digits.map((row) => ({ address: row.address, why: 'digits' as const })),
    ...names.map((row) => ({ address: row.address, why: 'name' as const })),
  ]
}
