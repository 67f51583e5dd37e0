// The wallet that a contract names as its owner (ERC-173), on each configured chain.

import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { configuredChains, readView } from './contract-view.ts'

const views = parseAbi(['function owner() view returns (address)'])

/** The owners of a contract on all chains, in lower case. Throws 502 when a chain does not answer. */
export async function readOwners(config: Pick<Config, 'rpcUrls'>, contract: Hex): Promise<string[]> {
  const owners = await Promise.all(
    configuredChains(config).map((chain) => readView(chain, contract, views, 'owner', [])),
  )
  return owners.flatMap((owner) => (owner === undefined ? [] : [owner.toLowerCase()]))
}
