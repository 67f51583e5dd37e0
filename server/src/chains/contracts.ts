// Reads the kind of a contract, by ERC-165, and its name. Both are cached for an hour.

import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { hour, minute } from '../lib/times.ts'
import { cleanName } from './clean-name.ts'
import { type Chain, chainOf, type ContractOnChain, isContract, readView } from './contract-view.ts'
import { createMemory } from './memory.ts'

type Settings = Pick<Config, 'rpcUrls'>

/** This is `none` where there is no contract, `other` for one that is no token. */
export type Kind = 'none' | 'other' | 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'both'

/** Returns the kind of a contract on a chain. Throws 502 when the chain cannot be reached. */
export const readKind = (config: Settings, chain: Chain, contract: Hex): Promise<Kind> =>
  remember(config, `kind ${chain.id} ${contract}`, () => findKind(chain, contract))

/** Returns the name of a contract, at most 100 characters; empty when it has none. */
export const readName = ({ config }: { config: Settings }, { chain, contract }: ContractOnChain) =>
  remember(config, `name ${chain} ${contract}`, async () =>
    cleanName((await readView(chainOf(config, chain), contract, views, 'name', [])) ?? ''),
  )

const views = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function name() view returns (string)',
  'function decimals() view returns (uint256)',
])

async function findKind(chain: Chain, contract: Hex): Promise<Kind> {
  if (!(await isContract(chain, contract))) return 'none'
  const supports = (id: Hex) => readView(chain, contract, views, 'supportsInterface', [id])
  const [erc165, anything, erc721, erc1155] = await Promise.all(
    (['0x01ffc9a7', '0xffffffff', '0x80ac58cd', '0xd9b67a26'] as const).map(supports),
  )
  // Spec gap: contracts older than ERC-165 that have a balance (CryptoPunks) count as ERC-721, but not those that have decimals,
  // whose balances are amounts of money.
  if (!erc165 || anything) return (await hasDecimals(chain, contract)) ? 'ERC-20' : 'ERC-721'
  if (erc721 && erc1155) return 'both'
  if (erc721 || erc1155) return erc721 ? 'ERC-721' : 'ERC-1155'
  const isDraft = await Promise.all(drafts.map(supports))
  if (isDraft.includes(true)) return 'ERC-721'
  return (await hasDecimals(chain, contract)) ? 'ERC-20' : 'other'
}

/** Returns true for a contract whose tokens have parts, as those of ERC-20. CryptoPunks have 0 decimals. */
const hasDecimals = async (chain: Chain, contract: Hex): Promise<boolean> =>
  ((await readView(chain, contract, views, 'decimals', [])) ?? 0n) > 0n

/** Collections that are older than the final ERC-721 return these: its drafts of 2018, such as that of CryptoKitties. */
const drafts = ['0x9a20483d', '0x6466353c'] as const

// Where there is no contract, there may soon be one.
const memoryOf = createMemory<string>((answer) => (answer === 'none' ? minute : hour))

/** Returns a fact about a contract from the cache, or calls `ask`. */
const remember = async <T extends string>(config: Settings, question: string, ask: () => Promise<T>) =>
  (await memoryOf(config).fetch(question, { context: ask })) as T
