// How much of something a caller may have at once on this instance. Who asks for more is refused
// (createOpenCount: connections, event streams), or waits in line for its turn (createTurns: requests,
// long reads). Network addresses (of IPv6 the /48) are served in turn, and the wallets of each: neither
// a wallet that asks for a thousand, nor a thousand wallets of one address, are served before one that
// asks once.

import { waiting as waitingInLine } from '../telemetry/metrics.ts'
import { placeOnNet, siteOf } from './network.ts'
import { tooMany } from './too-many.ts'

/** Changes a number by its key, and forgets those that are 0. */
export function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

export interface OpenCount {
  /** Counts one more. The answer ends it; undefined when the caller has as many as it may. */
  take: (who: string) => (() => void) | undefined
}

/** `each` for a caller; `site` for all network addresses of one IPv6 /48. */
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
  /** A wallet, or a network address without a sign-in. */
  caller: string
  network: string
}

/** At most so many at once: of all, of a wallet, of a network address, and of an IPv6 /48. */
interface Shares {
  /** What it is called in the metrics. */
  name: string
  total: number
  caller: number
  network: number
  site: number
  /** How many of a caller may wait. One more is refused with 429. */
  waiting: number
}

export interface Turns {
  /** Waits for a turn. The answer ends it; calling it again does nothing. */
  take: (who: Who) => Promise<() => void> | (() => void)
}

interface Waiting {
  who: Who
  start: () => void
}

export function createTurns(shares: Shares): Turns {
  const running = {
    total: 0,
    caller: new Map<string, number>(),
    network: new Map<string, number>(),
    site: new Map<string, number>(),
  }
  /** By network address and caller; those served last stand last. */
  const lines = new Map<string, Map<string, Waiting[]>>()

  const hasRoom = ({ caller, network }: Who) =>
    running.total < shares.total &&
    (running.caller.get(caller) ?? 0) < shares.caller &&
    (running.network.get(network) ?? 0) < shares.network &&
    (running.site.get(placeOnNet(network)) ?? 0) < shares.site

  function count({ caller, network }: Who, change: 1 | -1): void {
    running.total += change
    add(running.caller, caller, change)
    add(running.network, network, change)
    add(running.site, placeOnNet(network), change)
  }

  function begin(who: Who): () => void {
    count(who, 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      count(who, -1)
      serveLines()
    }
  }

  function serveLines(): void {
    for (const [place, callers] of lines) {
      if (running.total >= shares.total) return
      const served = callers.entries().find(([, line]) => hasRoom(line[0]!.who))
      if (!served) continue
      const [caller, line] = served
      const next = line.shift()!
      waitingInLine.dec({ queue: shares.name })
      callers.delete(caller)
      if (line.length > 0) callers.set(caller, line)
      lines.delete(place)
      if (callers.size > 0) lines.set(place, callers)
      next.start()
    }
  }

  return {
    take(who) {
      const place = placeOnNet(who.network)
      const callers = lines.get(place) ?? new Map<string, Waiting[]>()
      const line = callers.get(who.caller)
      if (!line && hasRoom(who)) return begin(who)
      if ((line?.length ?? 0) >= shares.waiting)
        throw tooMany(
          'waiting',
          `${shares.waiting} of your requests wait for others of yours. Send fewer at once, and try again in a second.`,
          1,
        )
      return new Promise((resolve) => {
        const waiting = { who, start: () => resolve(begin(who)) }
        waitingInLine.inc({ queue: shares.name })
        if (line) line.push(waiting)
        else lines.set(place, callers.set(who.caller, [waiting]))
      })
    },
  }
}
