import type { ChainFacts, Trust } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'

/** While the service queries the chains, the page polls after these milliseconds, within a limit of polls. */
const soon = 3_000
const mostTimes = 10

/** Returns what the service knows about a wallet; undefined until it is read. */
export function useTrust(peer: string): Trust | undefined {
  const { data } = useQuery({
    ...query('getTrust', { peer }),
    refetchInterval: ({ state }) =>
      state.data?.[0]?.checking && state.dataUpdateCount < mostTimes ? soon : false,
  })
  return data?.[0]
}

const sent: Record<ChainFacts['transactions'], string> = {
  '0': 'No transactions',
  '1-9': '1–9 transactions',
  '10-99': '10–99 transactions',
  '100+': '100 or more transactions',
}

/** Returns what a chain knows, in sentences. */
export const sentencesOf = ({ name, is_contract, transactions }: ChainFacts): string[] => [
  ...(name ? [`Named ${name}.`] : []),
  `${is_contract ? 'Smart wallet. ' : ''}${sent[transactions]}.`,
]

/** A sentence describes how its first contacts went. */
export const howContactsWent: Record<NonNullable<Trust['first_contacts']>, string> = {
  most: 'Most people they wrote to first in the last 30 days wrote back.',
  some: 'Some people they wrote to first in the last 30 days wrote back.',
  hardly_any: 'Few people they wrote to first in the last 30 days wrote back.',
}

const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

/** Returns since when the wallet is here, as a sentence. */
export function sinceWhen({ first_seen, erased }: Trust): string {
  if (erased) return 'They erased their account here.'
  if (!first_seen) return 'Never signed in here.'
  const [year, number] = first_seen.split('-').map(Number)
  return `On ${location.host} since ${month.format(new Date(year!, number! - 1))}.`
}
