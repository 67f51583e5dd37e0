// This module finds known wallets of the caller with which another one could be confused. Address poisoning: somebody makes an
// address that begins and ends like one that its victim writes to, and hopes that the victim reads only these digits.

import { mostLookAlikes, type Trust } from '@parley/sdk/contract/trust.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { isEvmAddress } from '../../values/formats.ts'

// Both parts use the index of their end. The beginning of an address is 0x and four digits. A wallet is known that was written to
// or accepted: a stranger does not become known by writing.
const peersLike = `
  select address from (
    select b as address from conversations where a = $1 and state_a = 1
    union all select a from conversations where b = $1 and state_b = 1
    union all select $1
  ) known
  where address <> $2 and left(address, 6) = left($2, 6) and right(address, 4) = right($2, 4) and length(address) = 42
  order by address limit ${mostLookAlikes}`

const named = `
  select peer as address from contacts
  where ${ofWallet} and peer <> $3 and lower(alias) = lower($4) order by peer limit ${mostLookAlikes}`

/**
 * Returns the wallets that a wallet knows, itself among them, with which another one could be confused: by its
 * address, or by its name.
 */
export async function findLookAlikes(
  db: Db,
  wallet: string,
  { address, name }: { address: string; name: string },
): Promise<Trust['looks_like']> {
  const [digits, names] = await Promise.all([
    isEvmAddress(address) ? db.query<{ address: string }>(peersLike, [wallet, address]) : [],
    name ? db.query<{ address: string }>(named, keyOf(wallet, address, name)) : [],
  ])
  return [
    ...digits.map((row) => ({ address: row.address, why: 'digits' as const })),
    ...names.map((row) => ({ address: row.address, why: 'name' as const })),
  ]
}
