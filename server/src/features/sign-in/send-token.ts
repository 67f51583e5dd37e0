import type { FastifyReply, FastifyRequest } from 'fastify'
import { issueToken } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'

/** The lifetime of a session's token, in seconds: it is renewed without the wallet. */
export const sessionTokenLifetime = 3600

interface Options {
  /** The lifetime in seconds. */
  lifetime: number
  signOut: number
  session?: string
  /** The time when the wallet of a session signed in, in epoch milliseconds. */
  signedIn?: number
  /** What the token may do; all when left out. */
  scopes?: readonly string[]
}

/** Sends a new token for a wallet, and its lifetime in seconds. */
export async function sendToken(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  address: string,
  options: Options,
): Promise<number> {
  const token = await issueToken(ctx, address, { ...options, operator: ctx.standing.isOperator(address) })
  // Spec gap: how the token is delivered.
  reply.header('authorization', `Bearer ${token}`)
  if (/\bapplication\/jwt\b/i.test(request.headers.accept ?? '')) reply.type('application/jwt').send(token)
  return options.lifetime
}
