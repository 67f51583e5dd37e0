// On which chain the contract of an NFT chat is. An address is a contract of its own on each chain, and anybody may be able to
// deploy there what it is elsewhere; so a chat has one home, and no other chain says who holds or owns. The home is looked for
// in the order of the configured chains, and stored with the chat when it first matters: when a holder is let in, and when the
// chat is claimed. From then on it does not change.

import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { ContractOnChain } from '../chains/contract-view.ts'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { chatBucket } from '../values/bucket.ts'

/** Where homes are stored. */
export interface HomeStore {
  get: (contract: string) => Promise<number | null>
  /** Stores a home unless there is one; returns the one that is stored. */
  keep: (contract: string, chain: number) => Promise<number>
}

export const homeStore = (db: Db): HomeStore => ({
  async get(contract) {
    const [chat] = await db.query<{ home_chain: number | null }>(
      'select home_chain from group_chats where bucket = $1 and chat = $2',
      [chatBucket(contract), contract],
    )
    return chat?.home_chain ?? null
  },
  async keep(contract, chain) {
    const [chat] = await db.query<{ home_chain: number }>(
      `insert into group_chats as c (bucket, chat, nftaddr, context_type, home_chain) values ($1, $2, $2, 'nft', $3)
       on conflict (bucket, chat) do update set home_chain = coalesce(c.home_chain, excluded.home_chain)
       returning c.home_chain`,
      [chatBucket(contract), contract, chain],
    )
    return chat!.home_chain
  },
})

/** How long a home counts that is not stored, in milliseconds. */
const lifetime = 60_000

interface Home {
  /** Undefined where no chain has the contract. */
  on: ContractOnChain | undefined
  isKept: boolean
}

export interface HomeChains {
  /** The home of a contract; undefined where no chain has it. Throws 502 while that is unknown. */
  find: (contract: Hex) => Promise<ContractOnChain | undefined>
  /** Stores where a contract is unless that is stored; returns what is stored. */
  keep: (on: ContractOnChain) => Promise<ContractOnChain>
  /** What `find` last found, and how many milliseconds ago; 0 of what is stored. Asks nobody. */
  last: (contract: string) => { on: ContractOnChain | undefined; age: number } | undefined
}

export function openHomeChains(config: Pick<Config, 'rpcUrls'>, store: HomeStore): HomeChains {
  const homes = new LRUCache<string, Home>({
    max: 50_000,
    perf: { now: () => performance.now() },
    async fetchMethod(contract, _stale, { options }) {
      const chain = await store.get(contract)
      const isKept = chain !== null
      options.ttl = isKept ? 0 : lifetime
      if (isKept) return { on: { chain, contract: contract as Hex }, isKept }
      const { findHome } = await import('../chains/home.ts')
      return { on: await findHome(config, contract as Hex), isKept }
    },
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
  })
  return {
    find: async (contract) => (await homes.fetch(contract))!.on,
    async keep(on) {
      if (homes.peek(on.contract, { allowStale: true })?.isKept) return on
      const kept = { ...on, chain: await store.keep(on.contract, on.chain) }
      homes.set(on.contract, { on: kept, isKept: true }, { ttl: 0 })
      return kept
    },
    last(contract) {
      const home = homes.peek(contract, { allowStale: true })
      return home && { on: home.on, age: home.isKept ? 0 : lifetime - homes.getRemainingTTL(contract) }
    },
  }
}
