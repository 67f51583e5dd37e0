// The client reads once who is on the team of the service, and shows the sign by this list alone: it follows the wallet, not the
// name.

import { claimsTeam, type TeamWords } from '@parley/sdk/claims/index.ts'
import type { ServiceEvent } from '@parley/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache, client } from '../service/api.ts'
import { useServiceInfo } from '../service/info.ts'
import { useLater } from '../service/later.ts'

const officialQuery = queryOptions({
  queryKey: ['listOfficial'],
  queryFn: () => client.listOfficial(),
  // An event says that it has changed, and may be missed without a connection: a page that is looked at reads it again.
  staleTime: 60_000,
  refetchInterval: 10 * 60_000,
  refetchOnWindowFocus: true,
})

/** Changes the list by an event. */
export function changeTeam({ wallet, label, since }: Extract<ServiceEvent, { type: 'official' }>): void {
  // A read that is under way may be older.
  if (cache.getQueryData(officialQuery.queryKey)) void cache.cancelQueries(officialQuery)
  cache.setQueryData(officialQuery.queryKey, (list) =>
    list
      ?.flatMap((one) => (one.address === wallet ? [] : [one]))
      .concat(label !== undefined && since !== undefined ? [{ address: wallet, label, since }] : []),
  )
}

/** Reads the list; a place that may wait reads it after what is shown first. */
const useList = (mayWait: boolean) => {
  const isLater = useLater()
  return useQuery({ ...officialQuery, enabled: isLater || !mayWait }).data
}

/** Returns the words that only the team may have in a name. */
export function useTeamWords(isRead = true): TeamWords & { host: string } {
  const info = useServiceInfo(isRead)
  const list = useQuery({ ...officialQuery, enabled: false }).data
  return useMemo(
    () => ({
      host: info?.host ?? location.host,
      words: info?.official_words,
      labels: list?.map(({ label }) => label),
    }),
    [info, list],
  )
}

/** Returns true when the team is known, or cannot be read now. */
export const useIsTeamKnown = (): boolean => useQuery(officialQuery).fetchStatus === 'idle'

export interface Sign {
  host: string
  /** What the wallet does for the team. */
  label?: string
  /** Its name says that it is on the team, and it is not. */
  isFalse?: boolean
}

/** Returns the sign of a wallet: undefined for most, and while the team is not known. */
export function useSign(address: string, name: string, mayWait = false): Sign | undefined {
  const list = useList(mayWait)
  // Without the list there is nothing to say.
  const words = useTeamWords(list !== undefined)
  return useMemo(() => {
    if (!list) return undefined
    const own = list.find((one) => one.address === address || one.address === address.toLowerCase())
    if (own) return { host: words.host, label: own.label }
    return name && claimsTeam(name, words) ? { host: words.host, isFalse: true } : undefined
  }, [list, words, address, name])
}
