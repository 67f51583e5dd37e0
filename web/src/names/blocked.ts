import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../service/api.ts'

const portion = 1000
const none: ReadonlySet<string> = new Set()

const read = queryOptions({
  queryKey: ['listContacts', 'all blocked'],
  queryFn: async () => {
    const blocked = new Set<string>()
    for (let after: string | undefined; ;) {
      const page = await client.listContacts({
        query: { state: 'blocked', limit: portion, ...(after && { after }) },
      })
      for (const { peer } of page) blocked.add(peer)
      if (page.length < portion) return blocked
      after = page.at(-1)!.peer
    }
  },
  // An event says when they change.
  staleTime: Infinity,
  refetchOnWindowFocus: false,
})

/** The wallets that the reader has blocked; none where that is not wanted yet. */
export const useBlocked = (isWanted = true): ReadonlySet<string> =>
  useQuery({ ...read, enabled: isWanted }).data ?? none
