// Questions to the chains, bounded: by a budget of each wallet that causes them, and by how many are asked at once. Equal ones at
// the same time are one, and one that failed is not asked again for a moment.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config/settings.ts'
import { atMost } from '../lib/at-most.ts'
import { bucketOf, createMeter } from '../limits/token-buckets.ts'
import { tooMany } from '../limits/too-many.ts'

type Limits = Pick<Config, 'rateLimits' | 'chainLimit'>

/** After a question that failed, how long it is not asked again, in milliseconds. */
const pause = 2_000
/** Questions at once. */
const ofAll = 64

export function openQuestions(limits: Limits) {
  const inTurn = atMost(ofAll)
  const spend = budgetOf(limits)
  const asked = new Map<string, Promise<unknown>>()
  const failures = new LRUCache<string, Error>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    ttl: pause,
    perf: { now: () => performance.now() },
  })

  /** Asks once for all who wait for it, at the expense of a wallet. It never throws: a failure is kept for a moment. */
  function askOnce(key: string, wallet: string, question: () => Promise<unknown>, run = inTurn) {
    const asking =
      asked.get(key) ??
      run(async () => {
        spend(wallet)
        await question()
      })
        .catch((failure: Error) => failures.set(key, failure))
        .finally(() => asked.delete(key))
    asked.set(key, asking)
    return asking
  }

  return {
    askOnce,
    inTurn,
    failures,
    /** Whether a question was not asked, because the budget of its wallet is used up. */
    isRefused: (key: string): boolean => {
      const failure = failures.get(key)
      return failure instanceof ApiError && failure.code === 'rate_limited'
    },
    spend,
  }
}

/** Counts a question about the chats of a wallet, or throws 429. */
function budgetOf({ rateLimits, chainLimit }: Limits): (wallet: string) => void {
  if (!rateLimits) return () => {}
  const meter = createMeter('chain', chainLimit)
  return (wallet) => {
    const bucket = bucketOf(meter, wallet, performance.now())
    if (bucket.tokens < 1)
      throw tooMany(
        'chain',
        `Your wallet has the chains asked too often, about the NFT chats that it has joined, NFTs or names: ${chainLimit.burst} times at once and ${chainLimit.perSecond} a second. Leave some chats, or try again in a moment.`,
        Math.ceil(1 / chainLimit.perSecond),
      )
    bucket.tokens -= 1
  }
}
