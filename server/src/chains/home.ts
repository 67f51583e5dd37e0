import type { Hex } from 'viem'
import type { Config } from '../config/settings.ts'
import { configuredChains, type ContractOnChain } from './contract-view.ts'
import { readKind } from './contracts.ts'

/**
 * Finds where a contract is: the first configured chain, by id, on which the address is a collection, else the first on which it
 * is any contract; undefined where it is on none. A chain that does not respond might be the one, so it is a 502: a contract with
 * the same address on a later chain never takes its place.
 */
export async function findHome(
  config: Pick<Config, 'rpcUrls'>,
  contract: Hex,
): Promise<ContractOnChain | undefined> {
  const chains = configuredChains(config)
  const kinds = chains.map((chain) => readKind(config, chain, contract))
  for (const kind of kinds) kind.catch(() => {})
  let other: ContractOnChain | undefined
  for (const [i, { id }] of chains.entries()) {
    const kind = await kinds[i]
    if (kind === 'other') other ??= { chain: id, contract }
    else if (kind !== 'none') return { chain: id, contract }
  }
  return other
}
