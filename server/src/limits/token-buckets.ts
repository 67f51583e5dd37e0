// Token buckets, one per caller, in bounded memory. A bucket begins full and fills up again at its
// rate; a request on an empty one is refused. The caller that was not seen for longest is removed
// first, and begins with a full bucket again. That gives it nothing unless 50,000 others came within
// the time in which its bucket would be full again anyway.
//
// With 300 at once and 50 a second: after 300 requests the bucket is empty, one second later it
// holds 50, after six seconds without requests it is full.
//
// Each bucket also counts what was taken from it and not yet sent to the other instances
// (exchange.ts). Only buckets that lose 5 % of their size while they could fill up are sent: with
// 20 instances, the others together cannot empty one that loses less.

import { LRUCache } from 'lru-cache'
import type { Rate } from '../config/parsers.ts'

export interface Bucket {
  /** Below 0 after other instances took more than there was. */
  tokens: number
  /** When `tokens` was computed, in milliseconds of a steady clock. */
  at: number
  /** Taken here and not yet sent to the other instances. */
  unsent: number
  /** Since when `unsent` has been counted. */
  unsentSince: number
  /** Taken by all instances, as it was last read; undefined before the first time. */
  lastSum: number | undefined
}

/** The buckets of one kind of caller for one class of requests. */
export interface Meter {
  name: string
  rate: Rate
  /** What the header RateLimit-Policy says of it. */
  policy: string
  buckets: LRUCache<string, Bucket>
  /** Those that are sent to the other instances next. */
  busy: Map<string, Bucket>
}

const maxCallers = 50_000

export const createMeter = (name: string, rate: Rate): Meter => ({
  name,
  rate,
  policy: `"${name}";q=${rate.burst};w=${Math.ceil(fillTime(rate))}`,
  // Not `max`, which allocates all of it at once.
  buckets: new LRUCache({ maxSize: maxCallers, sizeCalculation: () => 1 }),
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
  const full = { tokens: rate.burst, at: now, unsent: 0, unsentSince: now, lastSum: undefined }
  buckets.set(who, full)
  return full
}

/**
 * Takes tokens, which may be more than there are: then the bucket must fill up again first. It goes
 * down to minus its size at most.
 */
export function take({ rate, busy }: Meter, who: string, bucket: Bucket, count = 1): void {
  const worthSending = rate.burst / 20
  if (bucket.unsent < worthSending && bucket.at - bucket.unsentSince > fillTime(rate) * 1000) {
    bucket.unsent = 0
    bucket.unsentSince = bucket.at
  }
  bucket.tokens = Math.max(-rate.burst, bucket.tokens - count)
  bucket.unsent += count
  if (bucket.unsent >= worthSending) busy.set(who, bucket)
}

/**
 * Takes one from each of these buckets, or none where one of them is empty. Answers that one, else the
 * one that holds least now.
 */
export function takeOneOfEach(
  from: [meter: Meter, who: string][],
  now: number,
): { meter: Meter; bucket: Bucket; isRefused: boolean } {
  const held: { meter: Meter; who: string; bucket: Bucket }[] = []
  // The widest first: what it refuses makes no new bucket for a caller, which would push out others.
  for (const [meter, who] of from.toReversed()) {
    const bucket = bucketOf(meter, who, now)
    if (bucket.tokens < 1) return { meter, bucket, isRefused: true }
    held.push({ meter, who, bucket })
  }
  for (const { meter, who, bucket } of held) take(meter, who, bucket)
  const least = held.reduce((one, other) => (other.bucket.tokens < one.bucket.tokens ? other : one))
  return { ...least, isRefused: false }
}

/** What the header RateLimit says of a bucket. */
export const stateOf = ({ name, rate }: Meter, { tokens }: Bucket): string =>
  `"${name}";r=${Math.max(0, Math.floor(tokens))};t=${Math.ceil((rate.burst - tokens) / rate.perSecond)}`

/** Takes what other instances took. */
export function takeElsewhere(meter: Meter, who: string, count: number, now: number): void {
  const bucket = bucketOf(meter, who, now)
  bucket.tokens = Math.max(-meter.rate.burst, bucket.tokens - count)
}

/** Seconds an empty bucket needs to be full. */
const fillTime = ({ burst, perSecond }: Rate): number => burst / perSecond
