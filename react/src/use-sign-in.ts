import { ApiError, createClientOf, type Nonce, scopeWords, signInWith, textForSite } from '@parley/sdk'
import { sessions } from '@parley/sdk/slices'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useParley } from './context.ts'
import { setSession } from './entries.ts'
import { signedOut } from './parley.ts'
import { type Problem, problemOf } from './problem.ts'
import type { Active, Parley, Session, SignInState } from './shared.ts'
import { type Signer, signerOf, type Wallet } from './wallet.ts'

export interface SignInOptions {
  /** A name to set for the wallet. */
  name?: string
  /**
   * What your page may do for a day, such as `dm:<address>` or `comments:<contract>:<token>`, and nothing else. When it is left
   * out, it may do all that the wallet may, which a site of `EMBED_ORIGINS` may not ask for.
   */
  scopes?: readonly string[]
  /**
   * Writes the text that the wallet signs (EIP-4361). When it is left out, it is the SDK's for the domain of the page, the chain
   * of the wallet and `scopes`.
   */
  createMessage?: (nonce: Nonce, wallet: Signer) => string
}

export interface SignInResult extends SignInState {
  /** What `signIn` asks for, in the words that the wallet shows; undefined where it asks for all. */
  asksFor: readonly { scope: string; words: string }[] | undefined
  /** Whether the session may do less than `scopes`: `signIn` asks for them then, and the session goes on until they are there. */
  needsMore: boolean
  /** Asks the wallet for a signature and begins the session. It never throws: `error` says what went wrong. */
  signIn: () => Promise<void>
  /** Ends the session here and at the service, and forgets all that the hooks have read. */
  signOut: () => Promise<void>
}

/**
 * Signs a wallet in and out. The wallet is an EIP-1193 provider, a wallet client of viem or wagmi, a signer of ethers, or an
 * address with a function that signs; or a function that returns it when it is needed.
 * @example
 * const { status, error, asksFor, signIn } = useSignIn(() => window.ethereum, { scopes: [`dm:${seller}`] })
 */
export function useSignIn(
  wallet?: Wallet | (() => Wallet | null | undefined) | null,
  options: SignInOptions = {},
): SignInResult {
  const parley = useParley()
  const { signIn: store } = parley
  const state = useSyncExternalStore(store.subscribe, store.get, () => signedOut)
  const { scopes } = options
  const key = scopes?.join('\n')
  const asksFor = useMemo(
    () => key?.split('\n').map((scope) => ({ scope, words: scopeWords(scope) ?? scope })),
    [key],
  )
  const signIn = () => begin(parley, typeof wallet === 'function' ? wallet() : wallet, options)
  const leave = useCallback(() => signOut(parley), [parley])
  return { ...state, asksFor, needsMore: isLess(state, scopes), signIn, signOut: leave }
}

const noWallet: Problem = {
  code: 'no_wallet',
  message: 'There is no wallet in this browser to sign in with.',
}

/** Returns true for a session that may do some things, and not all of what is asked for. */
const isLess = ({ scopes: has }: SignInState, scopes: SignInOptions['scopes']): boolean =>
  has !== undefined && !scopes?.every((scope) => has.includes(scope))

async function begin(
  parley: Parley,
  wallet: Wallet | null | undefined,
  { name, scopes, createMessage }: SignInOptions,
): Promise<void> {
  const { service, signIn: store, active } = parley
  const before = store.get()
  if (before.status === 'signing-in') return
  if (before.status === 'signed-in' && !isLess(before, scopes)) return
  if (!wallet) return store.set({ ...before, error: noWallet })
  const attempt: SignInState = { ...before, status: 'signing-in', error: undefined }
  store.set(attempt)
  try {
    const signer = await signerOf(wallet)
    const { token, expiresIn } = await signInWith(service, {
      address: signer.address,
      signMessage: async (message) => signer.signMessage(message),
      createMessage: (nonce) => (createMessage ?? messageFor(scopes))(nonce, signer),
      ...(name !== undefined && { name }),
    })
    // Where somebody has signed out meanwhile, nobody would end this session.
    if (store.get() !== attempt) return await endToken({ me: signer.address, options: { ...service, token } })
    const expires = Date.now() + expiresIn * 1000
    const session: Session = { address: signer.address, token, expires, ...(scopes && { scopes }) }
    setSession(parley, session)
    await endToken(active)
  } catch (error) {
    if (store.get() === attempt) store.set({ ...before, error: reasonOf(error) })
  }
}

/** Returns what makes the text as the page that asks for the signature has to write it. */
const messageFor =
  (scopes: SignInOptions['scopes']) =>
  (nonce: Nonce, { address, chainId }: Signer): string => {
    // Other wallets sign the text of the service, which has no scopes.
    if (!scopes && !address.startsWith('0x')) return nonce.message
    const { host: domain, origin } = location
    const chain = chainId === undefined ? {} : { chainId }
    return textForSite({ domain, uri: `${origin}/`, ...chain, ...(scopes && { scopes }) })(nonce)
  }

/** Wallets say no in many ways. `fetch` throws a TypeError where the service cannot be reached. */
function reasonOf(error: unknown): Problem {
  if (error instanceof ApiError || error instanceof TypeError) return problemOf(error)
  const { code, message } = error as { code?: unknown; message?: string }
  const isRefused = code === 4001 || code === 'ACTION_REJECTED'
  return {
    code: 'rejected',
    message: isRefused || !message ? 'You did not sign in: the wallet has not signed.' : message,
  }
}

async function signOut(parley: Parley): Promise<void> {
  const { active } = parley
  setSession(parley, undefined)
  await endToken(active)
}

async function endToken(active: Active | undefined): Promise<void> {
  if (!active) return
  // The token ends by itself where the service cannot be reached.
  await createClientOf(active.options, sessions)
    .signOut()
    .catch(() => {})
}
