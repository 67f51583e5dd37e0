import { toBytes } from './bytes.ts'
import { type ClientOptions, send } from './client.ts'
import { ApiError } from './contract/errors.ts'
import type { Nonce } from './contract/sign-in.ts'
import { parseSignInText, signInText, type SignInTextOptions } from './sign-in-text.ts'
import type { TakenHandover } from './contract/handovers.ts'
import { handovers, sessions, signIn } from './slices.ts'

export interface SignInOptions {
  address: string
  /**
   * Signs a text with the wallet and returns the signature. Of Ethereum: `0x` and hexadecimal digits (EIP-191, or EIP-1271 or
   * EIP-6492 for a smart wallet). Of Solana: 64 bytes of Ed25519 in base58, in base64 with its `==`, or in hexadecimal digits.
   */
  signMessage: (message: string) => Promise<string>
  /**
   * The chain on which a smart wallet is, as `eth_chainId` says it: the service's text names it. The service must ask a node of it
   * (`chains` of `getServiceInfo`). Ethereum when left out; a plain account signs for any.
   */
  chainId?: number
  /** A name to set for the wallet. */
  name?: string
  /**
   * Writes the message to sign, instead of the service's own: `textForSite` makes it for a site on another domain than
   * the service, and with scopes.
   */
  createMessage?: (nonce: Nonce) => string
  /**
   * Leaves this browser signed in by a cookie, for {@link renewSignIn}. Only a page of the service itself may set it. The token
   * is then valid for an hour.
   */
  session?: boolean
}

export interface Session {
  /** The JWT to give to `createClient`. */
  token: string
  /** Seconds from now until the token is no longer accepted. */
  expiresIn: number
}

/**
 * Signs a wallet in: gets a nonce, lets the wallet sign the message with it (EIP-4361, CAIP-122), and
 * exchanges the signature for a token. Throws an {@link ApiError} with the code `unauthorized` when
 * the service does not accept the signature, and what `signMessage` throws.
 * @example
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const account = privateKeyToAccount('0x…')
 * const { token } = await signInWith(
 *   { baseUrl: 'https://chat.example.org' },
 *   { address: account.address, signMessage: (message) => account.signMessage({ message }) },
 * )
 * const parley = createClient({ baseUrl: 'https://chat.example.org', token })
 */
export async function signInWith(
  { baseUrl, fetch, retry }: Pick<ClientOptions, 'baseUrl' | 'fetch' | 'retry'>,
  { address, signMessage, chainId, name, createMessage = ({ message }) => message, session }: SignInOptions,
): Promise<Session> {
  const service = { baseUrl, ...(fetch && { fetch }), ...(retry !== undefined && { retry }) }
  const answer = await send(service, signIn.getNonce, {
    address,
    ...(chainId !== undefined && { query: { chain_id: chainId } }),
  })
  const nonce: Nonce = await answer.json()
  const msg = createMessage(nonce)
  const sig = await signMessage(msg)
  const body = {
    address,
    msg,
    nonce: nonce.nonce,
    sig,
    ...(name !== undefined && { name }),
    ...(session && { session }),
  }
  return readToken(await send(service, signIn.signIn, { body }))
}

/**
 * Returns what makes the text of {@link signInWith} for another site. `scopes` are all that the token may do; `uri` is the address of
 * the page: `https://` and the domain when left out.
 * @example
 * const createMessage = textForSite({ domain: location.host, uri: location.href, scopes: ['dm:0x…'] })
 */
export const textForSite =
  ({
    domain,
    uri,
    chainId,
    scopes,
  }: Partial<Pick<SignInTextOptions, 'domain' | 'uri' | 'chainId' | 'scopes'>>) =>
  ({ message }: Nonce): string => {
    // The service's own text has the address as EIP-55 writes it, which some wallets ask for.
    const own = parseSignInText(message)
    if (!own) throw new Error('Only a wallet of Ethereum or Solana signs a text for another site or chain.')
    return signInText({
      ...own,
      ...(domain !== undefined && { domain, uri: `https://${domain}` }),
      ...(uri !== undefined && { uri }),
      ...(chainId !== undefined && { chainId }),
      ...(scopes && { scopes }),
    })
  }

/** A wallet as EIP-1193 describes it, such as `window.ethereum`, or one that EIP-6963 announces. */
export interface Eip1193Provider {
  request: (request: { method: string; params?: unknown[] }) => Promise<unknown>
}

/**
 * Returns what {@link signInWith} needs to sign by a wallet of the browser itself.
 * @example
 * const [address] = await window.ethereum.request({ method: 'eth_requestAccounts' })
 * const signMessage = signByProvider(window.ethereum, address)
 */
export const signByProvider =
  (provider: Eip1193Provider, address: string) =>
  async (message: string): Promise<string> => {
    const digits = Array.from(toBytes(message), (byte) => byte.toString(16).padStart(2, '0'))
    return String(
      await provider.request({ method: 'personal_sign', params: [`0x${digits.join('')}`, address] }),
    )
  }

/**
 * Returns a new token for a page of the service, by the cookie of a sign-in with `session: true`. Call it once at a time: each
 * call replaces the cookie. Throws an {@link ApiError} with the code `unauthorized` when the session has ended.
 */
export async function renewSignIn(
  { baseUrl, fetch, retry }: Pick<ClientOptions, 'baseUrl' | 'fetch' | 'retry'>,
  address: string,
): Promise<Session> {
  const service = { baseUrl, ...(fetch && { fetch }), ...(retry !== undefined && { retry }) }
  return readToken(await send(service, sessions.renewSession, { address }))
}

/**
 * Signs a page of the service in by a link that another browser has made (`openHandover`), and waits some seconds for its number to
 * be chosen there. Returns undefined while it is not: call it again.
 */
export async function takeSignIn(
  { baseUrl, fetch, retry }: Pick<ClientOptions, 'baseUrl' | 'fetch' | 'retry'>,
  claim: string,
): Promise<{ session: Session; sealed?: string } | undefined> {
  const service = { baseUrl, ...(fetch && { fetch }), ...(retry !== undefined && { retry }) }
  const response = await send(service, handovers.takeHandover, { body: { claim } })
  const { state, expires_in: expiresIn = 0, sealed }: TakenHandover = await response.json()
  if (state !== 'done') return undefined
  return { session: { token: tokenIn(response), expiresIn }, ...(sealed !== undefined && { sealed }) }
}

async function readToken(response: Response): Promise<Session> {
  const token = tokenIn(response)
  const expiresIn: number = await response.json()
  return { token, expiresIn }
}

function tokenIn({ headers }: Response): string {
  const token = headers.get('authorization')?.replace(/^Bearer /, '')
  if (token) return token
  throw new ApiError(
    'internal',
    'The service gave no token. A proxy may have removed the Authorization header.',
  )
}
