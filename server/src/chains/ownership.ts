// Says who holds a token of an NFT contract, on the chain that the contract is on: a contract of the same address on another
// chain is another contract.
//
// An ERC-721 contract has a balance over all tokens; for ERC-1155 see erc1155.ts. A result counts for a minute, and equal calls
// at the same time share one result. Failures are not cached. The previous result stays in memory, for code that may use it when
// the chain is away (messages/gate.ts).

import type { Config } from '../config/settings.ts'
import { minute } from '../lib/times.ts'
import { chainOf, type ContractOnChain } from './contract-view.ts'
import { readKind } from './contracts.ts'
import { holdsAnyId } from './erc1155.ts'
import { createMemory } from './memory.ts'
import { balanceOf, inTurn } from './together.ts'
import { isEvmAddress } from '../values/formats.ts'

/** This is the part of a context that is needed here. */
interface Chains {
  config: Pick<Config, 'rpcUrls'>
}

interface Holding {
  holds: boolean
}

/** A result about a wallet is cached for this many milliseconds. */
export const answerLifetime = minute

/** Returns true when a wallet holds a token of a contract. Throws 502 or 503 when that is unknown. */
export async function holdsToken(
  { config }: Chains,
  on: ContractOnChain,
  wallet: string,
  forceRefresh = false,
): Promise<boolean> {
  const ask = () => askChain(config, on, wallet)
  return (await memoryOf(config).fetch(questionOf(on, wallet), { context: ask, forceRefresh }))!.holds
}

/** Returns the last result of holdsToken, of any age, while it is in memory. It calls no chain. */
export function lastHolding(
  { config }: Chains,
  on: ContractOnChain,
  wallet: string,
): { holds: boolean; age: number } | undefined {
  const holdings = memoryOf(config)
  const question = questionOf(on, wallet)
  const holding = holdings.peek(question, { allowStale: true })
  return holding && { ...holding, age: answerLifetime - holdings.getRemainingTTL(question) }
}

async function askChain(
  config: Chains['config'],
  { chain: id, contract }: ContractOnChain,
  wallet: string,
): Promise<Holding> {
  const chain = chainOf(config, id)
  const kind = await readKind(config, chain, contract)
  if (kind === 'none' || kind === 'other' || !isEvmAddress(wallet)) return { holds: false }
  const balance = kind === 'ERC-1155' ? 0n : await balanceOf(chain, contract, wallet)
  const hasIds = kind === 'ERC-1155' || kind === 'both'
  const holdsOne = () => inTurn(chain, () => holdsAnyId(chain, contract, wallet))
  return { holds: balance > 0n || (hasIds && (await holdsOne())) }
}

/** Caches the results about wallets. */
const memoryOf = createMemory<Holding>(() => answerLifetime)

/** Makes a key of the chain, the contract and the wallet of a result. */
export const questionOf = ({ chain, contract }: ContractOnChain, wallet: string) =>
  `${chain} ${contract} ${wallet}`
