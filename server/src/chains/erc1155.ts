// Says whether a wallet holds any token of an ERC-1155 contract. The standard has balances by id only, so the ids are read from
// the contract's history: every token that a wallet holds was once transferred to it (TransferSingle, TransferBatch). Then
// balanceOfBatch says which of them it still has.
//
// History is read in ranges of blocks, the newest first, and only until a token is found. Nodes refuse ranges that are too wide
// or hold too much, each with its own messages and limits, so a refused range is halved. The width that worked is remembered for
// the chain, and twice that is tried next time. The blocks that were read are remembered too: the next request about the same
// wallet reads only newer ones, and one that used up its requests is continued.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import { type Hex, parseAbi, type PublicClient } from 'viem'
import { chainUnavailable } from './client.ts'
import { type Chain, readView, requireHex } from './contract-view.ts'
import { type Range, readTransfers } from './erc1155-transfers.ts'

/** One result takes at most this many requests to the node, and this many milliseconds. */
const maxRequests = 60
const maxTime = 10_000
/** The newest blocks are read again, because a reorganisation may have replaced them. */
const overlap = 64n
const idsPerCall = 256

const abi = parseAbi(['function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])'])

/** This has the transfers of a contract to a wallet, as far as they were read. */
interface History {
  read: Range | undefined
  ids: Set<bigint>
}

interface Memory {
  /** The node last accepted this many blocks. */
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

/**
 * Returns true when a wallet holds a token of any id. Throws 502 when the chain cannot be reached, and 503 when reading the
 * history takes longer.
 */
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

/** Returns the blocks to read next: first the new ones, oldest first, then older ones, newest first. */
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
