import type { ChainFacts, Trust } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'

/** Milliseconds after which it is asked again while the service asks the chains, and how often at most. */
const soon = 3_000
const mostTimes = 10

/** What the service knows of a wallet; undefined until it is read. */
export function useTrust(peer: string): Trust | undefined {
  const { data } = useQuery({
    ...query('getTrust', { peer }),
    refetchInterval: ({ state }) =>
      state.data?.[0]?.checking && state.dataUpdateCount < mostTimes ? soon : false,
  })
  return data?.[0]
}

const names: Record<string, string> = {
  1: 'Ethereum',
  10: 'Optimism',
  56: 'BNB Chain',
  100: 'Gnosis',
  137: 'Polygon',
  324: 'ZKsync Era',
  8453: 'Base',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
  59144: 'Linea',
}

export const chainName = (id: string): string => names[id] ?? `Chain ${id}`

const sent: Record<ChainFacts['transactions'], string> = {
  '0': 'It has sent no transaction',
  '1-9': 'It has sent 1 to 9 transactions',
  '10-99': 'It has sent 10 to 99 transactions',
  '100+': 'It has sent 100 transactions or more',
}

/** What a chain knows, in sentences. */
export const sentencesOf = ({ name, is_contract, transactions }: ChainFacts): string[] => [
  ...(name ? [`Its name is ${name}.`] : []),
  `${is_contract ? 'There is code at this address, as of a smart wallet. ' : ''}${sent[transactions]}.`,
]

/** How its first contacts went, in a sentence. */
export const howContactsWent: Record<NonNullable<Trust['first_contacts']>, string> = {
  most: 'Most wallets that it wrote to first in the last 30 days have written back.',
  some: 'Some of the wallets that it wrote to first in the last 30 days have written back.',
  hardly_any: 'Hardly any wallet that it wrote to first in the last 30 days has written back.',
}

const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

/** Since when the wallet is here, as a sentence. */
export function sinceWhen({ first_seen, erased }: Trust): string {
  if (erased) return 'It has erased its account here.'
  if (!first_seen) return 'It has not signed in here yet.'
  const [year, number] = first_seen.split('-').map(Number)
  return `Signed in here first in ${month.format(new Date(year!, number! - 1))}.`
}
