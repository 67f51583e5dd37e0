// What the chains know of one token: where it is, who owns it, and where its metadata is.

import { isAddress, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { chainOf, type ContractOnChain, readView } from './contract-view.ts'
import { readKind, readName } from './contracts.ts'
import { createMemory } from './memory.ts'

type Settings = Pick<Config, 'rpcUrls'>

export interface Token {
  chainId: number
  /** The name of its contract, which may be empty. */
  collection: string
  /** Where its metadata is, as the contract says; empty when it says nothing. */
  uri: string
}

const views = parseAbi([
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
  'function ownerOf(uint256) view returns (address)',
])

/** A token of a contract; undefined when that is no collection. Throws 502 when its chain does not answer. */
export async function readToken(
  config: Settings,
  on: ContractOnChain,
  id: bigint,
): Promise<Token | undefined> {
  const { contract } = on
  const chain = chainOf(config, on.chain)
  const kind = await readKind(config, chain, contract)
  if (kind === 'none' || kind === 'other') return undefined
  const ask = (name: 'tokenURI' | 'uri') => readView(chain, contract, views, name, [id])
  const [collection, uri] = await Promise.all([
    readName({ config }, on),
    kind === 'ERC-1155' ? ask('uri') : ask('tokenURI').then((found) => found ?? ask('uri')),
  ])
  // ERC-1155: clients put the id in, as 64 hexadecimal digits in lower case.
  const text = uri?.replaceAll('{id}', id.toString(16).padStart(64, '0')) ?? ''
  return { chainId: chain.id, collection, uri: text }
}

const minute = 60_000
const ownersOf = createMemory<{ owner: string }>(() => minute)

/**
 * Who owns a token, in lower case, a minute ago at most; empty when the contract does not say, as
 * ERC-1155. Throws 502 when the chain does not answer.
 */
export async function readOwner(
  config: Settings,
  { chain, contract }: ContractOnChain,
  id: bigint,
  beforeAsking: () => void,
): Promise<string> {
  const ask = async () => {
    beforeAsking()
    const owner = await readView(chainOf(config, chain), contract, views, 'ownerOf', [id])
    return { owner: owner && isAddress(owner) ? owner.toLowerCase() : '' }
  }
  return (await ownersOf(config).fetch(`${chain} ${contract} ${id}`, { context: ask }))!.owner
}
