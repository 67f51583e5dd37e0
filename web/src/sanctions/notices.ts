// These notices say what operators of the service did with the wallet. They are read when there is a reason: an event
// says so, the service has refused something, or something is forbidden when the page opens, which the service returns
// from memory.

import type { Notice } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { cache, onForbidden, query } from '../service/api.ts'
import { useLater } from '../service/later.ts'
import { onAccountChange } from '../service/session.ts'
import { useMinute } from '../state/minute.ts'
import { createStore, useStore } from '../state/store.ts'
import { shortTime } from '../state/time.ts'

const wanted = createStore(false)
onAccountChange(() => wanted.set(false))

/** Reads the notices again. */
export function readNotices(): void {
  wanted.set(true)
  for (const queryKey of [['listNotices'], ['listSanctions']]) void cache.invalidateQueries({ queryKey })
}
onForbidden(() => {
  if (!wanted.get()) readNotices()
})

const useSanctions = (isNeeded: boolean) =>
  useQuery({ ...query('listSanctions'), staleTime: Infinity, enabled: useLater() || isNeeded }).data ?? []

/** What is forbidden is read again each minute: a banned wallet gets no events. */
export const useNotices = (isShown = false) => {
  const isWanted = useStore(wanted)
  const sanctions = useSanctions(false)
  return useQuery({
    ...query('listNotices'),
    enabled: isWanted || isShown || sanctions.length > 0,
    refetchInterval: ({ state }) => (sanctionOf(state.data ?? []) ? 60_000 : false),
  })
}

/** An operator forbids the wallet this now: everything but to read, or everything. */
export interface Forbidden {
  action: 'mute' | 'ban'
  /** It is left out when there is no end. */
  until?: string | undefined
  /** It is empty until it is read. */
  reason: string
}

/**
 * Returns what is forbidden now, in every component that uses it. It is read after what the page shows first, unless it
 * is needed at once, where one writes.
 */
export function useForbidden({ isNeeded = false } = {}): Forbidden | undefined {
  const now = useMinute()
  const { data: notices } = useNotices()
  const sanctions = useSanctions(isNeeded)
  if (notices) return sanctionOf(notices, now)
  const found = sanctions.find(({ kind }) => kind === 'ban') ?? sanctions[0]
  return found && { action: found.kind, until: found.until, reason: '' }
}

/** Returns the strictest sanction of the notices, which are the latest first; undefined when nothing is forbidden. */
function sanctionOf(notices: Notice[], now = Date.now()): Forbidden | undefined {
  let found: Forbidden | undefined
  for (const { action, until, reason } of notices) {
    if (action === 'lift') break
    if (action !== 'mute' && action !== 'ban') continue
    if (until !== undefined && Date.parse(until) <= now) continue
    if (!found || (found.action === 'mute' && action === 'ban')) found = { action, until, reason }
  }
  return found
}

/** This counts the places that say it where one would write: then the banner is not necessary. */
export const saidBelow = createStore(0)

/** Returns when it ends, as in a sentence. */
export const endOf = ({ until }: Forbidden): string =>
  until ? `until ${shortTime(until)}` : 'without an end'
