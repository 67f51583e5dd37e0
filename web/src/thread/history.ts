// Histories are read from their end upwards, a page at a time, and cached as pages: the newest page
// first, each page oldest first. Messages that are sent or arrive are added to the newest page, so
// that nothing is read twice.

import type { ChatItem, Comment, GroupChatItem } from '@parley/sdk'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache, client } from '../service/api.ts'

export interface Items {
  listConversation: ChatItem
  listNftConversation: ChatItem
  listGroupMessages: GroupChatItem
  listComments: Comment
}
export type HistoryName = keyof Items

interface Inputs {
  listConversation: { fromaddr: string; toaddr: string }
  listNftConversation: { fromaddr: string; toaddr: string; nftaddr: string; nftid: string }
  listGroupMessages: { address: string; useraddress: string }
  listComments: { nftaddr: string; nftid: string }
}

type HistoryOf<Name extends HistoryName> = { [One in Name]: { name: One; input: Inputs[One] } }[Name]

/** A history: its endpoint and path values. */
export type History = HistoryOf<HistoryName>

type Pages<Name extends HistoryName> = InfiniteData<Items[Name][], number>

const pageSize = 50

export interface Nft {
  nftaddr: string
  nftid: string
}

/**
 * The histories of a message between two wallets: all their messages, and those about the same NFT.
 */
export function conversationHistories(
  me: string,
  peer: string,
  nft: Nft | undefined,
): HistoryOf<'listConversation' | 'listNftConversation'>[] {
  const pair = { fromaddr: me, toaddr: peer }
  const whole = { name: 'listConversation', input: pair } as const
  return nft ? [whole, { name: 'listNftConversation', input: { ...pair, ...nft } }] : [whole]
}

export const groupHistory = (nftaddr: string, me: string): HistoryOf<'listGroupMessages'> => ({
  name: 'listGroupMessages',
  input: { address: nftaddr, useraddress: me },
})

/** A cached history, which reads older pages on demand, and what it has read, oldest first. */
export function useHistory<Name extends HistoryName>(
  { name, input }: HistoryOf<Name>,
  refetchInterval: number | false = false,
): { history: UseInfiniteQueryResult; items: Items[Name][] } {
  const read = client[name] as unknown as (input: object, call: object) => Promise<Items[Name][]>
  const history = useInfiniteQuery({
    queryKey: [name, 'history', input],
    queryFn: ({ pageParam, signal }) =>
      read({ ...input, query: { limit: pageSize, before: pageParam } }, { signal }),
    initialPageParam: Number.MAX_SAFE_INTEGER,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page[0]!.id),
    staleTime: Infinity,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchInterval,
  })
  const { data } = history
  const items = useMemo(() => data?.pages.toReversed().flat() ?? [], [data])
  return { history, items }
}

/**
 * Adds a message that was sent or has arrived to a history, if that is cached. One of the same id
 * is replaced.
 */
export function insertItem({ name, input }: History, item: Items[HistoryName]): void {
  const queryKey = [name, 'history', input]
  // A read in progress may be older than the message and would remove it again.
  if (cache.isFetching({ queryKey, exact: true }) > 0) void cache.invalidateQueries({ queryKey, exact: true })
  cache.setQueryData<Pages<HistoryName>>(queryKey, (data) => {
    if (!data?.pages[0]) return data
    if (data.pages.some((page) => page.some(({ id }) => id === item.id))) return replace(data, item)
    const newest = [...data.pages[0], item].toSorted((a, b) => a.id - b.id)
    return { ...data, pages: [newest, ...data.pages.slice(1)] }
  })
}

/**
 * Changes messages in every cached history of a kind. Those for which `change` answers undefined
 * are removed.
 */
export function changeItems<Name extends HistoryName>(
  name: Name,
  change: (item: Items[Name]) => Items[Name] | undefined,
): void {
  cache.setQueriesData<Pages<Name>>({ queryKey: [name, 'history'] }, (data) =>
    data
      ? {
          ...data,
          pages: data.pages.map((page) => page.map(change).filter((item) => item !== undefined)),
        }
      : data,
  )
}

const replace = <Item extends { id: number }>(
  data: InfiniteData<Item[], number>,
  item: Item,
): InfiniteData<Item[], number> => ({
  ...data,
  pages: data.pages.map((page) => page.map((old) => (old.id === item.id ? item : old))),
})
