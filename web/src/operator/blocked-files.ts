// The console reads here which files are blocked.

import { useInfiniteQuery } from '@tanstack/react-query'
import { cache, client } from '../service/api.ts'

const portion = 50

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Returns the blocked files a page at a time, the latest first. */
export const useBlockedFiles = () =>
  useInfiniteQuery({
    queryKey: ['listBlockedFiles'],
    queryFn: ({ pageParam: before }) =>
      client.listBlockedFiles({ query: { limit: portion, ...(before !== undefined && { before }) } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < portion ? undefined : page.at(-1)!.id),
  })

/** Reads the list and the log again after a change. */
export function readFilesAgain(): void {
  void cache.invalidateQueries({ queryKey: ['listBlockedFiles'] })
  void cache.invalidateQueries({ queryKey: ['listModerationLog'] })
  void cache.invalidateQueries({ queryKey: ['countModeration'] })
}
