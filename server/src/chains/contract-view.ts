import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  type PublicClient,
} from 'viem'
import { chainUnavailable, isExecutionError, rpcClient } from './client.ts'
import type { Config } from '../config/settings.ts'

/** A chain that can be asked. */
export interface Chain {
  id: number
  rpc: PublicClient
}

/** Every chain the operator has configured an RPC URL for. */
export const configuredChains = (config: Pick<Config, 'rpcUrls'>): Chain[] =>
  Object.keys(config.rpcUrls).map((id) => ({ id: Number(id), rpc: rpcClient(config, Number(id))! }))

/** The code at an address, `0x` where there is none. A chain that cannot be asked is a 502. */
export async function readCode({ id, rpc }: Chain, address: Hex): Promise<Hex> {
  try {
    return requireHex(await rpc.request({ method: 'eth_getCode', params: [address, 'latest'] }))
  } catch (error) {
    throw chainUnavailable(id, error)
  }
}

type ViewName<A extends Abi> = ContractFunctionName<A, 'view' | 'pure'>

/**
 * Asks a contract by a view function; undefined when it has none of that name, fails, or answers something else.
 * A chain that cannot be asked is a 502. (viem's readContract takes some failures of a node for one of the contract.)
 */
export async function readView<const A extends Abi, Name extends ViewName<A>>(
  { id, rpc }: Chain,
  to: Hex,
  abi: A,
  functionName: Name,
  args: ContractFunctionArgs<A, 'view' | 'pure', Name>,
): Promise<ContractFunctionReturnType<A, 'view' | 'pure', Name> | undefined> {
  const call = { abi, functionName, args } as unknown as { abi: Abi; functionName: string; args: unknown[] }
  let data: Hex
  try {
    data = requireHex(
      await rpc.request({ method: 'eth_call', params: [{ to, data: encodeFunctionData(call) }, 'latest'] }),
    )
  } catch (error) {
    if (isExecutionError(error)) return undefined
    throw chainUnavailable(id, error)
  }
  try {
    return decodeFunctionResult({ ...call, data }) as ContractFunctionReturnType<A, 'view' | 'pure', Name>
  } catch {
    return undefined
  }
}

/** A node's answer is from outside, whatever its type says. */
export function requireHex(answer: unknown): Hex {
  if (!isHex(answer)) throw new Error('the node answered something other than hexadecimal digits')
  return answer
}
