import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Access } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Context } from './context.ts'
import { secretsOf } from './secret.ts'
import { canonicalAddress } from './values.ts'

export interface Wallet {
  kind: 'wallet'
  /** In canonical form. */
  address: string
  /** What its token carries of the wallet's sign-outs (sign-outs.ts). */
  signOut: number
}
export type Caller = Wallet | { kind: 'admin' }

/** Who a handler may meet, by the access its endpoint declares. */
export interface CallerOf {
  public: null
  wallet: Wallet
  'wallet-or-admin': Caller
}

/** How long a token is good for, in seconds. */
export const tokenLifetime = 86_400

interface Credentials {
  authorization?: string | undefined
  origin?: string | undefined
}

/** Tells who calls, or throws 401 (no good token) or 403 (the admin key where it is not accepted). */
export async function authenticate(
  ctx: Context,
  access: Access,
  { authorization, origin }: Credentials,
): Promise<Caller | null> {
  if (access === 'public') return null
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (!token)
    throw new ApiError('unauthorized', 'Sign in first: send the token as "Authorization: Bearer <token>".')
  if (ctx.config.adminApiKey && sameSecret(token, ctx.config.adminApiKey)) {
    if (access !== 'wallet-or-admin')
      throw new ApiError(
        'forbidden',
        'The admin key is accepted only on POST /v1/name and POST /v1/update_settings.',
      )
    if (origin !== undefined)
      throw new ApiError(
        'forbidden',
        'The admin key must never be used in a browser. Call from your own server.',
      )
    return { kind: 'admin' }
  }
  return { kind: 'wallet', ...(await verifyToken(ctx, token)) }
}

/** Lets a wallet act only for itself: the caller must be one of the addresses. The admin may act for anyone. */
export function requireSelf(caller: Caller, ...addresses: string[]): void {
  if (caller.kind === 'wallet' && !addresses.includes(caller.address))
    throw new ApiError('forbidden', 'This belongs to another wallet. You are signed in as ' + caller.address)
}

/** A token (RFC 7519) for a wallet, good for 24 hours. */
export const issueToken = (
  { config }: Pick<Context, 'config'>,
  address: string,
  lifetime = tokenLifetime,
  signOut = 0,
): Promise<string> =>
  new SignJWT({ out: signOut })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(config.publicUrl)
    .setAudience(config.publicUrl)
    .setSubject(canonicalAddress(address))
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${lifetime}s`)
    .sign(Buffer.from(config.jwtSecret))

async function verifyToken({ config, signOuts }: Context, token: string): Promise<Omit<Wallet, 'kind'>> {
  let cause: unknown
  for (const secret of secretsOf(config))
    try {
      const { payload } = await jwtVerify(token, Buffer.from(secret), {
        algorithms: ['HS256'],
        issuer: config.publicUrl,
        audience: config.publicUrl,
        maxTokenAge: tokenLifetime,
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
      })
      const address = payload.sub!
      const signOut = typeof payload['out'] === 'number' ? payload['out'] : 0
      if (signOuts.isOut(address, signOut)) throw new Error('the wallet signed out everywhere')
      return { address, signOut }
    } catch (error) {
      cause = error
      // Only a signature may be that of the other secret.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break
    }
  throw new ApiError('unauthorized', 'The token is not valid or has expired. Sign in again.', { cause })
}

/** Compares in a time that says nothing about either. */
export const sameSecret = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b))
const sha256 = (text: string) => createHash('sha256').update(text).digest()
