import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { HookOfCaller } from '../auth/incoming-hooks.ts'
import type { Wallet } from '../auth/tokens.ts'
import type { Context } from '../context.ts'

/** This is the caller by a hook: the wallet that has made it. */
export interface CallerByHook extends Wallet {
  hook: HookOfCaller
}

/**
 * Returns the wallet whose hook has the secret in the path. It throws 404 for a wrong one, and 429 where a network address tries
 * many, or where a hook posts too often.
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
    // A hook never signs in, so its sign-in is never recent.
    signedIn: 0,
    expires: Infinity,
    signOut: 0,
    session: '',
    hook: { id, nftaddr },
  }
}

const noSuchHook = () => new ApiError('not_found', 'There is no such hook: it may be deleted.')
