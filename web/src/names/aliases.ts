// What the wallet that is signed in calls others. Its own names are shown in place of theirs.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { cache, client } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'

/** By address. */
export type Aliases = ReadonlyMap<string, string>

const portion = 1000
const none: Aliases = new Map()

const read = queryOptions({
  queryKey: ['listContacts', 'named'],
  queryFn: async () => {
    const aliases = new Map<string, string>()
    for (let after: string | undefined; ;) {
      const page = await client.listContacts({
        query: { named: true, limit: portion, ...(after && { after }) },
      })
      for (const { peer, alias } of page) if (alias) aliases.set(peer, alias)
      if (page.length < portion) return aliases
      after = page.at(-1)!.peer
    }
  },
  // An event says when they change.
  staleTime: Infinity,
  refetchOnWindowFocus: false,
})

export const useAliases = (): Aliases =>
  useQuery({ ...read, enabled: currentAccount() !== null }).data ?? none

/** The same, as far as it was read. */
export const knownAliases = (): Aliases => cache.getQueryData<Aliases>(read.queryKey) ?? none

/** Keeps a name that was chosen here, before the service's event comes. */
export function keepAlias(peer: string, alias: string | undefined): void {
  cache.setQueryData<Aliases>(read.queryKey, (before) => {
    const aliases = new Map(before)
    if (alias === undefined) aliases.delete(peer)
    else aliases.set(peer, alias)
    return aliases
  })
}
