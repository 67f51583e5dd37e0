import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError, type Hex } from 'viem'
import { getEnsAddress, getEnsName, normalize } from 'viem/ens'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { minute } from '../lib/times.ts'
import { chainUnavailable, rpcClient } from './client.ts'
import { isExecutionError } from './execution-errors.ts'
import { createMemory } from './memory.ts'
import type { Config } from '../config/settings.ts'
import { isEvmAddress } from '../values/formats.ts'

/** ENS is on Ethereum; its names may point to what is on other chains. */
const ensChain = 1

/** This is the Universal Resolver (ENSIP-23), the one entry point of ENS, which is always at this address. */
export const universalResolver = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'

/** Results of ENS count for a minute. */
const memoryOf = createMemory<{ address: string | undefined }>(() => minute)

/** Returns true when ENS can be queried. */
export const hasEns = (config: Pick<Config, 'rpcUrls'>): boolean => rpcClient(config, ensChain) !== undefined

/** Returns a name as ENS writes it (ENSIP-15); undefined when it cannot be one. */
export function normalizeName(name: string): string | undefined {
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}

/**
 * Returns true when a name in ENS belongs to an address. A chain that is out of reach is a 502.
 * Spec gap: nothing is confirmed where no RPC URL of Ethereum is configured.
 */
export async function confirmsName(
  config: Pick<Config, 'rpcUrls'>,
  name: string,
  address: string,
): Promise<boolean> {
  // Otherwise the owner of `vitaiik.eth` could be `vitaIik.eth` here, with a capital i.
  if (normalizeName(name) !== name || !isEvmAddress(address)) return false
  return (await readOwner(config, name)) === address
}

/**
 * Returns the address that a name in ENS points to, by a result of the last minute. `spend` is called before the chain. A chain
 * that is out of reach is a 502.
 */
export async function findOwner(
  config: Pick<Config, 'rpcUrls'>,
  name: string,
  spend: () => void,
): Promise<string | undefined> {
  const ask = async () => {
    spend()
    return { address: await readOwner(config, name) }
  }
  return (await memoryOf(config).fetch(name, { context: ask }))!.address
}

/**
 * Spec gap: names that only a gateway outside of the chain could answer (EIP-3668) have no owner
 * here: it would have the service fetch any URL.
 */
async function readOwner(config: Pick<Config, 'rpcUrls'>, name: string): Promise<string | undefined> {
  const rpc = rpcClient(config, ensChain)
  if (!rpc) return undefined
  try {
    const owner = await getEnsAddress(rpc, {
      name,
      universalResolverAddress: universalResolver,
      gatewayUrls: [],
    })
    return owner?.toLowerCase()
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw chainUnavailable(ensChain, error)
  }
}

/**
 * Returns the name that an address says it has, where that name points to it; undefined on other chains than Ethereum. A chain
 * that is out of reach is a 502.
 */
export async function findReverseName(
  config: Pick<Config, 'rpcUrls'>,
  chainId: number,
  address: Hex,
): Promise<string | undefined> {
  const rpc = chainId === ensChain ? rpcClient(config, ensChain) : undefined
  if (!rpc) return undefined
  try {
    const name = await getEnsName(rpc, {
      address,
      universalResolverAddress: universalResolver,
      gatewayUrls: [],
    })
    return name && (await confirmsName(config, name, address)) ? name : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error instanceof ApiError ? error : chainUnavailable(ensChain, error)
  }
}

/** The contracts responded, but with no address. */
const isRefusal = (error: unknown) =>
  isExecutionError(error) ||
  (error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
    ) !== null)
