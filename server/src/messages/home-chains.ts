// Says on which chain the contract of an NFT chat is. An address is a different contract on each chain, and on another chain
// anybody may be able to deploy one there; so a chat has one home, and no other chain says who holds or owns. The home is
// searched in the order of the configured chains, and stored with the chat when it first matters: when a holder is let in, and
// when the chat is claimed. From then on it does not change.

import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { ContractOnChain } from '../chains/contract-view.ts'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { minute } from '../lib/times.ts'
import { chatBucket } from '../values/bucket.ts'

/** Stores homes. */
export interface HomeStore {
  get: (contract: string) => Promise<number | null>
  /** Stores a home unless there is one; returns the stored one. */
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

/** A home that is not stored is cached for this many milliseconds. */
const lifetime = minute

interface Home {
  /** This is undefined where no chain has the contract. */
  on: ContractOnChain | undefined
  isStored: boolean
}

export interface HomeChains {
  /** Finds the home of a contract; undefined where no chain has it. Throws 502 while that is unknown. */
  find: (contract: Hex) => Promise<ContractOnChain | undefined>
  /** Stores where a contract is, unless that is stored already; returns the stored home. */
  keep: (on: ContractOnChain) => Promise<ContractOnChain>
  /** Returns what `find` last found, and its age in milliseconds; a stored home has the age 0. It calls no chain. */
  last: (contract: string) => { on: ContractOnChain | undefined; age: number } | undefined
}

export function openHomeChains(config: Pick<Config, 'rpcUrls'>, store: HomeStore): HomeChains {
  const homes = new LRUCache<string, Home>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    perf: { now: () => performance.now() },
    async fetchMethod(contract, _stale, { options }) {
      const chain = await store.get(contract)
      const isStored = chain !== null
      options.ttl = isStored ? 0 : lifetime
      if (isStored) return { on: { chain, contract: contract as Hex }, isStored }
      const { findHome } = await import('../chains/home.ts')
      return { on: await findHome(config, contract as Hex), isStored }
    },
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
  })
  return {
    find: async (contract) => (await homes.fetch(contract))!.on,
    async keep(on) {
      if (homes.peek(on.contract, { allowStale: true })?.isStored) return on
      const stored = { ...on, chain: await store.keep(on.contract, on.chain) }
      homes.set(on.contract, { on: stored, isStored: true }, { ttl: 0 })
      return stored
    },
    last(contract) {
      const home = homes.peek(contract, { allowStale: true })
      return home && { on: home.on, age: home.isStored ? 0 : lifetime - homes.getRemainingTTL(contract) }
    },
  }
}
