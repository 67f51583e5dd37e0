import type { Hex } from 'viem'
import type { Config } from '../config/settings.ts'
import { findReverseName, hasReverseNames } from './ens.ts'

interface PrimaryName {
  name?: string
  /** The address has the name on this chain. */
  chain?: number
  /** This is false when a chain beside Ethereum did not respond. */
  isWhole: boolean
}

/**
 * Returns the name that a wallet has in ENS: on Ethereum, else on the first other chain that the operator has configured. A name
 * of another chain is worth less: a smart wallet may have another owner on each. When Ethereum is out of reach, this is a 502.
 */
export async function findPrimaryName(config: Pick<Config, 'rpcUrls'>, address: Hex): Promise<PrimaryName> {
  const chains = Object.keys(config.rpcUrls)
    .map(Number)
    .filter(hasReverseNames)
    .toSorted((one, other) => one - other)
  let isWhole = true
  for (const chain of chains)
    try {
      const name = await findReverseName(config, chain, address)
      if (name) return { name, chain, isWhole }
    } catch (error) {
      if (chain === 1) throw error
      isWhole = false
    }
  return { isWhole }
}
