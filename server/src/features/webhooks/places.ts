// Calls to servers that wallets choose share the workers of their lane. While few calls are made, each may take its time. When
// many are made at once, those that have lasted longest give up their places, so that some are always free for servers that
// answer soon.

/** A call that lasts longer is slow, in milliseconds. */
export const slowAfter = 1_000

export interface Places {
  /** Makes a call. Returns undefined where it gave up its place: then its signal is aborted. */
  hold: <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>
}

/** When there are more calls than `most` at once, the slow ones give up their places. */
export function createPlaces(most: number): Places {
  // The calls are in the order in which they began.
  const calls = new Set<{ began: number; end: AbortController }>()

  function relieve(): void {
    let excess = calls.size - most
    const now = performance.now()
    for (const { began, end } of calls) {
      if (excess <= 0 || now - began < slowAfter) return
      if (!end.signal.aborted) end.abort()
      excess--
    }
  }

  return {
    async hold(call) {
      const one = { began: performance.now(), end: new AbortController() }
      calls.add(one)
      relieve()
      const timer = setTimeout(relieve, slowAfter + 10)
      try {
        const done = await call(one.end.signal)
        return one.end.signal.aborted ? undefined : done
      } finally {
        clearTimeout(timer)
        calls.delete(one)
      }
    },
  }
}
