// These are the names of wallets in ENS, which the service reads in the background. They are shown beside names, never
// in place of one.

import type { ChainName } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'
import { useLater } from '../service/later.ts'
import { useAccount } from '../service/session.ts'
import { isEvmAddress } from '../seal/address.ts'
import { askTogether } from './ask-together.ts'

const long = 10 * 60_000
/** While the service asks the chains, the page reads again after these milliseconds, within a limit of reads. */
const soon = 3_000
const mostTimes = 8

const ask = askTogether(50, async (addresses) => {
  const names = await client.listChainNames({ query: { addresses: addresses.join(' ') } })
  return new Map(names.map((one) => [one.address, one]))
})

/** A name in ENS with the chain on which the wallet has it. */
export type NameInEns = ChainName & { name: string; chain: number }

const keyOf = (address: string) => ['listChainNames', address.toLowerCase()]

const named = (known: ChainName | null | undefined): NameInEns | undefined =>
  known?.name !== undefined && known.chain !== undefined
    ? { ...known, name: known.name, chain: known.chain }
    : undefined

/** Returns the name of a wallet in ENS; undefined while none is known. It is read after what is shown first. */
export function useChainName(address: string): NameInEns | undefined {
  const isSignedIn = useAccount() !== null
  const isLater = useLater()
  const mayRead = isSignedIn && isLater && isEvmAddress(address)
  const { data: info } = useQuery({
    ...query('getServiceInfo'),
    staleTime: Infinity,
    enabled: mayRead,
  })
  const { data } = useQuery({
    queryKey: keyOf(address),
    queryFn: async () => (await ask(address.toLowerCase())) ?? null,
    staleTime: long,
    refetchInterval: ({ state }) =>
      state.data?.checking && state.dataUpdateCount < mostTimes ? soon : false,
    refetchOnWindowFocus: false,
    enabled: mayRead && info?.chains.includes(1) === true,
  })
  return named(data)
}

/** Returns the name of a wallet in ENS that was read already. */
export const knownChainName = (address: string): string | undefined =>
  cache.getQueryData<ChainName | null>(keyOf(address))?.name
