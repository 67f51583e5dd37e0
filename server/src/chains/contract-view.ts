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
  toHex,
} from 'viem'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { chainUnavailable, rpcClient } from './client.ts'
import { isExecutionError } from './execution-errors.ts'
import type { Config } from '../config/settings.ts'

export interface Chain {
  id: number
  rpc: PublicClient
  /** Its contracts are read as of this block; left out, as of the newest. */
  block?: bigint
}

/**
 * This is a contract with the chain that it is on. On another chain the same address may be another contract, with other owners
 * and holders: so code that reads either passes both.
 */
export interface ContractOnChain {
  chain: number
  contract: Hex
}

/** Returns the chain of an id. Throws 503 when the operator has configured no RPC URL for it, also when there once was one. */
export function chainOf(config: Pick<Config, 'rpcUrls'>, id: number): Chain {
  const rpc = rpcClient(config, id)
  if (rpc) return { id, rpc }
  throw new ApiError(
    'unavailable',
    `This service asks no node of chain ${id}: its operator can set RPC_URLS.`,
    {
      retryAfter: 3600,
    },
  )
}

export const configuredChains = (config: Pick<Config, 'rpcUrls'>): Chain[] =>
  Object.keys(config.rpcUrls).map((id) => ({ id: Number(id), rpc: rpcClient(config, Number(id))! }))

/** Returns the code at an address, `0x` where there is none. Throws 502 when the chain cannot be reached. */
export async function readCode({ id, rpc }: Chain, address: Hex): Promise<Hex> {
  try {
    return requireHex(await rpc.request({ method: 'eth_getCode', params: [address, 'latest'] }))
  } catch (error) {
    throw chainUnavailable(id, error)
  }
}

/** Returns true when there is a contract, or code that an account runs (EIP-7702). */
export const hasCode = async (chain: Chain, address: Hex): Promise<boolean> =>
  (await readCode(chain, address)) !== '0x'

// An account that runs the code of a contract (EIP-7702) is not a contract itself.
const delegation = /^0xef0100/i

/** Returns true when there is a contract that is not a plain account. */
export async function isContract(chain: Chain, address: Hex): Promise<boolean> {
  const code = await readCode(chain, address)
  return code !== '0x' && !delegation.test(code)
}

type ViewName<A extends Abi> = ContractFunctionName<A, 'view' | 'pure'>

interface Call {
  abi: Abi
  functionName: string
  args: unknown[]
}

/**
 * Returns the result of a contract's view function as bytes; undefined when the call fails in the contract. Throws 502 when the
 * chain cannot be reached. (viem's readContract reports some failures of a node as the contract's.)
 */
export async function readViewBytes(
  { id, rpc, block }: Chain,
  to: Hex,
  abi: Abi,
  functionName: string,
  args: unknown[],
  gas?: bigint,
): Promise<Hex | undefined> {
  try {
    const data = encodeFunctionData({ abi, functionName, args })
    const call = { to, data, ...(gas !== undefined && { gas: toHex(gas) }) }
    return requireHex(
      await rpc.request({
        method: 'eth_call',
        params: [call, block === undefined ? 'latest' : toHex(block)],
      }),
    )
  } catch (error) {
    if (isExecutionError(error)) return undefined
    throw chainUnavailable(id, error)
  }
}

/**
 * Calls a view function of a contract; undefined when the contract has none of that name, fails, or returns another type. Throws
 * 502 when the chain cannot be reached. `gas` bounds what the call computes and returns.
 */
export async function readView<const A extends Abi, Name extends ViewName<A>>(
  chain: Chain,
  to: Hex,
  abi: A,
  functionName: Name,
  args: ContractFunctionArgs<A, 'view' | 'pure', Name>,
  gas?: bigint,
): Promise<ContractFunctionReturnType<A, 'view' | 'pure', Name> | undefined> {
  const call = { abi, functionName, args } as unknown as Call
  const data = await readViewBytes(chain, to, call.abi, call.functionName, call.args, gas)
  if (data === undefined) return undefined
  try {
    return decodeFunctionResult({ ...call, data }) as ContractFunctionReturnType<A, 'view' | 'pure', Name>
  } catch {
    return undefined
  }
}

/** Checks a node's response, which may be anything, whatever its type says. */
export function requireHex(answer: unknown): Hex {
  if (!isHex(answer)) throw new Error('the node answered something other than hexadecimal digits')
  return answer
}
