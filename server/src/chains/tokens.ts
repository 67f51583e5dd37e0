// What the chains know of one token: where it is, who owns it, and where its metadata is.

import { type Hex, isAddress, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { type Chain, configuredChains, readView } from './contract-view.ts'
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

/**
 * A token of a contract on any configured chain, rather one that says where its metadata is;
 * undefined when none has such a contract. Throws 502 when a chain does not answer and no other one
 * has it.
 */
export async function findToken(config: Settings, contract: Hex, id: bigint): Promise<Token | undefined> {
  const answers = await Promise.allSettled(
    configuredChains(config).map((chain) => readToken(config, chain, contract, id)),
  )
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : []))
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (found.length === 0 && failed) throw failed.reason
  return found.find(({ uri }) => uri) ?? found[0]
}

async function readToken(
  config: Settings,
  chain: Chain,
  contract: Hex,
  id: bigint,
): Promise<Token | undefined> {
  const kind = await readKind(config, chain, contract)
  if (kind === 'none' || kind === 'other') return undefined
  const ask = (name: 'tokenURI' | 'uri') => readView(chain, contract, views, name, [id])
  const [collection, uri] = await Promise.all([
    readName({ config }, chain.id, contract),
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
  { chainId, contract, id }: { chainId: number; contract: Hex; id: bigint },
  beforeAsking: () => void,
): Promise<string> {
  const ask = async () => {
    beforeAsking()
    const chain = configuredChains(config).find((one) => one.id === chainId)!
    const owner = await readView(chain, contract, views, 'ownerOf', [id])
    return { owner: owner && isAddress(owner) ? owner.toLowerCase() : '' }
  }
  return (await ownersOf(config).fetch(`${chainId} ${contract} ${id}`, { context: ask }))!.owner
}
