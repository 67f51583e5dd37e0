// Turns: at most so many pieces of work at once, for all, for a wallet, and for a network address.
// Who asks for more waits in line. The lines of wallets are served in turn, so that a wallet that
// asks for a thousand is not served before one that asks once.

import { add } from './counts.ts'
import { tooMany } from './too-many.ts'

export interface Who {
  /** A wallet, or a network address without a sign-in. */
  caller: string
  network: string
}

interface Shares {
  total: number
  caller: number
  network: number
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
  const running = { total: 0, caller: new Map<string, number>(), network: new Map<string, number>() }
  /** By caller; the caller served last stands last. */
  const lines = new Map<string, Waiting[]>()

  const hasRoom = ({ caller, network }: Who) =>
    running.total < shares.total &&
    (running.caller.get(caller) ?? 0) < shares.caller &&
    (running.network.get(network) ?? 0) < shares.network

  function count({ caller, network }: Who, change: 1 | -1): void {
    running.total += change
    add(running.caller, caller, change)
    add(running.network, network, change)
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
    for (const [caller, line] of lines) {
      if (running.total >= shares.total) return
      if (!hasRoom(line[0]!.who)) continue
      lines.delete(caller)
      const next = line.shift()!
      if (line.length > 0) lines.set(caller, line)
      next.start()
    }
  }

  return {
    take(who) {
      const line = lines.get(who.caller)
      if (!line && hasRoom(who)) return begin(who)
      if ((line?.length ?? 0) >= shares.waiting)
        throw tooMany(
          `${shares.waiting} of your requests wait for others of yours. Send fewer at once, and try again in a second.`,
          1,
        )
      return new Promise((resolve) => {
        const waiting = { who, start: () => resolve(begin(who)) }
        if (line) line.push(waiting)
        else lines.set(who.caller, [waiting])
      })
    },
  }
}
