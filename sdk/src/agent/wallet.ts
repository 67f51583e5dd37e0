import type { Client } from '../client.ts'
import { ApiError } from '../contract/errors.ts'
import { untilAnswered } from './acting.ts'

/** Returns the wallet that owns the API key, and what the key may do. */
export async function walletOf(parley: Client, signal: AbortSignal) {
  const [key] = await parley.getApiKey(undefined, untilAnswered(signal))
  if (key?.walletaddr === undefined)
    throw new Error(
      'An agent needs an API key: it was given the token of a sign-in, or the service is older.',
    )
  return { address: key.walletaddr, scopes: key.scopes }
}

/**
 * Returns the name by which others mention a wallet. A key without `public:read` may not request it: then only the address
 * counts.
 */
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
