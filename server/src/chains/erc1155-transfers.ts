// Reads the transfers of an ERC-1155 contract to a wallet, from the log of a node.

import {
  decodeEventLog,
  encodeEventTopics,
  HttpRequestError,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  ResponseBodyTooLargeError,
  TimeoutError,
} from 'viem'
import { chainUnavailable, rpcErrorOf } from './client.ts'
import type { Chain } from './contract-view.ts'

const abi = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const topics = (['TransferSingle', 'TransferBatch'] as const).map(
  (eventName) => encodeEventTopics({ abi, eventName })[0],
)

/** This is a range of blocks, both ends included. */
export interface Range {
  from: bigint
  to: bigint
}

type Found = { ids: bigint[] } | { refusal: unknown }

/**
 * Returns the ids of tokens that were transferred to a wallet in a range of blocks, or the node's refusal of that range. Throws
 * 502 when the chain cannot be reached.
 */
export async function readTransfers(
  { id, rpc }: Chain,
  address: Hex,
  wallet: Hex,
  { from, to }: Range,
): Promise<Found> {
  const filter = {
    address,
    topics: [topics, null, null, pad(wallet)] as [Hex[], null, null, Hex],
    fromBlock: numberToHex(from),
    toBlock: numberToHex(to),
  }
  try {
    const logs: unknown = await rpc.request({ method: 'eth_getLogs', params: [filter] })
    if (!Array.isArray(logs)) throw new Error('the node answered something other than a list of logs')
    return { ids: [...new Set(logs.flatMap(idsOf))] }
  } catch (error) {
    if (isRefusal(error)) return { refusal: error }
    throw chainUnavailable(id, error)
  }
}

/** Returns the ids of a transfer; none when the log is not one. */
function idsOf(log: { topics: [Hex, ...Hex[]]; data: Hex }): readonly bigint[] {
  try {
    const { eventName, args } = decodeEventLog({ abi, topics: log.topics, data: log.data })
    return eventName === 'TransferSingle' ? [args.id] : args.ids
  } catch {
    return []
  }
}

const noSuchMethod = -32601

/** Returns true when a smaller range may work: the node returned an error, too late, or too much. */
function isRefusal(error: unknown): boolean {
  const answer = rpcErrorOf(error)
  if (answer) return answer.code !== noSuchMethod
  if (error instanceof TimeoutError || error instanceof ResponseBodyTooLargeError) return true
  if (!(error instanceof HttpRequestError)) return false
  return (
    error.status === 400 ||
    error.status === 413 ||
    (error.cause instanceof Error && error.cause.name === 'TimeoutError')
  )
}
