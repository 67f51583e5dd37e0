import { randomUUID, webcrypto } from 'node:crypto'
import type { Access, Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { secretsOf } from '../config/jwt-secret.ts'
import { sameSecret } from '../lib/secrets.ts'
import type { ApiKeys, KeyOfCaller } from './api-keys.ts'
import type { Signed, SignOuts } from './sign-outs.ts'
import { apiKeyPrefix, canonicalAddress } from '../values/formats.ts'

export interface Wallet extends Signed {
  kind: 'wallet'
  /** Its token expires at this time, in epoch milliseconds. */
  expires: number
  /** The wallet proved its identity at this time, in epoch milliseconds: a renewal is no proof. */
  signedIn: number
  /** The caller may do what these allow (http/scopes.ts). It may all that the wallet may when they are left out. */
  scopes?: readonly string[]
  /** The wallet calls with this API key, in place of a token. */
  apiKey?: KeyOfCaller
}
export type Caller = Wallet | { kind: 'admin' }

/** Says who may call a handler, by the access its endpoint declares. */
export interface CallerOf {
  public: null
  'wallet-or-anyone': Wallet | null
  wallet: Wallet
  'wallet-or-admin': Caller
  operator: Wallet
}

export interface TokenSettings {
  publicUrl: string
  jwtSecret: string
  jwtSecretPrevious?: string | undefined
  adminApiKey?: string | undefined
}

/** A token is valid for this many seconds. */
export const tokenLifetime = 86_400
/** The clock of another instance may be ahead by this many seconds. */
const clockSkew = 60

const adminEndpoints = Object.values<Endpoint>(contract)
  .filter(({ access }) => access === 'wallet-or-admin')
  .map(({ method, path }) => `${method} ${path}`)

interface Credentials {
  authorization?: string | undefined
  origin?: string | undefined
}

/**
 * Returns the caller where that is known at once: nobody signs in, or the token was checked before. Undefined says that
 * `authenticate` finds out.
 */
export function knownCaller(
  { config, signOuts }: Pick<Memories, 'config' | 'signOuts'>,
  access: Access,
  { authorization }: Credentials,
): Wallet | null | undefined {
  if (isAnyone(access, authorization)) return null
  // A token of the administrator, or of an API key, is never among the checked ones.
  if (!authorization?.startsWith(bearer)) return undefined
  const caller = checkedBefore(config, authorization.slice(bearer.length))
  return caller && !signOuts.isOut(caller) ? caller : undefined
}

const bearer = 'Bearer '

/** Returns true where nobody signs in. */
const isAnyone = (access: Access, authorization: string | undefined): boolean =>
  access === 'public' || (access === 'wallet-or-anyone' && authorization === undefined)

interface Memories {
  config: TokenSettings
  signOuts: Pick<SignOuts, 'isOut'>
  apiKeys: Pick<ApiKeys, 'find'>
}

/**
 * Returns the caller, or throws 401 (no valid token) or 403 (the admin key where it is not accepted). What an API key may do is
 * checked later (http/scopes.ts), and so is what a token with scopes may do.
 */
export async function authenticate(
  { config, signOuts, apiKeys }: Memories,
  access: Access,
  { authorization, origin }: Credentials,
): Promise<Caller | null> {
  if (isAnyone(access, authorization)) return null
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (!token)
    throw new ApiError('unauthorized', 'Sign in first: send the token as "Authorization: Bearer <token>".')
  if (config.adminApiKey && sameSecret(token, config.adminApiKey)) {
    if (access !== 'wallet-or-admin')
      throw new ApiError('forbidden', `The admin key is accepted only on ${adminEndpoints.join(' and ')}.`)
    if (origin !== undefined)
      throw new ApiError(
        'forbidden',
        'The admin key must never be used in a browser. Call from your own server.',
      )
    return { kind: 'admin' }
  }
  if (token.startsWith(apiKeyPrefix)) return holderOf(await apiKeys.find(token))
  const holder = await verifyToken(config, token)
  if (signOuts.isOut(holder)) throw badToken()
  return holder
}

/** Returns the wallet that an API key acts for. A key never signs in, so its sign-in is never recent. */
function holderOf(key: Awaited<ReturnType<ApiKeys['find']>>): Wallet {
  if (!key)
    throw new ApiError('unauthorized', 'The API key is not valid: it was deleted, has expired, or is none.')
  const { address, expires, ...apiKey } = key
  return {
    kind: 'wallet',
    address,
    expires,
    signedIn: 0,
    signOut: 0,
    session: '',
    scopes: apiKey.scopes,
    apiKey,
  }
}

interface TokenOptions {
  /** This is in seconds; 24 hours when left out. */
  lifetime?: number | undefined
  /** This is the number of sign-outs of the wallet; none when left out. */
  signOut?: number
  /** This is the id of the session that it belongs to. */
  session?: string
  /** The wallet signed in at this time, in epoch milliseconds; now when left out. */
  signedIn?: number
  /** This is true when the wallet is an operator, for clients that show operators more. Nothing is decided by it. */
  operator?: boolean
  /** These are its scopes, in the form of `canonicalScope`; it may all that the wallet may when they are left out. */
  scopes?: readonly string[] | undefined
}

/** Issues a token (RFC 7519) for a wallet. */
export const issueToken = async (
  { config }: { config: Pick<TokenSettings, 'publicUrl' | 'jwtSecret'> },
  address: string,
  { lifetime = tokenLifetime, signOut = 0, session, signedIn, operator = false, scopes }: TokenOptions = {},
): Promise<string> =>
  new SignJWT({
    out: signOut,
    ...(session !== undefined && { sid: session }),
    ...(signedIn !== undefined && { auth_time: Math.floor(signedIn / 1000) }),
    ...(operator && { operator }),
    // RFC 8693, section 4.2. No scope has a space.
    ...(scopes && { scope: scopes.join(' ') }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(config.publicUrl)
    .setAudience(config.publicUrl)
    .setSubject(canonicalAddress(address))
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${lifetime}s`)
    .sign(await keyOf(config.jwtSecret))

const keys = new Map<string, Promise<webcrypto.CryptoKey>>()

/** Makes the key of HS256 from a secret, imported once. */
function keyOf(secret: string): Promise<webcrypto.CryptoKey> {
  let key = keys.get(secret)
  if (!key) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    key = webcrypto.subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['sign', 'verify'])
    keys.set(secret, key)
  }
  return key
}

// A client sends the same token with every request, and checking it costs more than the rest of most requests. A valid token is
// cached until it expires; any other is checked again.
const known = new WeakMap<TokenSettings, LRUCache<string, Readonly<Wallet>>>()

function checkedBefore(config: TokenSettings, token: string): Readonly<Wallet> | undefined {
  const found = known.get(config)?.get(token)
  return found && found.expires > Date.now() ? found : undefined
}

async function verifyToken(config: TokenSettings, token: string): Promise<Readonly<Wallet>> {
  const found = checkedBefore(config, token)
  if (found) return found
  const tokens = known.get(config) ?? new LRUCache({ maxSize: 20_000, sizeCalculation: () => 1 })
  known.set(config, tokens)
  const checked = await checkToken(config, token)
  tokens.set(token, checked)
  return checked
}

async function checkToken(config: TokenSettings, token: string): Promise<Wallet> {
  let cause: unknown
  for (const secret of secretsOf(config))
    try {
      const { payload } = await jwtVerify(token, await keyOf(secret), {
        algorithms: ['HS256'],
        issuer: config.publicUrl,
        audience: config.publicUrl,
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
      })
      const signOut = typeof payload['out'] === 'number' ? payload['out'] : 0
      // This does not use `maxTokenAge`, which also refuses tokens of an instance whose clock is a moment ahead.
      if (payload.iat! > Date.now() / 1000 + clockSkew) throw new Error('issued in the future')
      const expires = Math.min(payload.exp!, payload.iat! + tokenLifetime) * 1000
      if (expires <= Date.now()) throw new Error('older than a token may be')
      const session = typeof payload['sid'] === 'string' ? payload['sid'] : payload.jti!
      const signedIn = (typeof payload['auth_time'] === 'number' ? payload['auth_time'] : payload.iat!) * 1000
      const scopes = scopesOf(payload['scope'])
      return {
        kind: 'wallet',
        address: payload.sub!,
        expires,
        signedIn,
        signOut,
        session,
        ...(scopes && { scopes }),
      }
    } catch (error) {
      cause = error
      // Only a token with a wrong signature may be right with the other secret.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break
    }
  throw badToken(cause)
}

/** A claim that is no text allows nothing. */
const scopesOf = (claim: unknown): string[] | undefined =>
  claim === undefined ? undefined : typeof claim === 'string' ? claim.split(' ').filter(Boolean) : []

const badToken = (cause?: unknown) =>
  new ApiError('unauthorized', 'The token is not valid or has expired. Sign in again.', { cause })
