// The link that signs this browser in by another one ends with a secret. It is taken out of the address before anything
// else runs, so that neither the history nor a referrer has it.

import { createStore } from '../state/store.ts'

export const handOverPath = '/hand-over'

/** Returns the secret of a link, or of its part after the #; undefined for anything else. */
export const secretIn = (text: string): string | undefined => /(?:^|#)([\w-]{22})\s*$/.exec(text)?.[1]

/** Holds the secret with which this page was opened, if any. */
export const handedSecret = createStore(takeOut())

function takeOut(): string | undefined {
  const { pathname, hash } = location
  if (pathname !== handOverPath || hash === '') return undefined
  history.replaceState(history.state, '', handOverPath)
  return secretIn(hash)
}

// A second link may be opened in the same tab.
addEventListener('hashchange', () => {
  const secret = takeOut()
  if (secret) handedSecret.set(secret)
})
