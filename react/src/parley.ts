import type { ClientOptions } from '@parley/sdk'
import { setSession } from './entries.ts'
import type { Parley, Session, SignInState } from './shared.ts'
import { createStore } from './store.ts'

export interface ParleyOptions extends Omit<ClientOptions, 'token'> {
  /** A session that your site has already, such as one whose token may do little. */
  session?: Session
  /**
   * Stores the session for as long as the tab is open, so that a reload does not ask for a signature; a text stores it under a name
   * of its own, where a page has several.
   */
  remember?: boolean | string
}

export const signedOut: SignInState = {
  status: 'signed-out',
  address: undefined,
  scopes: undefined,
  error: undefined,
}

/**
 * Makes what `ParleyProvider` gives to the hooks. It sends nothing before a component uses a hook in a browser.
 * @example
 * const parley = createParley({ baseUrl: 'https://chat.example.org' })
 */
export function createParley({ session, remember = false, ...service }: ParleyOptions): Parley {
  const stored = storedAt(`parley ${service.baseUrl}${typeof remember === 'string' ? ` ${remember}` : ''}`)
  const parley: Parley = {
    service,
    signIn: createStore(signedOut),
    entries: new Map(),
    remember: remember ? stored.set : () => {},
    active: undefined,
  }
  const found = session ?? (remember ? stored.get() : undefined)
  if (found) setSession(parley, found)
  return parley
}

/** Where a session is stored. A page may be forbidden to store anything. */
function storedAt(key: string) {
  return {
    get: (): Session | undefined => {
      try {
        const found = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Session | null
        return found && (found.expires ?? Infinity) > Date.now() ? found : undefined
      } catch {
        return undefined
      }
    },
    set: (session: Session | undefined): void => {
      try {
        if (session) sessionStorage.setItem(key, JSON.stringify(session))
        else sessionStorage.removeItem(key)
      } catch {
        // The session ends with the page.
      }
    },
  }
}
