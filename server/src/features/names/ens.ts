import { ContractFunctionRevertedError, ContractFunctionZeroDataError, BaseError } from 'viem'
import { getEnsAddress, normalize } from 'viem/ens'
import { chainUnavailable, isExecutionError, rpcClient } from '../../chains/client.ts'
import type { Config } from '../../config/settings.ts'
import { isEvmAddress } from '../../values/formats.ts'

/** ENS is on Ethereum; its names may point to what is on other chains. */
const ensChain = 1

/**
 * The Universal Resolver (ENSIP-23), the one entry point of ENS, which is always at this address.
 */
export const universalResolver = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'

/**
 * Whether a name in ENS belongs to an address. A chain that is out of reach is a 502.
 * Spec gap: nothing is confirmed where no RPC URL of Ethereum is configured, nor are names that
 * only a gateway outside of the chain could confirm (EIP-3668): it would have the service fetch any
 * URL.
 */
export async function confirmsName(
  config: Pick<Config, 'rpcUrls'>,
  name: string,
  address: string,
): Promise<boolean> {
  const rpc = rpcClient(config, ensChain)
  if (!rpc || !isNormalized(name) || !isEvmAddress(address)) return false
  try {
    const owner = await getEnsAddress(rpc, {
      name,
      universalResolverAddress: universalResolver,
      gatewayUrls: [],
    })
    return owner?.toLowerCase() === address
  } catch (error) {
    if (isRefusal(error)) return false
    throw chainUnavailable(ensChain, error)
  }
}

/**
 * ENSIP-15. Without it, the owner of `vitaiik.eth` could be `vitaIik.eth` here, with a capital i.
 */
function isNormalized(name: string): boolean {
  try {
    return normalize(name) === name
  } catch {
    return false
  }
}

/** The contracts answered, but with no address. */
const isRefusal = (error: unknown) =>
  isExecutionError(error) ||
  (error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
    ) !== null)
