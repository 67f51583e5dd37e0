// What happens to a message that is written now. A message goes out in the clear only where the
// page has shown that before, or where its writer has asked for it.

import type { Keyring } from './keyring.ts'
import type { PeerKey } from './peer.ts'

/**
 * Why nothing is sent without a choice: off: encryption is not on for the own wallet; hidden: the
 * service shows no key of the peer any more; changed: it shows another one; bad: it shows one that
 * the peer's wallet has not signed; the others are states of the own keyring.
 */
export type Held = 'off' | 'locked' | 'unavailable' | 'elsewhere' | 'outdated' | 'hidden' | 'changed' | 'bad'

export type Channel =
  | { kind: 'checking' }
  | { kind: 'clear' }
  | { kind: 'sealed'; key: string }
  | { kind: 'held'; why: Held }

interface Now {
  ring: Keyring
  peer: PeerKey
  /** Whether the writer has switched encryption off in this browser. */
  switchedOff: boolean
  /** Whether the conversation has an encrypted message. */
  wasSealed: boolean
}

export function channelOf({ ring, peer, switchedOff, wasSealed }: Now): Channel {
  if (ring.state === 'unknown') return { kind: 'checking' }
  const isExpected = peer.known !== undefined || wasSealed
  const clearOrHeld = (why: Held): Channel => (isExpected ? { kind: 'held', why } : { kind: 'clear' })
  if (ring.state === 'locked') {
    if (ring.on) return { kind: 'held', why: 'locked' }
    return switchedOff ? { kind: 'clear' } : clearOrHeld('off')
  }
  if (ring.state !== 'open') return clearOrHeld(ring.state)
  if (!ring.on) return switchedOff ? { kind: 'clear' } : clearOrHeld('off')
  return toPeer(peer, clearOrHeld)
}

/** Where the own key is open and encryption is on. */
function toPeer({ state, key, known }: PeerKey, clearOrHeld: (why: Held) => Channel): Channel {
  // Sending asks the service again, and refuses when it then shows another key.
  if (state === 'unknown') return known ? { kind: 'sealed', key: known.key } : { kind: 'checking' }
  if (state === 'none') return clearOrHeld('hidden')
  if (state === 'bad') return { kind: 'held', why: 'bad' }
  return known && known.key !== key ? { kind: 'held', why: 'changed' } : { kind: 'sealed', key }
}
