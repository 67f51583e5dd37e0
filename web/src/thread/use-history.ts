// Histories are read from their end upwards, a page at a time.

import {
  infiniteQueryOptions,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache, client } from '../service/api.ts'
import { type History, historyKey, type HistoryName, type HistoryOf, type Items } from './history.ts'
import { limitFor, type Page, type Pages } from '../service/pages.ts'

interface HistoryOptions {
  /** It is read again after these milliseconds; never when omitted. */
  every?: number
  /** This is the known number of its unread messages: it is read up to the first of them. */
  unread?: number
}

type Pair = HistoryOf<'listConversation'>['input']
interface Asked {
  limit: number
  before?: number
  after?: number
}

let onRead: (pair: Pair, page: Asked, items: readonly { id: number }[]) => void = () => {}

/** Calls back with each page of a conversation that is read. */
export const onConversationRead = (callback: typeof onRead): void => void (onRead = callback)

/** Reads a page of a history. Messages are marked as read when they are seen, not when they are read here. */
export async function readPage<Name extends HistoryName>(
  { name, input }: HistoryOf<Name>,
  page: Asked,
  signal: AbortSignal,
): Promise<Items[Name][]> {
  const read = client[name] as unknown as (input: object, call: object) => Promise<Items[Name][]>
  const query = { ...page, ...(name === 'listGroupMessages' && { enter: false }) }
  const items = await read({ ...input, query }, { signal })
  if (name === 'listConversation') onRead(input as Pair, page, items)
  return items
}

function optionsOf<Name extends HistoryName>(one: HistoryOf<Name>, unread: number) {
  return infiniteQueryOptions<Items[Name][], Error, Pages<Items[Name]>, QueryKey, Page>({
    queryKey: historyKey(one as History),
    queryFn: ({ pageParam, signal }) => readPage(one, pageParam, signal),
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

/** This is what is read of a history: pages, and their items, oldest first. */
export interface ReadHistory<Name extends HistoryName> {
  history: UseInfiniteQueryResult<Pages<Items[Name]>>
  items: Items[Name][]
}

/** Returns a cached history, which reads older pages on demand, and what it has read, oldest first. */
export function useHistory<Name extends HistoryName>(
  one: HistoryOf<Name>,
  { every, unread = 0 }: HistoryOptions = {},
): ReadHistory<Name> {
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
