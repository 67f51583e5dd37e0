// Limits how much of something a caller may have at once on this instance. A caller above the limit is refused (createOpenCount:
// connections, event streams), or waits in line for its turn (createTurns: requests, large bodies, long reads, pictures). Network
// addresses (for IPv6 the /48) are served in turn, and the wallets of each: neither a wallet with a thousand requests, nor a
// thousand wallets of one address, are served before one with a single request. Who has just been served comes after a newcomer.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { waiting as waitingInLine } from '../telemetry/metrics.ts'
import { siteOf } from './network.ts'
import { tooMany } from './too-many.ts'

/** Changes a number by its key, and deletes those that are 0. */
export function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

export interface OpenCount {
  /** Counts one more. The returned function ends it; it is undefined when the caller is at its limit. */
  take: (who: string) => (() => void) | undefined
}

/** `each` is the limit of a caller; `site` is the limit of all network addresses of one IPv6 /48. */
export function createOpenCount(each: number, site = Infinity): OpenCount {
  const open = new Map<string, number>()
  const count = (who: string) => open.get(who) ?? 0
  return {
    take(who) {
      const whole = siteOf(who)
      if (count(who) >= each || (whole !== undefined && count(whole) >= site)) return undefined
      const counted = whole === undefined ? [who] : [who, whole]
      for (const key of counted) add(open, key, 1)
      return () => {
        for (const key of counted.splice(0)) add(open, key, -1)
      }
    },
  }
}

export interface Who {
  /** This is a wallet, or a network address without a sign-in. */
  caller: string
  network: string
  /** The /48 of an IPv6 network, whose networks are served together. */
  site: string | undefined
}

/** Returns who sends a request of a wallet. Without limits the service counts nobody by network address. */
export const whoSends = (who: Who | null, { address }: { address: string }): Who =>
  who ?? { caller: address, network: address, site: undefined }

/** Returns the address whose turns are counted together: a network address, for IPv6 its /48. */
export const placeOf = ({ network, site }: Who): string => site ?? network

/** This has the limits at once: of all, of a wallet, of a network address, and of an IPv6 /48. */
interface Shares {
  /** The metrics use this name. */
  name: string
  total: number
  caller: number
  network: number
  site: number
  /** At most this many of a caller may wait. The next one is refused with 429. */
  waiting: number
  /**
   * At most this many of all callers may wait. A caller whose network address has fewer waiting than another takes the place of
   * the last of theirs, which is refused with 429; else it is refused with 503.
   */
  waitingOfAll?: number
}

export interface Turns {
  /** Waits for a turn. The returned function ends it; calling it again does nothing. */
  take: (who: Who) => Promise<() => void> | (() => void)
}

/** Does some work in a turn of its own. */
export async function inTurn<T>(turns: Turns, who: Who, work: () => Promise<T>): Promise<T> {
  const end = await turns.take(who)
  try {
    return await work()
  } finally {
    end()
  }
}

interface Waiting {
  who: Who
  start: () => void
  refuse: (error: Error) => void
}

/** Counts what runs, by who runs it. */
function countRunning(shares: Shares) {
  const running = {
    total: 0,
    caller: new Map<string, number>(),
    network: new Map<string, number>(),
    site: new Map<string, number>(),
  }
  return {
    hasRoom: (who: Who) =>
      running.total < shares.total &&
      (running.caller.get(who.caller) ?? 0) < shares.caller &&
      (running.network.get(who.network) ?? 0) < shares.network &&
      (running.site.get(placeOf(who)) ?? 0) < shares.site,
    add(who: Who, change: 1 | -1): void {
      running.total += change
      add(running.caller, who.caller, change)
      add(running.network, who.network, change)
      add(running.site, placeOf(who), change)
    },
    isFull: () => running.total >= shares.total,
  }
}

export function createTurns(shares: Shares): Turns {
  const running = countRunning(shares)
  /** The lines are by network address and caller; the last served stand last. */
  const lines = new Map<string, Map<string, Waiting[]>>()
  const { waitingOfAll = Infinity } = shares
  let waiting = 0

  function changeWaiting(change: 1 | -1): void {
    waiting += change
    waitingInLine.inc({ queue: shares.name }, change)
  }

  function begin(who: Who): () => void {
    running.add(who, 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      running.add(who, -1)
      // Who has just been served comes after those who arrived meanwhile.
      const place = placeOf(who)
      moveToEnd(lines.get(place), who.caller)
      moveToEnd(lines, place)
      serveLines()
    }
  }

  function serveLines(): void {
    for (const [place, callers] of lines) {
      if (running.isFull()) return
      const served = callers.entries().find(([, line]) => running.hasRoom(line[0]!.who))
      if (!served) continue
      const [caller, line] = served
      const next = line.shift()!
      changeWaiting(-1)
      moveToEnd(callers, caller)
      if (line.length === 0) callers.delete(caller)
      moveToEnd(lines, place)
      if (callers.size === 0) lines.delete(place)
      next.start()
    }
  }

  /** Refuses the last one of the longest line, when that leaves it as long as the caller's would be. */
  function makeRoom(place: string, caller: string): boolean {
    const own = lines.get(place) ?? new Map<string, Waiting[]>()
    const crowded = maxBy([...lines.values()], sizeOf) ?? own
    const isOthers = sizeOf(crowded) > sizeOf(own) + 1
    const line = maxBy([...(isOthers ? crowded : own).values()], ({ length }) => length) ?? []
    if (!isOthers && line.length <= (own.get(caller)?.length ?? 0) + 1) return false
    const last = line.pop()!
    changeWaiting(-1)
    if (line.length === 0) crowded.delete(last.who.caller)
    last.refuse(tooManyWaiting())
    return true
  }

  return {
    take(who) {
      const place = placeOf(who)
      const callers = lines.get(place) ?? new Map<string, Waiting[]>()
      const line = callers.get(who.caller)
      if (!line && running.hasRoom(who)) return begin(who)
      if ((line?.length ?? 0) >= shares.waiting) throw tooManyWaiting()
      if (waiting >= waitingOfAll && !makeRoom(place, who.caller)) throw full()
      return new Promise((resolve, refuse) => {
        const next = { who, start: () => resolve(begin(who)), refuse }
        changeWaiting(1)
        if (line) line.push(next)
        else lines.set(place, callers.set(who.caller, [next]))
      })
    },
  }
}

function moveToEnd<T>(map: Map<string, T> | undefined, key: string): void {
  const value = map?.get(key)
  if (!map || value === undefined) return
  map.delete(key)
  map.set(key, value)
}

const sizeOf = (callers: Map<string, Waiting[]>) =>
  callers.values().reduce((sum, line) => sum + line.length, 0)

/** Returns the first one of those with the most. */
const maxBy = <T>(all: T[], count: (one: T) => number): T | undefined =>
  all.reduce<T | undefined>((most, one) => (most && count(most) >= count(one) ? most : one), undefined)

const tooManyWaiting = () =>
  tooMany(
    'waiting',
    'Many of your requests wait for others of yours. Send fewer at once, and try again in a second.',
    1,
  )

const full = () =>
  new ApiError('unavailable', 'Many requests like this one wait. Send it again in a second.', {
    retryAfter: 1,
  })
