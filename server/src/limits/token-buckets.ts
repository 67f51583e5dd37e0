// Token buckets, as many as there are callers, in bounded memory. A bucket begins full and fills up again at its rate; what
// is asked of an empty one is refused. Whoever was not seen for longest is forgotten first, and begins full again.
//
// Each bucket also counts what was taken from it since others were last told (limit-exchange.ts). Only buckets from which
// much is taken are worth telling: one that never has a twentieth of its size taken in the time it needs to fill up would not be
// empty with twenty instances either.

import { LRUCache } from 'lru-cache'
import type { Rate } from '../config/parsers.ts'

export interface Bucket {
  tokens: number
  /** When `tokens` was true, in milliseconds of a steady clock. */
  at: number
  /** Taken here and not yet told. */
  taken: number
  /** Since when `taken` has been counted. */
  since: number
  /** Taken everywhere, as it was last told; unknown before the first time. */
  told: number | undefined
}

/** The buckets of one kind of caller for one class of requests. */
export interface Meter {
  name: string
  rate: Rate
  buckets: LRUCache<string, Bucket>
  /** Whose buckets are worth telling. */
  busy: Map<string, Bucket>
}

const callersAtMost = 50_000

export const createMeter = (name: string, rate: Rate): Meter => ({
  name,
  rate,
  // Not `max`, for which room is made at once.
  buckets: new LRUCache({ maxSize: callersAtMost, sizeCalculation: () => 1 }),
  busy: new Map(),
})

/** A caller's bucket, filled up to now. */
export function bucketOf({ buckets, rate }: Meter, who: string, now: number): Bucket {
  const bucket = buckets.get(who)
  if (bucket) {
    bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond)
    bucket.at = now
    return bucket
  }
  const full = { tokens: rate.burst, at: now, taken: 0, since: now, told: undefined }
  buckets.set(who, full)
  return full
}

export function takeOne({ rate, busy }: Meter, who: string, bucket: Bucket): void {
  const worthTelling = rate.burst / 20
  if (bucket.taken < worthTelling && bucket.at - bucket.since > fillTime(rate) * 1000) {
    bucket.taken = 0
    bucket.since = bucket.at
  }
  bucket.tokens -= 1
  bucket.taken += 1
  if (bucket.taken >= worthTelling) busy.set(who, bucket)
}

/** Takes what was taken elsewhere. What was too much everywhere together is waited for, up to a bucket full of it. */
export function takeElsewhere(meter: Meter, who: string, count: number, now: number): void {
  const bucket = bucketOf(meter, who, now)
  bucket.tokens = Math.max(-meter.rate.burst, bucket.tokens - count)
}

/** Seconds an empty bucket needs to be full. */
export const fillTime = ({ burst, perSecond }: Rate): number => burst / perSecond
