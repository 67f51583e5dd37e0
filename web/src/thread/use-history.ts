// Histories are read from their end upwards, a page at a time.

import {
  infiniteQueryOptions,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache, client } from '../service/api.ts'
import type { History, HistoryName, HistoryOf, Items } from './history.ts'
import { limitFor, type Page, type Pages } from '../service/pages.ts'

interface HistoryOptions {
  /** It is read again after these milliseconds; never when omitted. */
  every?: number
  /** This is the known number of its unread messages: it is read up to the first of them. */
  unread?: number
}

function optionsOf<Name extends HistoryName>({ name, input }: HistoryOf<Name>, unread: number) {
  const read = client[name] as unknown as (input: object, call: object) => Promise<Items[Name][]>
  return infiniteQueryOptions<Items[Name][], Error, Pages<Items[Name]>, QueryKey, Page>({
    queryKey: [name, 'history', input],
    // Messages are marked as read when they are seen, not when they are fetched.
    queryFn: ({ pageParam, signal }) =>
      read(
        { ...input, query: { ...pageParam, ...(name === 'listGroupMessages' && { enter: false }) } },
        { signal },
      ),
    initialPageParam: { before: Number.MAX_SAFE_INTEGER, limit: limitFor(unread) },
    getNextPageParam: (page, pages, { limit }) =>
      page.length < limit ? undefined : { before: page[0]!.id, limit: limitFor(unread, pages.flat().length) },
  })
}

/** Reads the newest messages of a history that no page shows. */
export async function readNewest(history: History): Promise<void> {
  await cache.prefetchInfiniteQuery({
    ...optionsOf(history as HistoryOf<HistoryName>, 0),
    staleTime: 0,
  } as Parameters<typeof cache.prefetchInfiniteQuery>[0])
}

/** Returns a cached history, which reads older pages on demand, and what it has read, oldest first. */
export function useHistory<Name extends HistoryName>(
  one: HistoryOf<Name>,
  { every, unread = 0 }: HistoryOptions = {},
): { history: UseInfiniteQueryResult<Pages<Items[Name]>>; items: Items[Name][] } {
  const history = useInfiniteQuery({
    ...optionsOf(one, unread),
    staleTime: Infinity,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchInterval: every ?? false,
  })
  const { data } = history
  const items = useMemo(() => data?.pages.toReversed().flat() ?? [], [data])
  return { history, items }
}
