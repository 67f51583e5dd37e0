import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { HookOfCaller } from '../auth/incoming-hooks.ts'
import type { Wallet } from '../auth/tokens.ts'
import type { Context } from '../context.ts'

/** Who calls by a hook: the wallet that has made it. */
export interface CallerByHook extends Wallet {
  hook: HookOfCaller
}

/**
 * The wallet whose hook has the secret in the path: 404 for a wrong one, 429 where a network address tries many, or where a
 * hook posts too often.
 */
export async function callerByHook(
  { incomingHooks, hookLimits }: Pick<Context, 'incomingHooks' | 'hookLimits'>,
  request: FastifyRequest,
): Promise<CallerByHook> {
  const { secret } = request.params as { secret: string }
  if (!incomingHooks.hasForm(secret)) throw noSuchHook()
  const giveBack = hookLimits.takeTry(request)
  const found = await incomingHooks.find(secret).catch((error) => {
    giveBack()
    throw error
  })
  if (!found) throw noSuchHook()
  giveBack()
  const { id, nftaddr, walletaddr: address } = found
  hookLimits.takePost(id)
  return {
    kind: 'wallet',
    address,
    // It has signed in never, so it is never recent.
    signedIn: 0,
    expires: Infinity,
    signOut: 0,
    session: '',
    hook: { id, nftaddr },
  }
}

const noSuchHook = () => new ApiError('not_found', 'There is no such hook: it may be deleted.')
