import type { FastifyReply, FastifyRequest } from 'fastify'
import { secretsOf } from '../../config/jwt-secret.ts'
import type { Context } from '../../context.ts'
import { mac } from '../../lib/mac.ts'
import { sameSecret } from '../../lib/secrets.ts'

// The token of a session lies in a cookie:
//
//   id of the session | generation | mac
//
// The mac is HMAC-SHA256 over the wallet, the id and the generation, under a key of its own derived
// from the JWT secret. Each renewal gives the token of the next generation. So the service knows a
// token that it has replaced from one that was made up, a repetition gets the same token, and the
// database holds nothing that signs in.

type TokenConfig = Pick<Context['config'], 'jwtSecret' | 'publicUrl'> & {
  jwtSecretPrevious?: string | undefined
}

export interface SessionState {
  id: string
  generation: number
}

/** A session may be idle for this many seconds. */
export const idleSeconds = 30 * 86_400

const shape = /^([\w-]{22})\.(\d{1,9})\.([\w-]{43})$/

const proof = (secret: string, wallet: string, { id, generation }: SessionState) =>
  mac(secret, 'session', `${id}\0${generation}\0${wallet}`).toString('base64url')

/** Returns what the cookie of a request says; null when there is none, or one that this service did not make. */
export function readSessionCookie(
  config: TokenConfig,
  wallet: string,
  request: FastifyRequest,
): SessionState | null {
  const start = `${cookieName(config, request)}=`
  const cookies = request.headers.cookie?.split(/; */) ?? []
  const value = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? ''
  const [, id = '', digits = '', given = ''] = shape.exec(value) ?? []
  const state = { id, generation: Number(digits) }
  return secretsOf(config).some((secret) => sameSecret(given, proof(secret, wallet, state))) ? state : null
}

/**
 * Makes the browser store the token of a session; without a token, forget it. The path holds the wallet, so that a browser stores
 * a session for each of several wallets, and sends each only to its renewal.
 */
export function sendSessionCookie(
  config: TokenConfig,
  wallet: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  state?: SessionState,
): void {
  const value = state ? `${state.id}.${state.generation}.${proof(config.jwtSecret, wallet, state)}` : ''
  const attributes = [
    `${cookieName(config, request)}=${value}`,
    `Path=/v1/session/${encodeURIComponent(wallet)}`,
    `Max-Age=${state ? idleSeconds : 0}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure(config, request) ? ['Secure'] : []),
  ]
  reply.header('set-cookie', attributes.join('; '))
}

const isSecure = ({ publicUrl }: TokenConfig, { protocol }: FastifyRequest) =>
  publicUrl.startsWith('https:') || protocol === 'https'

/** Browsers accept the prefix `__Secure-` only over HTTPS, so nobody in between can set such a cookie. */
const cookieName = (config: TokenConfig, request: FastifyRequest) =>
  isSecure(config, request) ? '__Secure-parley-session' : 'parley-session'
