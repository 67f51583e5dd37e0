// Says how much a wallet holds of what a condition of a gate names (messages/gate-rules.ts): an amount of ERC-20 in its smallest
// units, else a number of tokens.
//
// A result counts for 45 to 60 seconds: what was read at once, such as after an outage, is not read again at once. The previous
// result stays in memory. A call has little gas, so that no contract makes the node compute or return much. Only finished blocks
// are read, so what is borrowed and returned in one transaction never counts. Where a token must have been held for some time,
// blocks of that time are read too (past.ts): they change no more, so each is read once.

import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { hour, minute } from '../lib/times.ts'
import { isEvmAddress } from '../values/formats.ts'
import { blockAt } from './blocks.ts'
import { type Chain, chainOf, type ContractOnChain, readView } from './contract-view.ts'
import { holdsAnyId } from './erc1155.ts'
import { createMemory } from './memory.ts'
import { momentsOf, type Past } from './past.ts'
import { balanceOf, inTurn } from './together.ts'

type Settings = Pick<Config, 'rpcUrls'>

/** This is what a condition counts. */
export interface Counted extends ContractOnChain {
  standard: 'erc20' | 'erc721' | 'erc1155'
  /** Only tokens with these ids count; undefined for any. */
  ids?: bigint[] | undefined
  /** It is the same for equal conditions. */
  key: string
}

interface Balance {
  amount: bigint
  /** It was read at this time of performance.now(), and counts until the other without a new call. */
  at: number
  until: number
}

const gas = 3_000_000n
const idsAtOnce = 8

const views = parseAbi([
  'function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
  'function ownerOf(uint256) view returns (address)',
])

const lifetimeOf = ({ at, until }: { at: number; until: number }) => until - at
const balances = createMemory<Balance>(lifetimeOf, 200_000)
/** These are what wallets held at the least since a time. They do not end: a later time takes their place. */
const leasts = createMemory<{ amount: bigint; since: number }>(() => 0, 200_000)
const owners = createMemory<{ owner: string; at: number; until: number }>(lifetimeOf)

function now(): { at: number; until: number } {
  const at = performance.now()
  return { at, until: at + (0.75 + Math.random() / 4) * minute }
}

/**
 * Returns how much a wallet holds. Throws 502 or 503 when that is unknown. `beforeCall` runs before each call of the chain;
 * `isForced` calls it also where a result is known.
 */
export async function readBalance(
  config: Settings,
  counted: Counted,
  wallet: string,
  beforeCall: () => void,
  isForced = false,
): Promise<bigint> {
  if (!isEvmAddress(wallet)) return 0n
  const chain = chainOf(config, counted.chain)
  const ask = async () => ({
    amount: await count({ config, chain, beforeCall, isForced }, counted, wallet),
    ...now(),
  })
  const found = await balances(config).fetch(`${counted.key} ${wallet}`, {
    context: ask,
    forceRefresh: isForced,
  })
  return found!.amount
}

/** Returns the last result of readBalance of at most an age in milliseconds, or one that still counts. It calls no chain. */
export function lastBalance(
  config: Settings,
  { key }: Counted,
  wallet: string,
  longestAge = 0,
): bigint | undefined {
  if (!isEvmAddress(wallet)) return 0n
  const last = balances(config).peek(`${key} ${wallet}`, { allowStale: true })
  const time = performance.now()
  return last && (time < last.until || time - last.at < longestAge) ? last.amount : undefined
}

const pastKey = ({ key }: Counted, hours: number, wallet: string) => `${key} ${hours} ${wallet}`

/** Returns the least that a wallet held at moments of a past. Throws as readBalance does. */
export async function readLeast(
  config: Settings & { jwtSecret: string },
  counted: Counted,
  wallet: string,
  past: Past,
  beforeCall: () => void,
): Promise<bigint> {
  if (!isEvmAddress(wallet)) return 0n
  const today = chainOf(config, counted.chain)
  const held = async (moment: number) => {
    const chain = { ...today, block: await blockAt(config, today, moment, beforeCall) }
    return count({ config, chain, beforeCall, isForced: false }, counted, wallet)
  }
  const ask = async () => {
    const amounts = await Promise.all(momentsOf(config.jwtSecret, past).map(held))
    return { since: past.since, amount: amounts.reduce((least, one) => (one < least ? one : least)) }
  }
  const key = pastKey(counted, past.hours, wallet)
  const isOther = leasts(config).peek(key)?.since !== past.since
  const found = await leasts(config).fetch(key, { context: ask, forceRefresh: isOther })
  return found!.amount
}

/** Returns the result of readLeast for a past that began then or later. It calls no chain. */
export function lastLeast(
  config: Settings,
  counted: Counted,
  wallet: string,
  { hours, since }: Past,
): bigint | undefined {
  if (!isEvmAddress(wallet)) return 0n
  const last = leasts(config).peek(pastKey(counted, hours, wallet))
  return last && last.since >= since ? last.amount : undefined
}

interface Call {
  config: Settings
  chain: Chain
  beforeCall: () => void
  isForced: boolean
}

async function count(call: Call, { contract, standard, ids }: Counted, wallet: Hex): Promise<bigint> {
  const { chain, beforeCall } = call
  if (standard === 'erc721' && ids) return countOwned(call, contract, ids, wallet)
  beforeCall()
  if (standard !== 'erc1155') return balanceOf(chain, contract, wallet, gas)
  if (!ids) return (await inTurn(chain, () => holdsAnyId(chain, contract, wallet))) ? 1n : 0n
  const accounts = ids.map(() => wallet)
  const held = await inTurn(chain, () =>
    readView(chain, contract, views, 'balanceOfBatch', [accounts, ids], gas),
  )
  return (held ?? []).reduce((sum, one) => sum + one, 0n)
}

/** Counts the tokens of a list that a wallet owns. Who owns one is the same for all wallets, so it is read once for all. */
async function countOwned(
  { config, chain, beforeCall, isForced }: Call,
  contract: Hex,
  ids: bigint[],
  wallet: Hex,
): Promise<bigint> {
  let owned = 0n
  await forEachLimited(ids, idsAtOnce, async (id) => {
    const ask = async () => {
      beforeCall()
      const read = () => readView(chain, contract, views, 'ownerOf', [id], gas)
      const owner = ((await inTurn(chain, read)) ?? '').toLowerCase()
      return { owner, ...(chain.block === undefined ? now() : { at: 0, until: hour }) }
    }
    const key = `${chain.id} ${contract} ${id} ${chain.block ?? ''}`
    const found = await owners(config).fetch(key, { context: ask, forceRefresh: isForced })
    if (found!.owner === wallet) owned++
  })
  return owned
}
