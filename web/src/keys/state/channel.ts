// A message that is written now has a channel: it is sent in the clear only when the page has shown that before, or
// when its writer has chosen it.

import type { Keyring } from './keyring.ts'
import type { PeerKey } from './peer.ts'

/**
 * A message is held until its writer chooses, for one of these reasons. off: encryption is not on for the own wallet;
 * claimed: it was on, and the service says that it was switched off, which nobody did in this browser; hidden: the
 * service no longer shows a key of the peer, nor anything that the peer has signed; peer-off: the peer has switched it
 * off; changed: it shows another one; bad: it shows one that the peer's wallet has not signed; unchecked: one of a smart wallet
 * that nobody could ask; the others are states of the own keyring.
 */
export type Held =
  | 'off'
  | 'claimed'
  | 'locked'
  | 'unavailable'
  | 'elsewhere'
  | 'outdated'
  | 'hidden'
  | 'peer-off'
  | 'changed'
  | 'bad'
  | 'unchecked'

export type Channel =
  | { kind: 'checking' }
  | { kind: 'clear' }
  /** vouched: the service alone says that the key is the peer's, and nobody has compared the safety number. */
  | { kind: 'sealed'; key: string; isVouched?: true }
  | { kind: 'held'; why: Held }

interface Now {
  ring: Keyring
  peer: PeerKey
  /** This is true when the writer has switched encryption off in this browser. */
  switchedOff: boolean
  /** This is true when the conversation has an encrypted message. */
  wasSealed: boolean
}

export function channelOf({ ring, peer, switchedOff, wasSealed }: Now): Channel {
  if (ring.state === 'unknown') return { kind: 'checking' }
  const isExpected = peer.known !== undefined || wasSealed
  const clearOrHeld = (why: Held): Channel => (isExpected ? { kind: 'held', why } : { kind: 'clear' })
  if (ring.state === 'locked') {
    if (ring.on) return { kind: 'held', why: 'locked' }
    return switchedOff ? { kind: 'clear' } : { kind: 'held', why: 'claimed' }
  }
  if (ring.state !== 'open') return clearOrHeld(ring.state)
  // Without a statement of the wallet, the service could claim this for a wallet that has keys.
  if (!ring.on) return switchedOff ? { kind: 'clear' } : { kind: 'held', why: 'claimed' }
  return toPeer(peer, ring.signed.key, clearOrHeld)
}

/** Applies when the own key is open and encryption is on. */
function toPeer(
  { state, key, known, isVouched }: PeerKey,
  mine: string,
  clearOrHeld: (why: Held) => Channel,
): Channel {
  // Sending queries the service again, and refuses when it then shows another key.
  if (state === 'unknown') return known ? { kind: 'sealed', key: known.key } : { kind: 'checking' }
  if (state === 'none') return clearOrHeld('hidden')
  if (state === 'off') return clearOrHeld('peer-off')
  if (state === 'bad') return { kind: 'held', why: 'bad' }
  // What was checked once is known.
  if (state === 'unchecked')
    return known?.key === key ? { kind: 'sealed', key } : { kind: 'held', why: 'unchecked' }
  if (known && known.key !== key) return { kind: 'held', why: 'changed' }
  const isTaken = isVouched && known?.comparedWith !== mine
  return { kind: 'sealed', key, ...(isTaken && { isVouched }) }
}

/** A safety number is made of these two keys. */
export interface KeyPairOfTwo {
  mine: string
  theirs: string
  /** This is true when the reader has compared the number of exactly these two. */
  isCompared: boolean
}

/**
 * Returns the own key and the one that the service shows for a peer; when it shows none that is signed, the known one.
 * Undefined when one of the two is missing, or encryption is off.
 */
export function keysOfTwo(ring: Keyring, { state, key, known }: PeerKey): KeyPairOfTwo | undefined {
  if (ring.state !== 'open' || !ring.on) return undefined
  const theirs = state === 'good' ? key : known?.key
  if (!theirs) return undefined
  const mine = ring.signed.key
  return { mine, theirs, isCompared: known?.key === theirs && known.comparedWith === mine }
}
