// The gate of a chat says whether a wallet may read and post in it. All code that shows, counts or mails posts of a chat checks
// it; a bookmark is no permission. bans.ts also refuses wallets that a moderator has banned from a chat.
//
// Spec gap: who may read and post in an NFT chat. Where its contract is on a configured chain,
// those who hold a token of it on that chain (home-chains.ts); else any signed-in wallet. A contract
// of ERC-20 is no NFT: everybody can buy a part of a coin, so its chat is open to any signed-in
// wallet until its owner sets a gate. rule-gate.ts adds the rules that owners set.
//
// A result counts for a minute (chains/ownership.ts), also for streams that stay open. While the chain does not respond, the
// last result counts, but not longer than ten minutes; then the chat is closed.
//
// Calls to the chains have limits: a budget for each wallet whose chats are checked, the number of calls at once, and a timeout
// for lists. A chat without a result in time is closed, but the call goes on, so the next request finds its result. The limits
// hold for each instance.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Gate as GateInWords } from '@parley/sdk/contract/gate-models.ts'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type * as ownership from '../chains/ownership.ts'
import type { ContractOnChain } from '../chains/contract-view.ts'
import { type Config, hasChains } from '../config/settings.ts'
import { isEvmAddress } from '../values/formats.ts'
import type { Meter } from '../limits/token-buckets.ts'
import { askForList, openQuestions, type Spend } from './chain-questions.ts'
import { type HomeChains, type HomeStore, openHomeChains } from './home-chains.ts'

export interface Gate {
  /** Returns true when some chats may be closed to a wallet. */
  concerns: (wallet: string) => boolean
  /** Returns true when a chat is only for some wallets. */
  isForHolders: (chat: string) => boolean
  /** Returns true when some wallets may be refused in a chat. The chat is given by its key (chat-key.ts), as in all of these. */
  guards: (chat: string) => boolean
  /** Throws 403 when a wallet may not read a chat; 502 or 503 when that is unknown. */
  require: (chat: string, wallet: string) => Promise<void>
  /** Throws as `require` does when a wallet may not post in a chat. */
  requirePost: (chat: string, wallet: string) => Promise<void>
  /** Returns the rules that the owner of a chat and of its community have set, without the wallets of lists. */
  wordsOf: (chat: string) => GateInWords
  /** Returns the chats that a wallet may not read, after two seconds at the most. */
  closedTo: (wallet: string, chats: string[]) => Promise<string[]>
  /** Returns true when a wallet may read a chat, by what is known. */
  mayRead: (chat: string, wallet: string) => boolean
  /** Returns true when that is known well enough; else closedTo must call a chain. */
  isSettled: (chat: string, wallet: string) => boolean
  /**
   * Returns true when a wallet holds a token of a contract; undefined while that is unknown. Throws 429 as `spend` does. It calls
   * the chain also where a result counts, if `isForced`.
   */
  holds: (on: ContractOnChain, wallet: string, isForced?: boolean) => Promise<boolean | undefined>
  /** Finds and stores the chains of contracts. */
  homes: Pick<HomeChains, 'find' | 'keep' | 'last'>
  /** Counts another call to the chains that a wallet or a network address causes, or throws 429. */
  spend: Spend
  /** These are its token buckets, which all instances share. */
  meters: Meter[]
}

type Settings = Pick<Config, 'rpcUrls'> & Parameters<typeof openQuestions>[0]

export const longestAge = 600_000

const noRules: GateInWords = { read_words: '', post_words: '' }

/** Where no chain is configured, every chat is open and nothing is called. */
const openToAll: Gate = {
  concerns: () => false,
  isForHolders: () => false,
  guards: () => false,
  require: async () => {},
  requirePost: async () => {},
  wordsOf: () => noRules,
  closedTo: async () => [],
  mayRead: () => true,
  isSettled: () => true,
  holds: async () => undefined,
  homes: { find: async () => undefined, keep: async (on) => on, last: () => undefined },
  spend: () => {},
  meters: [],
}

export async function openGate(config: Settings, store: HomeStore): Promise<Gate> {
  if (!hasChains(config)) return openToAll
  const homes = openHomeChains(config, store)
  const chains = await import('../chains/ownership.ts')
  const { answerLifetime, holdsToken, lastHolding } = chains
  const [{ readKind }, { chainOf }] = await Promise.all([
    import('../chains/contracts.ts'),
    import('../chains/contract-view.ts'),
  ])
  const questions = openQuestions(config)
  const { failures, isRefused, askOnce, turnsOf, spend, meters } = questions
  const keyOf = (chat: string, wallet: string) => `${chat} ${wallet}`
  const guards = isEvmAddress
  /** These contracts are of ERC-20, as of the time of performance.now(). */
  const coins = new LRUCache<string, number>({ maxSize: 50_000, sizeCalculation: () => 1 })

  /** Returns what is known of a wallet in a chat, and its age in milliseconds. */
  function lastOf(chat: string, wallet: string): { isOpen: boolean; age: number } | undefined {
    const home = homes.last(chat)
    if (!home?.on) return home && { isOpen: true, age: home.age }
    const coin = coins.get(chat)
    if (coin !== undefined) return { isOpen: true, age: performance.now() - coin }
    const last = lastHolding({ config }, home.on, wallet)
    return last && { isOpen: last.holds, age: Math.max(last.age, home.age) }
  }

  /** Returns the result that counts: none for a wallet whose budget is used up. */
  function answerOf(chat: string, wallet: string): boolean | undefined {
    if (isRefused(keyOf(chat, wallet))) return undefined
    const last = lastOf(chat, wallet)
    return !last || last.age > longestAge ? undefined : last.isOpen
  }

  /** Returns true when no call is needed now. */
  const isSettled = (chat: string, wallet: string) =>
    (lastOf(chat, wallet)?.age ?? Infinity) < answerLifetime || failures.has(keyOf(chat, wallet))

  /** Finds out whether a wallet may read a chat; answerOf then returns the result. */
  const ask = (chat: Hex, wallet: string, run = turnsOf(chat)): Promise<unknown> =>
    askOnce(
      keyOf(chat, wallet),
      wallet,
      async () => {
        const home = await homes.find(chat)
        if (!home) return
        if ((await readKind(config, chainOf(config, home.chain), home.contract)) === 'ERC-20') {
          coins.set(chat, performance.now())
          return
        }
        coins.delete(chat)
        if (!(await holdsToken({ config }, home, wallet))) return
        const stored = await homes.keep(home)
        // Another instance has stored another chain.
        if (stored.chain !== home.chain) await holdsToken({ config }, stored, wallet)
      },
      run,
    )

  async function require(chat: string, wallet: string): Promise<void> {
    if (!guards(chat)) return
    if (!isSettled(chat, wallet)) await ask(chat, wallet, (work) => work())
    const isOpen = answerOf(chat, wallet)
    if (isOpen) return
    const failure = failures.get(keyOf(chat, wallet))
    throw isOpen === undefined && failure ? failure : notHolder(chat, wallet)
  }

  return {
    concerns: () => true,
    isForHolders: guards,
    spend,
    meters,
    guards,
    homes,
    require,
    requirePost: require,
    wordsOf: () => noRules,
    async closedTo(wallet, chats) {
      const guarded = chats.filter(guards)
      const unsettled = guarded.filter((chat) => !isSettled(chat, wallet))
      await askForList(unsettled, (chat) => ask(chat, wallet))
      return guarded.filter((chat) => !answerOf(chat, wallet))
    },
    holds: holdsBy(config, questions, chains),
    mayRead: (chat, wallet) => !guards(chat) || answerOf(chat, wallet) === true,
    isSettled: (chat, wallet) => !guards(chat) || isSettled(chat, wallet),
  }
}

/** Makes the check whether a wallet holds a token of any contract. */
const holdsBy =
  (
    config: Settings,
    { askOnce, failures, isRefused }: ReturnType<typeof openQuestions>,
    { answerLifetime, holdsToken, lastHolding, questionOf }: typeof ownership,
  ): Gate['holds'] =>
  async (on, wallet, isForced = false) => {
    const key = questionOf(on, wallet)
    const last = () => lastHolding({ config }, on, wallet)
    if (isForced || ((last()?.age ?? Infinity) >= answerLifetime && !failures.has(key)))
      await askOnce(
        key,
        wallet,
        () => holdsToken({ config }, on, wallet, isForced),
        (work) => work(),
      )
    if (isRefused(key)) throw failures.get(key)!
    const found = last()
    return !found || found.age > longestAge ? undefined : found.holds
  }

const notHolder = (contract: string, wallet: string) =>
  new ApiError(
    'forbidden',
    `This chat is for holders: ${wallet} holds no token of ${contract}. A token received just now counts within a minute.`,
  )
