// Finds the last block of a chain at a time, by interpolation with a bisection every second round: most chains take four to eight
// requests, none more than twice the number of bits of its height. A result is the same on all instances, and is cached.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { hour } from '../lib/times.ts'
import { chainUnavailable, rpcErrorOf } from './client.ts'
import { type Chain, chainOf, type ContractOnChain, readView, requireHex } from './contract-view.ts'
import { createMemory } from './memory.ts'

interface Block {
  number: bigint
  /** It is in seconds, as on the chain. */
  time: bigint
}

const found = createMemory<{ number: bigint }>(() => hour, 20_000)

/** Returns the number of the last block at a time in milliseconds: 0 for a time before the first. Throws 502 as readView does. */
export async function blockAt(
  config: Pick<Config, 'rpcUrls'>,
  chain: Chain,
  ms: number,
  beforeSearch: () => void,
): Promise<bigint> {
  const context = async () => {
    beforeSearch()
    return { number: await search(chain, BigInt(Math.floor(ms / 1000))) }
  }
  return (await found(config).fetch(`${chain.id} ${ms}`, { context }))!.number
}

async function search(chain: Chain, time: bigint): Promise<bigint> {
  let [first, last] = await Promise.all([readBlock(chain, 0n), readBlock(chain, 'latest')])
  if (time >= last.time) return last.number
  if (time < first.time) return 0n
  for (let round = 0; last.number - first.number > 1n; round++) {
    const blocks = last.number - first.number
    const part = round % 2 === 0 ? ((time - first.time) * blocks) / (last.time - first.time) : blocks / 2n
    const next = first.number + (part < 1n ? 1n : part >= blocks ? blocks - 1n : part)
    const block = await readBlock(chain, next)
    if (block.time <= time) first = block
    else last = block
  }
  return first.number
}

async function readBlock({ id, rpc }: Chain, at: bigint | 'latest'): Promise<Block> {
  try {
    const number = at === 'latest' ? at : (`0x${at.toString(16)}` as const)
    const block = await rpc.request({ method: 'eth_getBlockByNumber', params: [number, false] })
    return { number: BigInt(requireHex(block?.number)), time: BigInt(requireHex(block?.timestamp)) }
  } catch (error) {
    throw chainUnavailable(id, error)
  }
}

const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])

/** Returns whether the node of a chain can read a contract as of a time: many have the newest blocks alone. Throws 502 while it is away. */
export async function readsPast(
  config: Pick<Config, 'rpcUrls'>,
  { chain: id, contract }: ContractOnChain,
  ms: number,
  beforeCall: () => void,
): Promise<boolean> {
  const chain = chainOf(config, id)
  const block = await blockAt(config, chain, ms, beforeCall)
  beforeCall()
  try {
    await readView({ ...chain, block }, contract, abi, 'balanceOf', [contract], 3_000_000n)
    return true
  } catch (failure) {
    if (failure instanceof ApiError && rpcErrorOf(failure.cause)) return false
    throw failure
  }
}
