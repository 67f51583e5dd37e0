// Reads the balances of many wallets at one contract in one call. A crowd may need them at once, such as all members of a chat
// after the chain was away: wallets that wait while calls about their contract are in flight go together, by Multicall3, where
// the chain has it. No timer delays a read.
//
// A call is about one contract alone, so one that uses up the gas of others uses up that of its own. What fails in such a call is
// read again alone. At most 64 calls to a chain run at once, of which a contract has four.

import {
  type Hex,
  multicall3Abi,
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  type PublicClient,
} from 'viem'
import { atMost } from '../lib/concurrency-limit.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { hour } from '../lib/times.ts'
import { type Chain, isContract, readView } from './contract-view.ts'

const ofChain = 64
const ofContract = 4
const walletsPerCall = 100
const aloneAtOnce = 8
const gasOfCall = 3_000_000n
const gasOfWallet = 100_000n

/** It has this address on every chain that it is on. */
const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])

interface Read {
  wallet: Hex
  gas: bigint | undefined
  resolve: (balance: bigint) => void
  reject: (failure: unknown) => void
}

interface Queue {
  waiting: Read[]
  running: number
}

interface Lane {
  inTurn: ReturnType<typeof atMost>
  queues: Map<string, Queue>
  hasMulticall?: { answer: Promise<boolean>; at: number }
}

const lanes = new WeakMap<PublicClient, Lane>()

function laneOf({ rpc }: Chain): Lane {
  const lane = lanes.get(rpc) ?? { inTurn: atMost(ofChain), queues: new Map() }
  lanes.set(rpc, lane)
  return lane
}

/** Runs a call to a chain when it is its turn. */
export const inTurn = <T>(chain: Chain, call: () => Promise<T>): Promise<T> => laneOf(chain).inTurn(call)

/**
 * Returns the balance of a wallet; 0 where the contract has none. Throws 502 when the chain cannot be reached. `gas` bounds a call for
 * it alone: some collections count all their tokens.
 */
export function balanceOf(chain: Chain, contract: Hex, wallet: Hex, gas?: bigint): Promise<bigint> {
  const { queues } = laneOf(chain)
  const key = `${contract} ${chain.block ?? ''}`
  const queue = queues.get(key) ?? { waiting: [], running: 0 }
  queues.set(key, queue)

  function sendNext() {
    const reads = queue.waiting.splice(0, walletsPerCall)
    if (reads.length > 0) void read(chain, contract, reads).then(sendNext)
    else if (--queue.running === 0) queues.delete(key)
  }

  return new Promise((resolve, reject) => {
    queue.waiting.push({ wallet, gas, resolve, reject })
    if (queue.running === ofContract) return
    queue.running++
    // Others of this turn of the event loop go along.
    setImmediate(sendNext)
  })
}

async function read(chain: Chain, contract: Hex, reads: Read[]): Promise<void> {
  try {
    const balances =
      reads.length > 1 && (await hasMulticall(chain)) ? await readMany(chain, contract, reads) : []
    const alone = reads.flatMap((one, i) => {
      const balance = balances[i]
      if (balance === undefined) return [one]
      one.resolve(balance)
      return []
    })
    await forEachLimited(alone, aloneAtOnce, async ({ wallet, gas, resolve, reject }) => {
      const call = () => readView(chain, contract, abi, 'balanceOf', [wallet], gas)
      await inTurn(chain, call).then((balance = 0n) => resolve(balance), reject)
    })
  } catch (failure) {
    for (const { reject } of reads) reject(failure)
  }
}

/** Returns the balances that one call returns: undefined for a wallet whose part of it has failed. */
async function readMany(chain: Chain, target: Hex, reads: Read[]): Promise<(bigint | undefined)[]> {
  const calls = reads.map(({ wallet }) => ({
    target,
    allowFailure: true,
    callData: encodeFunctionData({ abi, args: [wallet] }),
  }))
  const gas = gasOfCall + gasOfWallet * BigInt(reads.length)
  const results = await inTurn(chain, () =>
    readView(chain, multicall3, multicall3Abi, 'aggregate3', [calls], gas),
  )
  return (results ?? []).map(({ success, returnData }) => (success ? decode(returnData) : undefined))
}

function decode(data: Hex): bigint | undefined {
  try {
    return decodeFunctionResult({ abi, data })
  } catch {
    return undefined
  }
}

function hasMulticall(chain: Chain): Promise<boolean> {
  const lane = laneOf(chain)
  const known = lane.hasMulticall
  if (known && performance.now() - known.at < hour) return known.answer
  const answer = isContract(chain, multicall3)
  lane.hasMulticall = { answer, at: performance.now() }
  answer.catch(() => delete lane.hasMulticall)
  return answer
}
