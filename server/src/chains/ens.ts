import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  parseAbi,
  type PublicClient,
} from 'viem'
import { getEnsAddress, getEnsName, normalize, toCoinType } from 'viem/ens'
import { longestChainName } from '@parley/sdk/contract/chain-names.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { minute } from '../lib/times.ts'
import { chainUnavailable, rpcClient } from './client.ts'
import { isExecutionError } from './execution-errors.ts'
import { createMemory } from './memory.ts'
import type { Config } from '../config/settings.ts'
import { isEvmAddress } from '../values/formats.ts'
import { looksLikeAddress } from '../values/look-alikes.ts'

/** ENS is on Ethereum; its names may point to what is on other chains. */
const ensChain = 1

/** This is the Universal Resolver (ENSIP-23), the one entry point of ENS, which is always at this address. */
export const universalResolver = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'

/** On these chains ENS has a registrar of the names that addresses say they have (ENSIP-19), at one address. */
const reverseChains = new Set([10, 8453, 42161, 59144, 534352])
export const reverseRegistrar = '0x0000000000D8e504002cC26E3Ec46D81971C1664'
const registrarAbi = parseAbi(['function nameForAddr(address addr) view returns (string name)'])

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
 * Returns true when a name in ENS belongs to an address, on Ethereum or on another chain. A chain that is out of reach is a 502.
 * Spec gap: nothing is confirmed where no RPC URL of Ethereum is configured.
 */
export async function confirmsName(
  config: Pick<Config, 'rpcUrls'>,
  name: string,
  address: string,
  chainId = ensChain,
): Promise<boolean> {
  // Otherwise the owner of `vitaiik.eth` could be `vitaIik.eth` here, with a capital i.
  if (normalizeName(name) !== name || !isEvmAddress(address)) return false
  return (await readOwner(config, name, chainId)) === address
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
async function readOwner(
  config: Pick<Config, 'rpcUrls'>,
  name: string,
  chainId = ensChain,
): Promise<string | undefined> {
  const rpc = rpcClient(config, ensChain)
  if (!rpc) return undefined
  try {
    const owner = await getEnsAddress(rpc, {
      name,
      universalResolverAddress: universalResolver,
      gatewayUrls: [],
      ...(chainId !== ensChain && { coinType: toCoinType(chainId) }),
    })
    return owner?.toLowerCase()
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw chainUnavailable(ensChain, error)
  }
}

/** Returns true when the service can ask a chain which name of ENS an address has there. */
export const hasReverseNames = (chainId: number): boolean =>
  chainId === ensChain || reverseChains.has(chainId)

/**
 * Returns the name that an address says it has on a chain, where that name points to it for this chain (ENSIP-19); undefined on
 * chains for which ENS has no such names. A chain that is out of reach is a 502.
 */
export async function findReverseName(
  config: Pick<Config, 'rpcUrls'>,
  chainId: number,
  address: Hex,
): Promise<string | undefined> {
  const rpc = hasEns(config) && hasReverseNames(chainId) ? rpcClient(config, chainId) : undefined
  if (!rpc) return undefined
  try {
    const name = chainId === ensChain ? await readEthereum(rpc, address) : await readRegistrar(rpc, address)
    if (!name || name.length > longestChainName || !name.includes('.') || looksLikeAddress(name))
      return undefined
    return (await confirmsName(config, name, address, chainId)) ? name : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error instanceof ApiError ? error : chainUnavailable(chainId, error)
  }
}

const readEthereum = (rpc: PublicClient, address: Hex) =>
  getEnsName(rpc, { address, universalResolverAddress: universalResolver, gatewayUrls: [] })

const readRegistrar = (rpc: PublicClient, address: Hex): Promise<string> =>
  rpc.readContract({
    address: reverseRegistrar,
    abi: registrarAbi,
    functionName: 'nameForAddr',
    args: [address],
  })

/** The contracts responded, but with no address. */
const isRefusal = (error: unknown) =>
  isExecutionError(error) ||
  (error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
    ) !== null)
