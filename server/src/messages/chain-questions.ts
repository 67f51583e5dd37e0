// Limits calls to the chains: by a budget of each wallet that causes them, and by the number of wallets of a chat that are checked
// at once, so that the crowd of one chat does not keep the wallets of others waiting (chains/together.ts makes few calls of their
// checks, and limits the calls at once). Equal calls at the same time are one, and a failed call is not repeated for a moment.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import { atMost } from '../lib/concurrency-limit.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { charge, createMeter, type Meter } from '../limits/token-buckets.ts'
import { tooMany } from '../limits/too-many.ts'

type Limits = Pick<Config, 'rateLimits' | 'chainLimit'>

/** A failed call is not repeated for this many milliseconds. */
export const pause = 2_000
/** At most this many wallets of a chat are checked at once. */
const ofOneChat = 400
/** A list waits for the chains for at most this many milliseconds, and makes at most this many calls at once. */
const patience = 2_000
const ofOneList = 8

/** Asks about each chat of a list, and waits for what is known in time: the calls go on. */
export async function askForList<Chat extends string>(
  chats: Chat[],
  ask: (chat: Chat) => Promise<unknown>,
): Promise<void> {
  if (chats.length === 0) return
  await Promise.race([forEachLimited(chats, ofOneList, ask), sleep(patience, undefined, { ref: false })])
}

/** Makes one call for all who wait for it. It never throws: a failure is cached for a moment. */
export function openOnce() {
  const turns = new LRUCache<string, ReturnType<typeof atMost>>({ max: 10_000 })
  const running = new Map<string, Promise<unknown>>()
  const failures = new LRUCache<string, Error>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    ttl: pause,
    perf: { now: () => performance.now() },
  })

  function turnsOf(chat: string) {
    const inTurn = turns.get(chat) ?? atMost(ofOneChat)
    turns.set(chat, inTurn)
    return inTurn
  }

  function once(
    key: string,
    question: () => Promise<unknown>,
    run: ReturnType<typeof atMost>,
  ): Promise<unknown> {
    const asking =
      running.get(key) ??
      run(question)
        .catch((failure: Error) => failures.set(key, failure))
        .finally(() => running.delete(key))
    running.set(key, asking)
    return asking
  }

  return {
    once,
    turnsOf,
    failures,
    /** Returns true when a call was not made, because the budget of its wallet is used up. */
    isRefused: (key: string): boolean => {
      const failure = failures.get(key)
      return failure instanceof ApiError && failure.code === 'rate_limited'
    },
  }
}

export function openQuestions(limits: Limits) {
  const { spend, meters } = budgetOf(limits)
  const { once, ...memory } = openOnce()
  return {
    ...memory,
    /** Makes one call at the expense of a wallet. */
    askOnce: (
      key: string,
      wallet: string,
      question: () => Promise<unknown>,
      run: Parameters<typeof once>[2],
    ): Promise<unknown> =>
      once(
        key,
        async () => {
          spend(wallet)
          await question()
        },
        run,
      ),
    spend,
    meters,
  }
}

/** Counts a call at the expense of a wallet or a network address, or throws 429. */
export type Spend = (who: string, whose?: 'your wallet' | 'your network address') => void

/** Opens the budgets of calls. */
function budgetOf({ rateLimits, chainLimit }: Limits): { spend: Spend; meters: Meter[] } {
  if (!rateLimits) return { spend: () => {}, meters: [] }
  const meter = createMeter('chain', chainLimit)
  return {
    meters: [meter],
    spend(who, whose = 'your wallet') {
      const { wait } = charge([[meter, who]])
      if (wait > 0)
        throw tooMany(
          meter.name,
          `Too many blockchain lookups for ${whose}, about NFT chats, NFTs or names: it may cause ${chainLimit.burst} at once and ${chainLimit.perSecond} a second. Leave some NFT chats, or try again in ${wait} s.`,
          wait,
        )
    },
  }
}
