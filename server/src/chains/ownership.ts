// Who holds a token of an NFT contract. All configured chains are read at once: a contract is on
// those chains where its address has code, and a wallet is a holder when it holds one token on any
// of them. One chain that says yes is enough, even when others fail; the answer is no only when
// every chain has said no.
//
// An ERC-721 contract has a balance over all tokens, for ERC-1155 see erc1155.ts. An answer counts
// for a minute, and equal questions at the same time share one answer. Failures are not kept. The
// answer before stays in memory, for who may use it when the chain is away (messages/gate.ts).

import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { type Chain, configuredChains, readView } from './contract-view.ts'
import { readKind } from './contracts.ts'
import { holdsAnyId } from './erc1155.ts'
import { createMemory } from './memory.ts'
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

/** How long an answer about a wallet is given without asking again, in milliseconds. */
export const answerLifetime = 60_000

/**
 * Whether, and on which configured chain, a wallet holds a token of a contract. Throws 502 or 503
 * when that is unknown.
 */
export async function holdsToken({ config }: Chains, contract: string, wallet: string): Promise<Holding> {
  if (!isEvmAddress(contract)) return { deployed: false }
  const ask = () => askChains(config, contract, wallet)
  return (await memoryOf(config).fetch(pairOf(contract, wallet), { context: ask }))!
}

/**
 * What holdsToken last found out, however long ago that was, while it is in memory. Asks nobody.
 */
export function lastHolding(
  { config }: Chains,
  contract: string,
  wallet: string,
): { holding: Holding; age: number } | undefined {
  const holdings = memoryOf(config)
  const pair = pairOf(contract, wallet)
  const holding = holdings.peek(pair, { allowStale: true })
  return holding && { holding, age: answerLifetime - holdings.getRemainingTTL(pair) }
}

const views = parseAbi(['function balanceOf(address) view returns (uint256)'])

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
  const kind = await readKind(config, chain, contract)
  if (kind === 'none') return { deployed: false }
  if (kind === 'other' || !isEvmAddress(wallet)) return { deployed: true }
  const balance = kind === 'ERC-1155' ? 0n : await readView(chain, contract, views, 'balanceOf', [wallet])
  const holds = (balance ?? 0n) > 0n || (kind !== 'ERC-721' && (await holdsAnyId(chain, contract, wallet)))
  return { deployed: true, ...(holds && { chainId: chain.id }) }
}

/** What is known of wallets, by contract and wallet. */
const memoryOf = createMemory<Holding>(() => answerLifetime)

/** The contract and the wallet of an answer. */
const pairOf = (contract: string, wallet: string) => `${contract} ${wallet}`
