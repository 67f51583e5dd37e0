// How many of something a caller may have open at once on this instance, such as connections and
// event streams.

import { add } from './counts.ts'
import { siteOf } from './network.ts'

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
