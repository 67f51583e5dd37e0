import type { Client } from '../client.ts'
import { ApiError } from '../contract/errors.ts'
import { untilAnswered } from './handle.ts'

/** Whose key it is. */
export async function walletOf(parley: Client, signal: AbortSignal): Promise<string> {
  const [key] = await parley.getApiKey(undefined, untilAnswered(signal))
  if (key?.walletaddr === undefined)
    throw new Error(
      'An agent needs an API key: it was given the token of a sign-in, or the service is older.',
    )
  return key.walletaddr
}

/** By which name a wallet is mentioned. A key without `public:read` may not ask: then only its address counts. */
export async function nameOf(
  parley: Client,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const [found] = await parley.getName({ name: address }, untilAnswered(signal))
    return found?.name
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') return undefined
    throw error
  }
}
