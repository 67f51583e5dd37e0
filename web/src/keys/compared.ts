import type { Keyring } from './keyring.ts'
import type { PeerKey } from './peer.ts'

/** The two keys that a safety number is made of. */
export interface KeyPairOfTwo {
  mine: string
  theirs: string
  /** Whether the reader has compared the number of exactly these two. */
  isCompared: boolean
}

/**
 * The own key, and that which the service shows for a peer; where it shows none that is signed, the
 * one that is known. Undefined where one of the two is missing, or encryption is off.
 */
export function keysOfTwo(ring: Keyring, { state, key, known }: PeerKey): KeyPairOfTwo | undefined {
  if (ring.state !== 'open' || !ring.on) return undefined
  const theirs = state === 'good' ? key : known?.key
  if (!theirs) return undefined
  const mine = ring.signed.key
  return { mine, theirs, isCompared: known?.key === theirs && known.comparedWith === mine }
}
