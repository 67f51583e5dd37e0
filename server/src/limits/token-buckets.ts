// This has token buckets, one per caller, in bounded memory. A bucket begins full and fills up again at its rate; a request on an
// empty one is refused. The caller without requests for the longest time is removed first, and begins with a full bucket again.
// That gives it nothing unless 50,000 others came within the time in which its bucket would be full again anyway.
//
// With 300 at once and 50 a second: after 300 requests the bucket is empty, one second later it holds 50, after six seconds
// without requests it is full.
//
// Each bucket also counts what was taken from it and not yet sent to the other instances (exchange.ts). Only buckets that lose 5
// % of their size while they could fill up are sent: with 20 instances, the others together cannot empty one that loses less.

import { LRUCache } from 'lru-cache'
import type { Rate } from '../config/parsers.ts'

export interface Bucket {
  /** This is below 0 after other instances took more than there was. */
  tokens: number
  /** `tokens` was computed at this time, in milliseconds of a steady clock. */
  at: number
  /** These were taken here and not yet sent to the other instances. */
  unsent: number
  /** `unsent` has been counted since this time. */
  unsentSince: number
  /** All instances have taken this much, as it was last read; it is undefined before the first time. */
  lastSum: number | undefined
}

/** This has the buckets of one kind of caller for one class of requests. */
export interface Meter {
  name: string
  rate: Rate
  /** The header RateLimit-Policy has this text. */
  policy: string
  buckets: LRUCache<string, Bucket>
  /** These are sent to the other instances next. */
  busy: Map<string, Bucket>
}

const maxCallers = 50_000

export const createMeter = (name: string, rate: Rate): Meter => ({
  name,
  rate,
  policy: `"${name}";q=${rate.burst};w=${Math.ceil(fillTime(rate))}`,
  // The cache does not use `max`, which allocates all of it at once.
  buckets: new LRUCache({ maxSize: maxCallers, sizeCalculation: () => 1 }),
  busy: new Map(),
})

/** Returns a caller's bucket, filled up to now. */
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

/** This is a bucket, and what is taken from it where that is not one token. */
export type Charge = readonly [meter: Meter, who: string, cost?: number]

/**
 * Takes the cost from each of these buckets, or nothing where one holds less. Returns that one with the whole seconds until it
 * holds enough; else the one that holds least now, with no seconds.
 */
export function charge(
  from: readonly Charge[],
  now = performance.now(),
): { meter: Meter; bucket: Bucket; wait: number } {
  const held: { meter: Meter; who: string; cost: number; bucket: Bucket }[] = []
  // The widest bucket comes first: a request that it refuses makes no new bucket for a caller, which would push out others.
  for (const [meter, who, cost = 1] of from.toReversed()) {
    const bucket = bucketOf(meter, who, now)
    const wait = secondsUntil(cost, meter, bucket)
    if (wait > 0) return { meter, bucket, wait }
    held.push({ meter, who, cost, bucket })
  }
  for (const { meter, who, cost, bucket } of held) take(meter, who, bucket, cost)
  const { meter, bucket } = held.reduce((one, other) =>
    other.bucket.tokens < one.bucket.tokens ? other : one,
  )
  return { meter, bucket, wait: 0 }
}

/** Gives back a charge for something that was not done. */
export function refund(from: readonly Charge[], now = performance.now()): void {
  for (const [meter, who, cost = 1] of from) take(meter, who, bucketOf(meter, who, now), -cost)
}

/** Returns the whole seconds until a bucket holds this many tokens; 0 when it does. */
export const secondsUntil = (tokens: number, { rate }: Meter, bucket: Bucket): number =>
  bucket.tokens < tokens ? Math.max(1, Math.ceil((tokens - bucket.tokens) / rate.perSecond)) : 0

/** Returns the header RateLimit for a bucket. */
export const stateOf = ({ name, rate }: Meter, { tokens }: Bucket): string =>
  `"${name}";r=${Math.max(0, Math.floor(tokens))};t=${Math.ceil((rate.burst - tokens) / rate.perSecond)}`

/** Takes from a bucket what other instances took. */
export function takeElsewhere(meter: Meter, who: string, count: number, now: number): void {
  const bucket = bucketOf(meter, who, now)
  bucket.tokens = Math.max(-meter.rate.burst, bucket.tokens - count)
}

/** Returns the seconds that an empty bucket needs to be full. */
const fillTime = ({ burst, perSecond }: Rate): number => burst / perSecond
