// Who holds a token of an NFT contract. All configured chains are read at once: a contract is on
// those chains where its address has code, and a wallet is a holder when it holds one token on any
// of them. One chain that says yes is enough, even when others fail; the answer is no only when
// every chain has said no.
//
// The kind of a contract is found by ERC-165: ERC-721 (a balance over all tokens) or ERC-1155 (see
// erc1155.ts). An answer counts for a minute, what a contract is for an hour, and equal questions at
// the same time share one answer. Failures are not kept. The answer before stays in memory, for who
// may use it when the chain is away (messages/gate.ts).

import { LRUCache } from 'lru-cache'
import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { type Chain, configuredChains, readCode, readView } from './contract-view.ts'
import { holdsAnyId } from './erc1155.ts'
import { isEvmAddress } from '../values/formats.ts'

/** The part of a context that is needed here. */
interface Chains {
  config: Pick<Config, 'rpcUrls'>
}

export interface Holding {
  /** Whether the contract is on any configured chain. */
  deployed: boolean
  /** A chain on which the wallet holds a token of it. */
  chainId?: number
}

/** How long is known what a contract is. Where there is none, there may soon be one. */
const contractLifetime = 3_600_000

/** How long an answer about a wallet is given without asking again, in milliseconds. */
export const answerLifetime = 60_000

/**
 * Whether, and on which configured chain, a wallet holds a token of a contract. Throws 502 or 503
 * when that is unknown.
 */
export async function holdsToken({ config }: Chains, contract: string, wallet: string): Promise<Holding> {
  if (!isEvmAddress(contract)) return { deployed: false }
  const ask = () => askChains(config, contract, wallet)
  return (await memoryOf(config).holdings.fetch(pairOf(contract, wallet), { context: ask }))!
}

/**
 * What holdsToken last found out, however long ago that was, while it is in memory. Asks nobody.
 */
export function lastHolding(
  { config }: Chains,
  contract: string,
  wallet: string,
): { holding: Holding; age: number } | undefined {
  const { holdings } = memoryOf(config)
  const pair = pairOf(contract, wallet)
  const holding = holdings.peek(pair, { allowStale: true })
  return holding && { holding, age: answerLifetime - holdings.getRemainingTTL(pair) }
}

/** The name of a contract, at most 100 characters; empty when it has none. */
export const readName = ({ config }: Chains, chainId: number, contract: string): Promise<string> =>
  remember(config, `name ${chainId} ${contract}`, async () => {
    const chain = configuredChains(config).find(({ id }) => id === chainId)!
    const name = (await readView(chain, contract as Hex, views, 'name', [])) ?? ''
    // Anyone may deploy a contract with any name: control, format and unassigned characters are
    // removed.
    return Array.from(name.replaceAll(/\p{C}/gu, '')).slice(0, 100).join('')
  })

const views = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
])

async function askChains(config: Chains['config'], contract: Hex, wallet: string): Promise<Holding> {
  const answers = configuredChains(config).map((chain) => askChain(config, chain, contract, wallet))
  try {
    return await Promise.any(answers.map(async (answer) => requireYes(await answer)))
  } catch {
    // No chain said yes. One that failed might have, so its failure is thrown here.
    return { deployed: (await Promise.all(answers)).some(({ deployed }) => deployed) }
  }
}

const notHolder = Symbol('not a holder')

function requireYes(holding: Holding): Holding {
  if (holding.chainId === undefined) throw notHolder
  return holding
}

async function askChain(
  config: Chains['config'],
  chain: Chain,
  contract: Hex,
  wallet: string,
): Promise<Holding> {
  const kind = await remember(config, `kind ${chain.id} ${contract}`, () => findKind(chain, contract))
  if (kind === 'none') return { deployed: false }
  if (kind === 'other' || !isEvmAddress(wallet)) return { deployed: true }
  const balance = kind === 'ERC-1155' ? 0n : await readView(chain, contract, views, 'balanceOf', [wallet])
  const holds = (balance ?? 0n) > 0n || (kind !== 'ERC-721' && (await holdsAnyId(chain, contract, wallet)))
  return { deployed: true, ...(holds && { chainId: chain.id }) }
}

type Kind = 'none' | 'other' | 'ERC-721' | 'ERC-1155' | 'both'

// An account that runs the code of a contract (EIP-7702) is not a contract itself.
const delegation = /^0xef0100/i

async function findKind(chain: Chain, contract: Hex): Promise<Kind> {
  const code = await readCode(chain, contract)
  if (code === '0x' || delegation.test(code)) return 'none'
  const supports = (id: Hex) => readView(chain, contract, views, 'supportsInterface', [id])
  const [erc165, anything, erc721, erc1155] = await Promise.all(
    (['0x01ffc9a7', '0xffffffff', '0x80ac58cd', '0xd9b67a26'] as const).map(supports),
  )
  // Spec gap: contracts older than ERC-165 that have a balance (CryptoPunks) count as ERC-721.
  if (!erc165 || anything) return 'ERC-721'
  if (erc721 && erc1155) return 'both'
  return erc721 ? 'ERC-721' : erc1155 ? 'ERC-1155' : 'other'
}

interface Memory {
  /** What is known of contracts: their kinds and names. */
  contracts: LRUCache<string, string, () => Promise<string>>
  /** What is known of wallets, by contract and wallet. */
  holdings: LRUCache<string, Holding, () => Promise<Holding>>
}

const memories = new WeakMap<object, Memory>()

function memoryOf({ rpcUrls }: Chains['config']): Memory {
  const memory = memories.get(rpcUrls) ?? {
    contracts: createMemory((answer: string) => (answer === 'none' ? answerLifetime : contractLifetime)),
    holdings: createMemory(() => answerLifetime),
  }
  memories.set(rpcUrls, memory)
  return memory
}

/** The contract and the wallet of an answer. */
const pairOf = (contract: string, wallet: string) => `${contract} ${wallet}`

/** Answers a question about a contract from memory, or calls `ask`. */
const remember = async <T extends string>(
  config: Chains['config'],
  question: string,
  ask: () => Promise<T>,
) => (await memoryOf(config).contracts.fetch(question, { context: ask })) as T

/** Of many equal questions at once, one is asked. */
const createMemory = <Answer extends object | string>(lifetimeOf: (answer: Answer) => number) =>
  new LRUCache<string, Answer, () => Promise<Answer>>({
    max: 50_000,
    // Looked up at each call, because a test may replace the clock.
    perf: { now: () => performance.now() },
    fetchMethod: async (_question, _stale, { context: ask, options }) => {
      const answer = await ask()
      options.ttl = lifetimeOf(answer)
      return answer
    },
    // The last answer stays when the next question fails.
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    // Callers get their answer also when it was removed from memory meanwhile.
    ignoreFetchAbort: true,
  })
