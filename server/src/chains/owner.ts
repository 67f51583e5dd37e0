// Reads the wallet that a contract names as its owner (ERC-173).

import { parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { chainOf, type ContractOnChain, readView } from './contract-view.ts'

const views = parseAbi(['function owner() view returns (address)'])

/** Returns the owner of a contract in lower case; undefined when it names none. Throws 502 when its chain does not respond. */
export async function readContractOwner(
  config: Pick<Config, 'rpcUrls'>,
  { chain, contract }: ContractOnChain,
): Promise<string | undefined> {
  return (await readView(chainOf(config, chain), contract, views, 'owner', []))?.toLowerCase()
}
