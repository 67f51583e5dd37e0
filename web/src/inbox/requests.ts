// The requests of the signed-in wallet are read here, and which of them are new since its last visit to them.

import type { InboxItem } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { useLookedAt } from '../state/focus.ts'
import { createStore, useStore } from '../state/store.ts'

/** The list of requests has this page size. */
export const requestsPage = 50

/**
 * Returns the number of people whose requests wait, which is a page when there are more; undefined until it is known.
 * It is read after what is shown first.
 */
export function useWaiting(isReady: boolean): number | undefined {
  const { data, error } = useRequests({ isReady })
  return data?.length ?? (error ? 0 : undefined)
}

/** Returns the newest requests, one row for each person. */
export function useRequests({ limit = requestsPage, isReady = true } = {}) {
  const address = useMe()
  return useQuery({
    queryKey: ['requests', 'list', address, limit],
    queryFn: () => client.getInbox({ address, query: { view: 'requests', limit } }),
    placeholderData: (before) => before,
    enabled: isReady,
  })
}

const prefix = 'parley.requests-seen.'

const readSeen = (): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key.slice(prefix.length), localStorage.getItem(key) ?? '']),
  )

/** Each wallet has seen its requests up to this time, in this browser. */
const seen = createStore(readSeen())
addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(prefix)) seen.set(readSeen())
})

const newestOf = (rows: InboxItem[] | undefined): string =>
  rows
    ?.map(({ timestamp }) => timestamp)
    .toSorted()
    .at(-1) ?? ''

/** Returns true when there are requests that the wallet has not seen. */
export function useHasNewRequests(isReady: boolean): boolean {
  const me = useMe()
  const { data } = useRequests({ isReady })
  const before = useStore(seen).get(me) ?? ''
  return newestOf(data) > before
}

/** Records that the wallet sees these requests while the component is mounted. */
export function useVisitRequests(rows: InboxItem[] | undefined): void {
  const me = useMe()
  const newest = newestOf(rows)
  const isLookedAt = useLookedAt()
  useEffect(() => {
    if (!isLookedAt || newest <= (seen.get().get(me) ?? '')) return
    localStorage.setItem(prefix + me, newest)
    seen.set(readSeen())
  }, [me, newest, isLookedAt])
}
