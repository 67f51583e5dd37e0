// Who holds a token of an NFT contract. Every configured chain is asked at once: a contract is on those chains where its
// address has code, and a wallet is a holder when it holds one token on any of them. One chain that says yes is enough,
// however the others are; a no is only a no when every chain has said so.
//
// What a contract is, is found by ERC-165: ERC-721 (a balance over all tokens) or ERC-1155 (see erc1155.ts). Answers are
// kept for a minute, a question that is being asked is not asked again beside it, and failures are forgotten at once.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { type Chain, configuredChains, readCode, readView } from './contract-view.ts'
import { holdsAnyId } from './erc1155.ts'
import { isEvmAddress } from '../values/formats.ts'

/** What of a context is needed here. */
interface Chains {
  config: Pick<Config, 'rpcUrls'>
}

export interface Holding {
  /** Whether the contract is on any configured chain. */
  deployed: boolean
  /** A chain on which the wallet holds a token of it. */
  chainId?: number
}

/** Tells whether, and on which configured chain, a wallet holds a token of a contract. Unknown is a 502 or 503. */
export async function holdsToken({ config }: Chains, contract: string, wallet: string): Promise<Holding> {
  if (!isEvmAddress(contract)) return { deployed: false }
  const answers = configuredChains(config).map((chain) => askChain(config, chain, contract, wallet))
  try {
    return await Promise.any(answers.map(async (answer) => requireYes(await answer)))
  } catch {
    // None said yes. A chain that could not be asked might have: its failure is the answer.
    return { deployed: (await Promise.all(answers)).some(({ deployed }) => deployed) }
  }
}

/** Throws 403 when an NFT chat is for holders and the wallet is none; 502 or 503 when that cannot be told. */
export async function requireHolder(ctx: Chains, contract: string, wallet: string): Promise<void> {
  const { deployed, chainId } = await holdsToken(ctx, contract, wallet)
  // Spec gap: who may read and post in an NFT chat. Where its contract can be asked, holders; else any signed-in wallet.
  if (deployed && chainId === undefined)
    throw new ApiError(
      'forbidden',
      `This chat is for holders: ${wallet} holds no token of ${contract}. A token received just now counts within a minute.`,
    )
}

/** What a contract calls itself, at most 100 characters; empty when it does not say. */
export const readName = ({ config }: Chains, chainId: number, contract: string): Promise<string> =>
  remember(config, `name ${chainId} ${contract}`, async () => {
    const chain = configuredChains(config).find(({ id }) => id === chainId)!
    const name = (await readView(chain, contract as Hex, views, 'name', [])) ?? ''
    // Anyone may deploy a contract, with any name: no control, format or unassigned characters.
    return Array.from(name.replaceAll(/\p{C}/gu, '')).slice(0, 100).join('')
  })

const views = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
])

const nothing = Symbol('not a holder')

function requireYes(holding: Holding): Holding {
  if (holding.chainId === undefined) throw nothing
  return holding
}

async function askChain(config: Chains['config'], chain: Chain, contract: Hex, wallet: string) {
  const kind = await remember(config, `kind ${chain.id} ${contract}`, () => findKind(chain, contract))
  if (kind === 'none') return { deployed: false }
  if (kind === 'other' || !isEvmAddress(wallet)) return { deployed: true }
  const holds = await remember(config, `holds ${chain.id} ${contract} ${wallet}`, async () => {
    const balance = kind === 'ERC-1155' ? 0n : await readView(chain, contract, views, 'balanceOf', [wallet])
    return (balance ?? 0n) > 0n || (kind !== 'ERC-721' && (await holdsAnyId(chain, contract, wallet)))
  })
  return { deployed: true, ...(holds && { chainId: chain.id }) }
}

type Kind = 'none' | 'other' | 'ERC-721' | 'ERC-1155' | 'both'

// An account that has delegated itself to code (EIP-7702) is no contract.
const delegation = /^0xef0100/i

async function findKind(chain: Chain, contract: Hex): Promise<Kind> {
  const code = await readCode(chain, contract)
  if (code === '0x' || delegation.test(code)) return 'none'
  const supports = (id: Hex) => readView(chain, contract, views, 'supportsInterface', [id])
  const [erc165, anything, erc721, erc1155] = await Promise.all(
    (['0x01ffc9a7', '0xffffffff', '0x80ac58cd', '0xd9b67a26'] as const).map(supports),
  )
  // Spec gap: contracts older than ERC-165 that tell a balance (CryptoPunks) count like ERC-721.
  if (!erc165 || anything) return 'ERC-721'
  if (erc721 && erc1155) return 'both'
  return erc721 ? 'ERC-721' : erc1155 ? 'ERC-1155' : 'other'
}

type Answer = string | boolean
type Memory = LRUCache<string, Answer, () => Promise<Answer>>

const memories = new WeakMap<object, Memory>()

/** Answers a question from memory, or by asking; of many who ask at once one does. */
async function remember<T extends Answer>(
  { rpcUrls }: Chains['config'],
  question: string,
  ask: () => Promise<T>,
): Promise<T> {
  const memory = memories.get(rpcUrls) ?? createMemory()
  memories.set(rpcUrls, memory)
  return (await memory.fetch(question, { context: ask })) as T
}

const createMemory = (): Memory =>
  new LRUCache({
    max: 50_000,
    ttl: 60_000,
    // The clock as it is now, which a test may have replaced.
    perf: { now: () => performance.now() },
    fetchMethod: (_question, _stale, { context: ask }) => ask(),
    // Whoever waits gets the answer, also when the question has been pushed out of memory meanwhile.
    ignoreFetchAbort: true,
  })
