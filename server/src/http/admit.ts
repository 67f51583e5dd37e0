// Admits a request before its body is read: who the caller is, limits, its scopes, sanctions. A caller that is not signed in
// learns nothing about what would be valid.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { requireStanding } from '../auth/standing.ts'
import { authenticate, type Caller, knownCaller } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import { limitOf } from '../limits/limits.ts'
import { callerByHook } from './hook-caller.ts'
import { requireScope } from './scopes.ts'

/** Makes the hook that admits requests of an endpoint. Most callers are known at once: then nothing waits for a promise. */
export function admitting(ctx: Context, endpoint: Endpoint) {
  const limit = limitOf(endpoint)

  /** Refuses what this caller may not do or has done too often, or begins. */
  function begin(caller: Caller | null, request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    request.caller = caller
    ctx.limits.take(limit, caller, request, reply)
    const wallet = walletOf(caller)
    if (wallet) requireScope(endpoint, wallet)
    requireStanding(ctx.standing, endpoint, caller)
    requireRoom(ctx, endpoint)
    // An event stream stays in progress; the number of streams has its own limit.
    if (endpoint.produces !== 'text/event-stream') return ctx.limits.begin(request, reply)
  }

  /** Does the same for a caller that is not known yet. */
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const identified = endpoint.byHook
      ? callerByHook(ctx, request)
      : authenticate(ctx, endpoint.access, request.headers)
    const caller = await identified.catch((refusal) => {
      ctx.limits.take(limit, null, request, reply)
      throw refusal
    })
    await begin(caller, request, reply)
  }

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): Promise<void> | void => {
    if (endpoint.access !== 'public' || endpoint.byHook) reply.header('cache-control', 'no-store')
    const known = endpoint.byHook ? undefined : knownCaller(ctx, endpoint.access, request.headers)
    const begun = known === undefined ? identify(request, reply) : begin(known, request, reply)
    // The framework waits for a promise, and else for the call.
    return begun ?? done()
  }
}

export const walletOf = (caller: Caller | null) => (caller?.kind === 'wallet' ? caller : undefined)

/** Refuses a request that would store something while the disk has less than its reserve. */
function requireRoom({ disk }: Pick<Context, 'disk'>, { method, needsRoom }: Endpoint): void {
  if (!disk.isShort || needsRoom === false || method === 'GET' || method === 'DELETE') return
  throw new ApiError(
    'unavailable',
    'The disk of this service has no room left. Nothing was stored; reading, deleting and signing in go on. Try again when its operator has made room.',
    { retryAfter: 60 },
  )
}
