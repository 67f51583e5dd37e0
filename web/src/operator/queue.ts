// The console reads the queue here, and which reports are new to this operator in this browser.

import type { QueuedReport } from '@parley/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { cache, client, query } from '../service/api.ts'
import { useMe } from '../service/session.ts'

export type Status = QueuedReport['status']

const portion = 50

/** Returns the reports of a status a page at a time, those with the most weight first. */
export function useQueue(status: Status) {
  const read = useInfiniteQuery({
    queryKey: ['listReports', 'queue', status],
    queryFn: ({ pageParam: after }) =>
      client.listReports({ query: { status, limit: portion, ...(after !== undefined && { after }) } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < portion ? undefined : page.at(-1)!.id),
    refetchInterval: 60_000,
  })
  const { data } = read
  // Between two pages a report may have moved.
  const reports = useMemo(
    () => data && [...new Map(data.pages.flat().map((report) => [report.id, report])).values()],
    [data],
  )
  return { ...read, reports }
}

/** Returns the report of the open queue that comes after the one that a decision answers. */
export function nextOf(
  reports: QueuedReport[] | undefined,
  id: number,
  answered: number[],
): number | undefined {
  const all = reports ?? []
  const rest = all.filter((one) => one.id !== id && !answered.includes(one.id))
  const later = all.slice(all.findIndex((one) => one.id === id) + 1)
  return (later.find((one) => rest.includes(one)) ?? rest[0])?.id
}

/** Returns the undecided reports about a subject, without one of them. */
export function useOthers(subject: string, id?: number): QueuedReport[] {
  const of = (status: Status) => query('listReports', { query: { status, subject, limit: 50 } })
  const { data: open = [] } = useQuery(of('open'))
  const { data: escalated = [] } = useQuery(of('escalated'))
  return [...open, ...escalated].filter((one) => one.id !== id)
}

/**
 * After a decision the console reads again what it shows, except for an open report: the log would record that read.
 */
export function readAgain(subject: string): void {
  void cache.invalidateQueries({ queryKey: ['listReports'] })
  void cache.invalidateQueries({ queryKey: ['getSubject', { address: subject }] })
  void cache.invalidateQueries({ queryKey: ['listModerationLog'] })
  void cache.invalidateQueries({ queryKey: ['countModeration'] })
  cache.removeQueries({ queryKey: ['getReport'], type: 'inactive' })
}

/** Returns the newest report of the last visit. Those after it are new, until the queue is left. */
export function useSeen(reports: QueuedReport[] | undefined): number {
  const entry = `parley.operator-seen.${useMe()}`
  const [seen] = useState(() => Number(localStorage.getItem(entry) ?? 0))
  useEffect(() => {
    const newest = Math.max(0, ...(reports ?? []).map(({ id }) => id))
    if (newest > Number(localStorage.getItem(entry) ?? 0)) localStorage.setItem(entry, String(newest))
  }, [entry, reports])
  return seen
}
