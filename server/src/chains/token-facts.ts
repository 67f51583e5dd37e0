// Reads what the contract of a condition says of itself, once, when its rule is set: a contract that says something else later
// changes no rule.

import { type Hex, hexToString, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { cleanName } from './clean-name.ts'
import { type Chain, chainOf, type ContractOnChain, isContract, readView } from './contract-view.ts'
import { readKind } from './contracts.ts'

export interface TokenFacts {
  symbol: string
  name: string
  /** This is undefined for tokens that have no parts. */
  decimals?: number
}

const gas = 3_000_000n
const mostDecimals = 36n

const views = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
// Some of the first tokens have these as bytes.
const short = parseAbi(['function name() view returns (bytes32)', 'function symbol() view returns (bytes32)'])

/** Returns the facts; a text says why the contract does not fit a standard. Throws 502 when its chain does not respond. */
export async function readTokenFacts(
  config: Pick<Config, 'rpcUrls'>,
  { chain: id, contract }: ContractOnChain,
  standard: 'erc20' | 'erc721' | 'erc1155',
): Promise<TokenFacts | string> {
  const chain = chainOf(config, id)
  if (!(await isContract(chain, contract))) return `there is no contract at this address on chain ${id}`
  const kind = await readKind(config, chain, contract)
  const [symbol, name] = await Promise.all([
    readText(chain, contract, 'symbol', 24),
    readText(chain, contract, 'name', 60),
  ])
  if (standard === 'erc20') {
    const decimals = await readDecimals(chain, contract)
    if (typeof decimals === 'string') return decimals
    return { symbol, name, decimals }
  }
  const fits = standard === 'erc721' ? ['ERC-721', 'both'] : ['ERC-1155', 'both']
  const hasBalances =
    standard === 'erc1155' ||
    (await readView(chain, contract, views, 'balanceOf', [contract], gas)) !== undefined
  if (fits.includes(kind) && hasBalances) return { symbol, name }
  if (!hasBalances) return 'the contract has no balances, so nobody can hold a token of it'
  const is = kind === 'other' ? 'no collection of tokens' : `of ${kind}`
  return `the contract is ${is}, and not of ${standard === 'erc721' ? 'ERC-721' : 'ERC-1155'}`
}

async function readDecimals(chain: Chain, contract: Hex): Promise<number | string> {
  const [decimals, supply, balance] = await Promise.all([
    readView(chain, contract, views, 'decimals', [], gas),
    readView(chain, contract, views, 'totalSupply', [], gas),
    readView(chain, contract, views, 'balanceOf', [contract], gas),
  ])
  if (decimals === undefined || supply === undefined || balance === undefined)
    return 'the contract is not of ERC-20: it has no decimals, supply or balances'
  if (decimals > mostDecimals) return `the contract says that it has more than ${mostDecimals} decimals`
  return Number(decimals)
}

async function readText(chain: Chain, contract: Hex, what: 'symbol' | 'name', most: number): Promise<string> {
  const text = await readView(chain, contract, views, what, [], gas)
  const bytes = text === undefined ? await readView(chain, contract, short, what, [], gas) : undefined
  const clean = cleanName(text ?? (bytes ? hexToString(bytes) : ''))
  return Array.from(clean).slice(0, most).join('').trim()
}
