import { ApiError, createClientOf, type Nonce, signInWith } from '@parley/sdk'
import { sessions } from '@parley/sdk/slices'
import { useCallback, useSyncExternalStore } from 'react'
import { useParley } from './context.ts'
import { setSession } from './entries.ts'
import { signedOut } from './parley.ts'
import { type Problem, problemOf } from './problem.ts'
import type { Parley, SignInState } from './shared.ts'
import { type Signer, signerOf, type Wallet } from './wallet.ts'

export interface SignInOptions {
  /** A name to set for the wallet. */
  name?: string
  /**
   * Writes the text that the wallet signs (EIP-4361). When it is left out, it is the text of the service with the domain of the
   * page and the chain of the wallet.
   */
  createMessage?: (nonce: Nonce, wallet: Signer) => string
}

export interface SignInResult extends SignInState {
  /** Asks the wallet for a signature and begins the session. It never throws: `error` says what went wrong. */
  signIn: () => Promise<void>
  /** Ends the session here and at the service, and forgets all that the hooks have read. */
  signOut: () => Promise<void>
}

/**
 * Signs a wallet in and out. The wallet is an EIP-1193 provider, a wallet client of viem or wagmi, a signer of ethers, or an
 * address with a function that signs; or a function that returns it when it is needed.
 * @example
 * const { status, address, error, signIn, signOut } = useSignIn(() => window.ethereum)
 */
export function useSignIn(
  wallet?: Wallet | (() => Wallet | null | undefined) | null,
  options: SignInOptions = {},
): SignInResult {
  const parley = useParley()
  const { signIn: store } = parley
  const state = useSyncExternalStore(store.subscribe, store.get, () => signedOut)
  const signIn = () => begin(parley, typeof wallet === 'function' ? wallet() : wallet, options)
  const leave = useCallback(() => signOut(parley), [parley])
  return { ...state, signIn, signOut: leave }
}

const noWallet: Problem = {
  code: 'no_wallet',
  message: 'There is no wallet in this browser to sign in with.',
}

async function begin(
  parley: Parley,
  wallet: Wallet | null | undefined,
  { name, createMessage = messageOf }: SignInOptions,
): Promise<void> {
  const { service, signIn: store } = parley
  if (store.get().status !== 'signed-out') return
  if (!wallet) return store.set({ ...signedOut, error: noWallet })
  const attempt: SignInState = { ...signedOut, status: 'signing-in' }
  store.set(attempt)
  try {
    const signer = await signerOf(wallet)
    const { token, expiresIn } = await signInWith(service, {
      address: signer.address,
      signMessage: async (message) => signer.signMessage(message),
      createMessage: (nonce) => createMessage(nonce, signer),
      ...(name !== undefined && { name }),
    })
    // Somebody may have signed out meanwhile.
    if (store.get() !== attempt) return
    setSession(parley, { address: signer.address, token, expires: Date.now() + expiresIn * 1000 })
  } catch (error) {
    if (store.get() === attempt) store.set({ ...signedOut, error: reasonOf(error) })
  }
}

/** Returns the text of the service, as the page that asks for the signature has to write it. */
function messageOf({ message }: Nonce, { chainId }: Signer): string {
  const { host, origin } = location
  const text = message
    .replace(/^\S+(?= wants you to sign in )/, host)
    .replace(/^URI: .*$/m, `URI: ${origin}/`)
  return chainId === undefined ? text : text.replace(/^Chain ID: .*$/m, `Chain ID: ${chainId}`)
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
  if (!active) return
  // The token ends by itself where the service cannot be reached.
  await createClientOf(active.options, sessions)
    .signOut()
    .catch(() => {})
}
