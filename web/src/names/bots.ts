// Which wallets are bots. The wallets that come into view are asked about together, fifty at a time; the service answers
// from memory.

import { useQuery } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { useAccount } from '../service/session.ts'
import { isEvmAddress } from '../ui/address.ts'

const mostAsked = 50
const long = 10 * 60_000

let waiting: { addresses: Set<string>; answer: Promise<ReadonlySet<string>> } | undefined

/** Whether a wallet is a bot, asked together with all that are asked about in the same moment. */
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

/** Whether a wallet is a bot, as far as it is known. */
export function useIsBot(address: string): boolean {
  const isSignedIn = useAccount() !== null
  const { data } = useQuery({
    queryKey: ['listBots', address],
    queryFn: () => ask(isEvmAddress(address) ? address.toLowerCase() : address),
    staleTime: long,
    refetchOnWindowFocus: false,
    enabled: isSignedIn,
  })
  return data ?? false
}
