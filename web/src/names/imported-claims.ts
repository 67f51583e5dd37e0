// This file finds out which wallets imported people have here.

import type { ImportedClaim } from '@parley/sdk'
import { importedFrom } from '@parley/sdk/imported.ts'
import { useQuery } from '@tanstack/react-query'
import { cache, client } from '../service/api.ts'
import { useAccount } from '../service/session.ts'
import { askTogether } from './ask-together.ts'

const ask = askTogether(50, async (addresses) => {
  const claims = await client.listImportedClaims({ query: { addresses: addresses.join(' ') } })
  return new Map(claims.map((claim) => [claim.address, claim]))
})

/** Reads again who an imported person is, and which ones the reader was. */
export function readClaimsAgain(address?: string): void {
  void cache.invalidateQueries({
    queryKey: ['listImportedClaims', ...(address === undefined ? [] : [address])],
  })
  void cache.invalidateQueries({ queryKey: ['listOwnImported'] })
}

/** Returns which wallet an imported person has here; undefined for one without, and for wallets. */
export function useClaim(address: string): ImportedClaim | undefined {
  const isSignedIn = useAccount() !== null
  const { data } = useQuery({
    queryKey: ['listImportedClaims', address],
    queryFn: async () => (await ask(address)) ?? null,
    // An event says that it has changed, and may be missed without a connection: a page that is looked at reads it again.
    refetchOnWindowFocus: true,
    enabled: isSignedIn && importedFrom(address) !== undefined,
  })
  return data ?? undefined
}
