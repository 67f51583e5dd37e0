// The gate of a chat: whether a wallet may read and post in it. Everything that shows, counts
// or mails what a chat holds asks here; a bookmark is no permission. Whom a moderator has banned from
// a chat is kept out of any (bans.ts).
//
// Spec gap: who may read and post in an NFT chat. Where its contract is on a configured chain,
// holders; else any signed-in wallet.
//
// An answer counts for a minute (chains/ownership.ts), also for streams that stay open. While the
// chain does not answer, the last answer counts, but not longer than ten minutes; then the chat is
// closed.
//
// What the chains are asked is bounded: by a budget for each wallet whose chats are asked about, by
// the number of questions at once, and by how long a list waits for them. A chat of which nothing is
// known in time is closed, and is asked on, so the next request finds it. The bounds hold for each
// instance.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type Config, hasChains } from '../config/settings.ts'
import { atMost } from '../lib/at-most.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { bucketOf, createMeter } from '../limits/token-buckets.ts'
import { tooMany } from '../limits/too-many.ts'
import { isEvmAddress } from '../values/formats.ts'

export interface Gate {
  /** Whether some chats may be closed to a wallet. */
  concerns: (wallet: string) => boolean
  /** Whether a chat is for holders. */
  isForHolders: (chat: string) => boolean
  /**
   * Whether some wallets may be kept out of a chat. The chat is given by its key (chat-key.ts), as
   * in all of these.
   */
  guards: (chat: string) => boolean
  /** Throws 403 when a wallet may not read and post in a chat; 502 or 503 when that is unknown. */
  require: (chat: string, wallet: string) => Promise<void>
  /** Those of some chats that a wallet may not read, after two seconds at the most. */
  closedTo: (wallet: string, chats: string[]) => Promise<string[]>
  /** Whether a wallet may read a chat, by what is known. */
  mayRead: (chat: string, wallet: string) => boolean
  /** Whether that is known well enough: else a chain must be asked, by closedTo. */
  isSettled: (chat: string, wallet: string) => boolean
  /** Whether a wallet holds a token of a contract; undefined while that is unknown. Throws 429 as `spend` does. */
  holds: (contract: string, wallet: string) => Promise<boolean | undefined>
  /** Counts another question to the chains that a wallet causes, or throws 429. */
  spend: (wallet: string) => void
}

type Settings = Pick<Config, 'rpcUrls' | 'rateLimits' | 'chainLimit'>

const longestAge = 600_000
/** How long a list waits for the chains, in milliseconds. */
const patience = 2_000
/** After a question that failed, how long it is not asked again, in milliseconds. */
const pause = 2_000
/** Questions at once: of one list, and of all. */
const ofOneList = 8
const ofAll = 64

/** Where no chain is configured, every chat is open and nothing is asked. */
const openToAll: Gate = {
  concerns: () => false,
  isForHolders: () => false,
  guards: () => false,
  require: async () => {},
  closedTo: async () => [],
  mayRead: () => true,
  isSettled: () => true,
  holds: async () => undefined,
  spend: () => {},
}

export async function openGate(config: Settings): Promise<Gate> {
  if (!hasChains(config)) return openToAll
  const { answerLifetime, holdsToken, lastHolding } = await import('../chains/ownership.ts')
  const inTurn = atMost(ofAll)
  const takeFromBudget = budgetOf(config)
  const asked = new Map<string, Promise<unknown>>()
  const failures = new LRUCache<string, Error>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    ttl: pause,
    perf: { now: () => performance.now() },
  })
  const keyOf = (chat: string, wallet: string) => `${chat} ${wallet}`
  const guards = isEvmAddress

  /** The answer that counts: not one of whose budget is used up. */
  function answerOf(chat: string, wallet: string): boolean | undefined {
    const failure = failures.get(keyOf(chat, wallet))
    if (failure instanceof ApiError && failure.code === 'rate_limited') return undefined
    const last = lastHolding({ config }, chat, wallet)
    if (!last || last.age > longestAge) return undefined
    return !last.holding.deployed || last.holding.chainId !== undefined
  }

  /** Whether there is nothing to ask now. */
  const isSettled = (chat: string, wallet: string) =>
    (lastHolding({ config }, chat, wallet)?.age ?? Infinity) < answerLifetime ||
    failures.has(keyOf(chat, wallet))

  /** Asks the chains once for all who wait for it. What comes of it, answerOf knows. */
  function ask(chat: string, wallet: string, run = inTurn): Promise<unknown> {
    const key = keyOf(chat, wallet)
    const asking =
      asked.get(key) ??
      run(async () => {
        takeFromBudget(wallet)
        await holdsToken({ config }, chat, wallet)
      })
        .catch((failure: Error) => failures.set(key, failure))
        .finally(() => asked.delete(key))
    asked.set(key, asking)
    return asking
  }

  return {
    concerns: () => true,
    isForHolders: guards,
    spend: takeFromBudget,
    guards,
    async require(chat, wallet) {
      if (!guards(chat)) return
      if (!isSettled(chat, wallet)) await ask(chat, wallet, (work) => work())
      const isOpen = answerOf(chat, wallet)
      if (isOpen) return
      const failure = failures.get(keyOf(chat, wallet))
      throw isOpen === undefined && failure ? failure : notHolder(chat, wallet)
    },
    async closedTo(wallet, chats) {
      const guarded = chats.filter(guards)
      const unsettled = guarded.filter((chat) => !isSettled(chat, wallet))
      if (unsettled.length > 0)
        await Promise.race([
          forEachLimited(unsettled, ofOneList, (chat) => ask(chat, wallet)),
          sleep(patience, undefined, { ref: false }),
        ])
      return guarded.filter((chat) => !answerOf(chat, wallet))
    },
    async holds(contract, wallet) {
      if (!isSettled(contract, wallet)) await ask(contract, wallet, (work) => work())
      const failure = failures.get(keyOf(contract, wallet))
      if (failure instanceof ApiError && failure.code === 'rate_limited') throw failure
      const last = lastHolding({ config }, contract, wallet)
      return !last || last.age > longestAge ? undefined : last.holding.chainId !== undefined
    },
    mayRead: (chat, wallet) => !guards(chat) || answerOf(chat, wallet) === true,
    isSettled: (chat, wallet) => !guards(chat) || isSettled(chat, wallet),
  }
}

/** Counts a question about the chats of a wallet, or throws 429. */
function budgetOf({ rateLimits, chainLimit }: Settings): (wallet: string) => void {
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

const notHolder = (contract: string, wallet: string) =>
  new ApiError(
    'forbidden',
    `This chat is for holders: ${wallet} holds no token of ${contract}. A token received just now counts within a minute.`,
  )
