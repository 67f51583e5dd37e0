// A history is read from its end. Where the reader goes to a message far above, what is around that message is read and shown, and
// nothing between it and the end. When scrolling down reaches what was read from the end, both become one.

import { hashKey, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { cache } from '../service/api.ts'
import { largestPage, pageSize, type Pages } from '../service/pages.ts'
import { historyKey, type History, type HistoryName, type HistoryOf, type Items, partKey } from './history.ts'
import { type ReadHistory, readPage } from './use-history.ts'

/** This is a page of what is around a message: that with the message itself, what is before an id, or after one. */
type PartPage = { limit: number } & ({ around: number } | { before: number } | { after: number })

/** Says which part of a history is shown. */
export interface Part {
  /** It is around this message; omitted at the end of the history. */
  around: number | undefined
  /** It changes when another part is shown, and the list begins there. */
  opening: number
  /** Shows what is around a message, or the end of the history. */
  show: (around: number | undefined) => void
  /** Reads newer messages; undefined when there are none, or when they are being read. */
  loadNewer: (() => void) | undefined
}

/** Returns what the page shows of a history. */
export function useShown<Name extends HistoryName>(
  one: HistoryOf<Name>,
  end: ReadHistory<Name>,
): ReadHistory<Name> & { part: Part } {
  const of = hashKey([one])
  const [part, setPart] = useState<{ of: string; around?: number | undefined; opening: number }>({
    of,
    opening: 0,
  })
  const around = part.of === of ? part.around : undefined
  const read = usePart(one, around)
  const items = useMemo(() => read.data?.pages.toReversed().flat() ?? [], [read.data])

  const oldest = end.items[0]?.id
  const isJoined = around !== undefined && oldest !== undefined && (items.at(-1)?.id ?? 0) >= oldest
  const isResting = !end.history.isFetching && !read.isFetching
  useEffect(() => {
    if (!isJoined || !isResting) return
    join(one as History, items, read.hasNextPage)
    setPart((before) => ({ of, opening: before.opening }))
  }, [isJoined, isResting, one, items, read.hasNextPage, of])

  const show = (id: number | undefined) => {
    const isAtEnd = id === undefined || end.items.some((item) => item.id === id)
    setPart(({ opening }) => ({ of, around: isAtEnd ? undefined : id, opening: opening + 1 }))
  }
  const loadNewer = read.hasPreviousPage && !read.isFetching ? () => void read.fetchPreviousPage() : undefined
  const shown = around === undefined ? end : { history: read, items }
  return { ...shown, part: { around, opening: part.opening, show, loadNewer } }
}

function usePart<Name extends HistoryName>(
  one: HistoryOf<Name>,
  around: number | undefined,
): UseInfiniteQueryResult<Pages<Items[Name]>> {
  const half = pageSize / 2
  return useInfiniteQuery<Items[Name][], Error, Pages<Items[Name]>, readonly unknown[], PartPage>({
    queryKey: partKey(one as History, around ?? 0),
    enabled: around !== undefined,
    async queryFn({ pageParam: page, signal }) {
      if (!('around' in page)) return readPage(one, page, signal)
      const [older, newer] = await Promise.all([
        readPage(one, { before: page.around + 1, limit: half }, signal),
        readPage(one, { after: page.around, limit: half }, signal),
      ])
      return [...older, ...newer]
    },
    initialPageParam: { around: around ?? 0, limit: half },
    getNextPageParam: (page, _, param) =>
      countIn(page, param, 'older') < param.limit ? undefined : { before: page[0]!.id, limit: pageSize },
    getPreviousPageParam: (page, _, param) =>
      countIn(page, param, 'newer') < param.limit ? undefined : { after: page.at(-1)!.id, limit: pageSize },
    staleTime: Infinity,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  })
}

/** Counts the items of a page that its limit was for, on one side of the message that it is around. */
const countIn = (page: { id: number }[], param: PartPage, side: 'older' | 'newer'): number =>
  'around' in param ? page.filter(({ id }) => id <= param.around === (side === 'older')).length : page.length

/** Adds what was read around a message to the history, which it reaches. */
function join(history: History, items: { id: number }[], hasOlder: boolean): void {
  cache.setQueryData<Pages<{ id: number }>>(historyKey(history), (data) => {
    const oldest = data?.pages.toReversed().flat()[0]?.id
    if (!data || oldest === undefined) return data
    const older = items.filter(({ id }) => id < oldest)
    const [pages, pageParams] = [[...data.pages], [...data.pageParams]]
    for (let end = older.length; end > 0; end -= largestPage) {
      const page = older.slice(Math.max(0, end - largestPage), end)
      const isLast = end <= largestPage
      pages.push(page)
      // A page with less than its limit is the last one of the history.
      pageParams.push({
        before: older[end]?.id ?? oldest,
        limit: page.length + (isLast && !hasOlder ? 1 : 0),
      })
    }
    return { ...data, pages, pageParams }
  })
}
