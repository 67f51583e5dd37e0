// A wallet with a key of its own proves with its one signature. Its address shows of which kind its key is, and that alone decides how
// its proofs are made and verified.

import { isSolanaAddress } from '@parley/sdk/accounts.ts'
import type { SignedKey } from './scheme.ts'
import type { Claim, Place } from './unlock-text.ts'

interface Proofs {
  /**
   * Returns the one spelling of the wallet's signature of unlockText, whatever the wallet writes; secrets are derived from it. Throws
   * for a signature that proves nothing.
   */
  canonicalSignature: (signature: string, place: Place) => string | Promise<string>
  /** Proves a key with that spelling of the signature. */
  proveKey: (claim: Claim, signature: string) => Promise<string>
  /** Returns true when the wallet has proven a key for the service at a host. */
  hasSigned: (host: string, address: string, signed: SignedKey) => Promise<boolean>
}

export const loadProofs = (address: string): Promise<Proofs> =>
  isSolanaAddress(address) ? import('./ed25519-proof.ts') : import('./key-proof.ts')
