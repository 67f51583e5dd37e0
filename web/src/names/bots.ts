// This file finds out which wallets are bots. The service responds from memory.

import { useQuery } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { useLater } from '../service/later.ts'
import { useAccount } from '../service/session.ts'
import { isEvmAddress } from '../seal/address.ts'
import { askTogether } from './ask-together.ts'

const long = 10 * 60_000

const ask = askTogether(50, async (addresses) => {
  const bots = await client.listBots({ query: { addresses: addresses.join(' ') } })
  return new Map(bots.map((address) => [address, true]))
})

/** Returns true when a wallet is known to be a bot. One that may wait is read after what is shown first. */
export function useIsBot(address: string, mayWait = false): boolean {
  const isSignedIn = useAccount() !== null
  const isLater = useLater()
  const { data } = useQuery({
    queryKey: ['listBots', address],
    queryFn: async () => (await ask(isEvmAddress(address) ? address.toLowerCase() : address)) ?? false,
    staleTime: long,
    refetchOnWindowFocus: false,
    enabled: isSignedIn && (isLater || !mayWait),
  })
  return data ?? false
}
