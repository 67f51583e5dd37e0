// Whether a wallet holds any token of an ERC-1155 contract. The standard has balances by id only, so the ids come from
// the contract's history: whatever a wallet holds was once transferred to it (TransferSingle, TransferBatch), and
// balanceOfBatch then tells what of that it still has.
//
// History is read in ranges of blocks, the newest first, and only until a token is found. Nodes refuse ranges that are too
// wide or hold too much, each with its own words and limits, so a refused range is halved; what worked is remembered for
// the chain, and twice that is tried next time. What has been read of a history is kept, so the next question about the same
// wallet reads only what is new, and one that ran out of its requests is continued rather than begun again.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import {
  decodeEventLog,
  encodeEventTopics,
  HttpRequestError,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  type PublicClient,
  ResponseBodyTooLargeError,
  TimeoutError,
} from 'viem'
import { chainUnavailable, rpcErrorOf } from './client.ts'
import { type Chain, readView, requireHex } from './contract-view.ts'

/** What one question may cost the node. */
const maxRequests = 60
const maxTime = 10_000
/** Blocks that a reorganisation may still replace are read again. */
const overlap = 64n
const idsPerCall = 256

const abi = parseAbi([
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
])
const transfers = (['TransferSingle', 'TransferBatch'] as const).map(
  (eventName) => encodeEventTopics({ abi, eventName })[0],
)

/** A range of blocks, both ends included. */
interface Range {
  from: bigint
  to: bigint
}

/** What has been read of the transfers of a contract to a wallet. */
interface History {
  read: Range | undefined
  ids: Set<bigint>
}

interface Memory {
  /** How many blocks the node last answered at once. */
  span: bigint | undefined
  histories: LRUCache<string, History>
}

const memories = new WeakMap<PublicClient, Memory>()

function memoryOf({ rpc }: Chain): Memory {
  const memory = memories.get(rpc) ?? {
    span: undefined,
    histories: new LRUCache<string, History>({
      maxSize: 500_000,
      sizeCalculation: ({ ids }) => ids.size + 1,
    }),
  }
  memories.set(rpc, memory)
  return memory
}

/** Tells whether a wallet holds a token of any id. 502 when the chain cannot be asked, 503 when it takes longer to tell. */
export async function holdsAnyId(chain: Chain, contract: Hex, wallet: Hex): Promise<boolean> {
  const memory = memoryOf(chain)
  const key = `${contract} ${wallet}`
  const { read, ids } = memory.histories.get(key) ?? { read: undefined, ids: new Set<bigint>() }
  const spend = startBudget(chain)
  const holdsOne = (some: bigint[]) => holdsOneOf(chain, contract, wallet, some, spend)
  if (await holdsOne([...ids])) return true

  const head = await readHead(chain)
  const history: History = { read, ids: new Set(ids) }
  let span = memory.span === undefined ? head + 1n : memory.span * 2n
  for (let range: Range | undefined; (range = nextRange(history.read, head, span));) {
    spend()
    const found = await readTransfers(chain, contract, wallet, range)
    const blocks = range.to - range.from + 1n
    if ('refusal' in found) {
      if (blocks === 1n) throw chainUnavailable(chain.id, found.refusal)
      span = blocks / 2n
      continue
    }
    if (blocks === span) memory.span = span
    const fresh = found.ids.filter((id) => !history.ids.has(id))
    for (const id of fresh) history.ids.add(id)
    history.read = join(history.read, range)
    memory.histories.set(key, { read: history.read, ids: history.ids })
    if (await holdsOne(fresh)) return true
  }
  return false
}

/** The blocks to read next: those that came since, from where reading ended, and then older ones downwards. */
function nextRange(read: Range | undefined, head: bigint, span: bigint): Range | undefined {
  if (read === undefined) return { from: max(head - span + 1n, 0n), to: head }
  if (read.to < head) {
    const from = max(read.to + 1n - min(overlap, span / 2n), 0n)
    return { from, to: min(from + span - 1n, head) }
  }
  if (read.from > 0n) return { from: max(read.from - span, 0n), to: read.from - 1n }
  return undefined
}

const join = (read: Range | undefined, { from, to }: Range): Range => ({
  from: read ? min(read.from, from) : from,
  to: read ? max(read.to, to) : to,
})
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a > b ? a : b)

function startBudget(chain: Chain): () => void {
  const end = performance.now() + maxTime
  let requests = 0
  return () => {
    if (++requests > maxRequests || performance.now() > end)
      throw new ApiError(
        'unavailable',
        `The token history of this contract on chain ${chain.id} is long and still being read; try again in a few seconds.`,
        { retryAfter: 2 },
      )
  }
}

async function holdsOneOf(chain: Chain, contract: Hex, wallet: Hex, ids: bigint[], spend: () => void) {
  for (let i = 0; i < ids.length; i += idsPerCall) {
    spend()
    const some = ids.slice(i, i + idsPerCall)
    const accounts = some.map(() => wallet)
    const balances = await readView(chain, contract, abi, 'balanceOfBatch', [accounts, some])
    if (balances?.some((balance) => balance > 0n)) return true
  }
  return false
}

async function readHead({ id, rpc }: Chain): Promise<bigint> {
  try {
    return BigInt(requireHex(await rpc.request({ method: 'eth_blockNumber' })))
  } catch (error) {
    throw chainUnavailable(id, error)
  }
}

type Found = { ids: bigint[] } | { refusal: unknown }

/** The ids of tokens that were transferred to a wallet in a range of blocks, or the node's refusal of that range. */
async function readTransfers(
  { id, rpc }: Chain,
  address: Hex,
  wallet: Hex,
  { from, to }: Range,
): Promise<Found> {
  const filter = {
    address,
    topics: [transfers, null, null, pad(wallet)] as [Hex[], null, null, Hex],
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

/** The ids of a transfer; none when the log only looks like one. */
function idsOf(log: { topics: [Hex, ...Hex[]]; data: Hex }): readonly bigint[] {
  try {
    const { eventName, args } = decodeEventLog({ abi, topics: log.topics, data: log.data })
    return eventName === 'TransferSingle' ? [args.id] : args.ids
  } catch {
    return []
  }
}

const noSuchMethod = -32601

/** Whether a smaller range may fare better: the node answered an error, took too long, or answered too much. */
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
