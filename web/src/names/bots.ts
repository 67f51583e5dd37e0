// This file finds out which wallets are bots. One request is for the wallets that come into view together, at most
// fifty; the service responds from memory.

import { useQuery } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { useLater } from '../service/later.ts'
import { useAccount } from '../service/session.ts'
import { isEvmAddress } from '../seal/address.ts'

const mostAsked = 50
const long = 10 * 60_000

let waiting: { addresses: Set<string>; answer: Promise<ReadonlySet<string>> } | undefined

/** Returns true when a wallet is a bot; calls at the same moment share a request. */
async function ask(address: string): Promise<boolean> {
  if (!waiting || waiting.addresses.size >= mostAsked) {
    const addresses = new Set<string>()
    waiting = { addresses, answer: moment().then(() => read(addresses)) }
  }
  waiting.addresses.add(address)
  return (await waiting.answer).has(address)
}

async function read(addresses: Set<string>): Promise<ReadonlySet<string>> {
  if (waiting?.addresses === addresses) waiting = undefined
  return new Set(await client.listBots({ query: { addresses: [...addresses].join(' ') } }))
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Returns true when a wallet is known to be a bot. One that may wait is read after what is shown first. */
export function useIsBot(address: string, mayWait = false): boolean {
  const isSignedIn = useAccount() !== null
  const isLater = useLater()
  const { data } = useQuery({
    queryKey: ['listBots', address],
    queryFn: () => ask(isEvmAddress(address) ? address.toLowerCase() : address),
    staleTime: long,
    refetchOnWindowFocus: false,
    enabled: isSignedIn && (isLater || !mayWait),
  })
  return data ?? false
}
