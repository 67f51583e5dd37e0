/** When a standby is this many milliseconds behind, live events are read from the primary. */
const longest = 2_000

/** Measures how long a standby takes until it has replayed what is wanted, by positions in the log. */
export function createLag(onChange: (isTooLong: boolean) => void) {
  interface Wanted {
    position: bigint
    since: number
  }
  let latest: Wanted = { position: 0n, since: 0 }
  /** This position is waited for: an earlier one than the latest, so that a constant lag is seen to end. */
  let next: Wanted | undefined
  let lastCheck = 0
  let isTooLong = false

  function say(now: boolean): void {
    if (isTooLong !== now) onChange(now)
    isTooLong = now
  }

  return {
    want(position: bigint): void {
      if (position <= latest.position) return
      latest = { position, since: performance.now() }
      next ??= latest
    },
    /** The standby has replayed the log up to here. */
    learn(replayed: bigint): void {
      const now = performance.now()
      const before = lastCheck
      lastCheck = now
      if (!next) return
      const isThere = replayed >= next.position
      // Where nobody checked meanwhile, the standby may have reached it long ago.
      const took = (isThere ? before : now) - next.since
      if (isThere) next = latest.position > replayed ? latest : undefined
      if (isThere || took > longest) say(took > longest)
    },
    /** This is true while something that is wanted has not been replayed. */
    get isWaiting() {
      return next !== undefined
    },
    get isTooLong() {
      return isTooLong
    },
  }
}
