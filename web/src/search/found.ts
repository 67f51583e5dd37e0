// What the service finds and what this device finds are one list, newest first. Each is read in pages; of both only that part is
// shown down to which both have been read, so that nothing appears between what somebody has seen.

import type { SearchFor, SearchRest } from '@parley/sdk/contract/search.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useBlocked } from '../names/blocked.ts'
import { client } from '../service/api.ts'
import { type Answer, isHit } from './forget.ts'
import { searchDevice, searchFurther } from './device.ts'
import type { DeviceSearch, FoundMessage } from './found-message.ts'

const restOf = (answer: Answer | undefined): SearchRest =>
  (answer?.find((one) => !isHit(one)) as SearchRest) ?? {}
const timeOf = ({ item }: FoundMessage): number => Date.parse(item.timestamp)

/** Returns the id before which there may be more; undefined where there is nothing. */
const nextOf = (hits: FoundMessage[], limit: number): number | undefined =>
  hits.length < limit ? undefined : hits.at(-1)!.item.id

const nowhere: SearchFor = { q: '' }

export function useFound(query: SearchFor | undefined, limit = 20) {
  const body = { ...(query ?? nowhere), limit }
  const shared = {
    enabled: query !== undefined,
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  }
  const atService = useInfiniteQuery({
    ...shared,
    queryKey: ['search', 'service', body],
    queryFn: ({ pageParam: before, signal }) =>
      client.search({ body: { ...body, ...(before !== undefined && { before }) } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page: Answer) => restOf(page).searched_to ?? nextOf(page.filter(isHit), limit),
  })
  const onDevice = useInfiniteQuery({
    ...shared,
    queryKey: ['search', 'device', body],
    queryFn: ({ pageParam: before }) => searchDevice({ ...body, ...(before !== undefined && { before }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ hits }: DeviceSearch) => nextOf(hits, limit),
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.state === 'working' ? 5000 : false),
  })
  const blocked = useBlocked()
  const [answers, devices] = [atService.data?.pages, onDevice.data?.pages]
  const rest = restOf(answers?.at(-1))
  const hits = useMemo(() => {
    const shown = merged(
      answers?.flatMap((answer) => answer.filter(isHit)) ?? [],
      restOf(answers?.at(-1)).searched_to === undefined && atService.hasNextPage,
      devices?.flatMap((answer) => answer.hits) ?? [],
      onDevice.hasNextPage,
    )
    return shown.filter(({ item }) => 'toaddr' in item || !blocked.has(item.fromaddr))
  }, [answers, devices, atService.hasNextPage, onDevice.hasNextPage, blocked])
  const isReading = atService.isFetchingNextPage || onDevice.isFetchingNextPage
  return {
    hits,
    isEmpty:
      query !== undefined && atService.data !== undefined && !atService.isFetching && hits.length === 0,
    /** These are the results of the search before. */
    isOld: atService.isPlaceholderData,
    isLoading: query !== undefined && atService.isLoading,
    isReading,
    hasMore: atService.hasNextPage || onDevice.hasNextPage,
    /** The service stopped at its limit: it searches older messages when somebody asks. */
    hasStopped: rest.searched_to !== undefined,
    completeTo: restOf(answers?.[0]).complete_to,
    error: atService.error,
    device: devices?.[0],
    more: () => {
      if (isReading) return
      if (atService.hasNextPage) void atService.fetchNextPage()
      if (onDevice.hasNextPage) void onDevice.fetchNextPage()
    },
    retry: () => void atService.refetch(),
    further: async () => {
      await searchFurther()
      await onDevice.refetch()
    },
  }
}

/** Returns the hits of both down to where both are known, newest first. */
function merged(
  ofService: FoundMessage[],
  serviceGoesOn: boolean,
  ofDevice: FoundMessage[],
  deviceGoesOn: boolean,
): FoundMessage[] {
  const knownTo = Math.max(
    serviceGoesOn ? timeOf(ofService.at(-1)!) : -Infinity,
    deviceGoesOn ? timeOf(ofDevice.at(-1)!) : -Infinity,
  )
  return [...ofService, ...ofDevice]
    .filter((hit) => timeOf(hit) >= knownTo)
    .toSorted((a, b) => timeOf(b) - timeOf(a) || b.item.id - a.item.id)
}
