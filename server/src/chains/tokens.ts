// Reads what the chains know of one token: where it is, who owns it, and where its metadata is.

import { isAddress, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { minute } from '../lib/times.ts'
import { chainOf, type ContractOnChain, isContract, readView } from './contract-view.ts'
import { readKind, readName } from './contracts.ts'
import { createMemory } from './memory.ts'

type Settings = Pick<Config, 'rpcUrls'>

export interface Token {
  chainId: number
  /** This is the name of its contract, which may be empty. */
  collection: string
  /** This is the address of its metadata, as the contract says; it is empty when the contract says nothing. */
  uri: string
}

const views = parseAbi([
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
  'function ownerOf(uint256) view returns (address)',
])

/** Reads a token of a contract; undefined when that is no collection. Throws 502 when its chain does not respond. */
export async function readToken(
  config: Settings,
  on: ContractOnChain,
  id: bigint,
): Promise<Token | undefined> {
  const { contract } = on
  const chain = chainOf(config, on.chain)
  const kind = await readKind(config, chain, contract)
  if (kind === 'none' || kind === 'other' || kind === 'ERC-20') return undefined
  const ask = (name: 'tokenURI' | 'uri') => readView(chain, contract, views, name, [id])
  const [collection, uri] = await Promise.all([
    readName({ config }, on),
    kind === 'ERC-1155' ? ask('uri') : ask('tokenURI').then((found) => found ?? ask('uri')),
  ])
  // In ERC-1155 clients put the id in, as 64 hexadecimal digits in lower case.
  const text = uri?.replaceAll('{id}', id.toString(16).padStart(64, '0')) ?? ''
  return { chainId: chain.id, collection, uri: text }
}

export interface Owner {
  /** This is in lower case; it is empty when the contract does not say, as in ERC-1155. */
  owner: string
  /** This is true when the owner is a contract itself, such as a marketplace, an escrow or a smart wallet. */
  isContract: boolean
}

const ownersOf = createMemory<Owner>(() => minute)

/** Returns the owner of a token, as of at most a minute ago. Throws 502 when the chain does not respond. */
export async function readOwner(
  config: Settings,
  { chain, contract }: ContractOnChain,
  id: bigint,
  beforeAsking: () => void,
): Promise<Owner> {
  const ask = async () => {
    beforeAsking()
    const home = chainOf(config, chain)
    const owner = await readView(home, contract, views, 'ownerOf', [id])
    if (!owner || !isAddress(owner)) return { owner: '', isContract: false }
    return { owner: owner.toLowerCase(), isContract: await isContract(home, owner) }
  }
  return (await ownersOf(config).fetch(`${chain} ${contract} ${id}`, { context: ask }))!
}
