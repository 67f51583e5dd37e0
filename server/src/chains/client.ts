import { BaseError, createPublicClient, http, type PublicClient, RpcRequestError } from 'viem'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Config } from '../config/settings.ts'
import { chainSeconds } from '../telemetry/metrics.ts'

const timeout = 5_000
const clients = new WeakMap<object, Map<number, PublicClient>>()

/** Returns the client of a chain, made once; undefined when the operator has configured no RPC URL for it. */
export function rpcClient(config: Pick<Config, 'rpcUrls'>, chainId: number): PublicClient | undefined {
  const { rpcUrls } = config
  const url = Object.hasOwn(rpcUrls, chainId) ? rpcUrls[chainId] : undefined
  if (!url) return undefined
  const known = clients.get(rpcUrls) ?? new Map<number, PublicClient>()
  const client = known.get(chainId) ?? connect(url, chainId)
  clients.set(rpcUrls, known.set(chainId, client))
  return client
}

const connect = (url: string, chain: number): PublicClient =>
  createPublicClient({
    // Otherwise any contract could make the service fetch any URL (EIP-3668).
    ccipRead: false,
    transport: http(url, {
      retryCount: 0,
      timeout,
      // viem's timeout ends with the headers; this one covers the body as well.
      fetchFn: async (input, init) => {
        const end = chainSeconds.startTimer({ chain })
        const answer = fetch(input, { ...init, signal: AbortSignal.timeout(timeout) })
        // A node's error for a call that fails is a response too.
        await answer.then(
          ({ ok }) => end({ outcome: ok ? 'answered' : 'failed' }),
          () => end({ outcome: 'failed' }),
        )
        return answer
      },
    }),
  })

/** Makes the error for a chain that did not respond. It never names the RPC URL, which may hold a key. */
export const chainUnavailable = (chainId: number, cause: unknown) =>
  new ApiError('bad_gateway', `The RPC node of chain ${chainId} did not answer; try again later`, { cause })

/** Returns the JSON-RPC error of a node; undefined for other failures. */
export function rpcErrorOf(error: unknown): RpcRequestError | undefined {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return answer instanceof RpcRequestError ? answer : undefined
}
