// The tokens of the wallets that are signed in here are in memory alone: data that a script could find in the browser's
// storage signs nobody in. A cookie that no script can read gives a new one, after a reload as well.

import { ApiError, renewSignIn, type Session } from '@parley/sdk'
import { createStore, useStore } from '../state/store.ts'
import { endSession } from './session.ts'

interface Token {
  value: string
  /** The time is in milliseconds since 1970. */
  until: number
}

const tokens = new Map<string, Token>()
const renewals = new Map<string, Promise<string>>()

/** A token is renewed this number of milliseconds before its end, so that requests under way are in time. */
const early = 60_000

/** These wallets are operators, as their tokens say. The service decides by itself. */
const operators = createStore<readonly string[]>([])

export const useIsOperator = (address: string): boolean => useStore(operators).includes(address)

const saysOperator = (token: string): boolean => {
  const claims = atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))
  return (JSON.parse(claims) as { operator?: boolean }).operator === true
}

export function keepToken(address: string, { token, expiresIn }: Session): void {
  const others = operators.get().filter((one) => one !== address)
  operators.set(saysOperator(token) ? [...others, address] : others)
  tokens.set(address, { value: token, until: Date.now() + expiresIn * 1000 })
}

/**
 * Returns the token of a wallet that is signed in, renewed when that is necessary. Ends the session when the service no
 * longer knows it. Throws as `renewSignIn` does.
 */
export async function tokenOf(address: string): Promise<string> {
  const token = tokens.get(address)
  if (token && token.until - early > Date.now()) return token.value
  const renewal = renewals.get(address) ?? renew(address).finally(() => renewals.delete(address))
  renewals.set(address, renewal)
  return renewal
}

async function renew(address: string): Promise<string> {
  try {
    const session = await alone(address, () => renewSignIn({ baseUrl: '', retry: false }, address))
    keepToken(address, session)
    return session.token
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'forbidden'))
      endSession(address)
    throw error
  }
}

/** One tab at a time renews: each renewal replaces the previous cookie. */
const alone = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  // Pages without HTTPS have no locks. There the service gives tabs that renew at nearly the same time the same cookie.
  'locks' in navigator ? navigator.locks.request(`parley.session.${address}`, work) : work()

/** Sends a request as a wallet that is signed in. A request whose token is refused is sent again with a new one. */
export const fetchAs =
  (address: string): typeof fetch =>
  async (input, init) => {
    const ask = async () => {
      const headers = new Headers(init?.headers)
      const token = await tokenOf(address)
      headers.set('authorization', `Bearer ${token}`)
      const response = await fetch(input, { ...init, headers })
      if (response.status === 401 && tokens.get(address)?.value === token) tokens.delete(address)
      return response
    }
    const response = await ask()
    if (response.status !== 401) return response
    const again = await ask()
    if (again.status === 401) endSession(address)
    return again
  }
