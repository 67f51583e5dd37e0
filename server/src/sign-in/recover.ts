// Runs in a worker (see signature.ts).

import { keccak256 } from 'ox/Hash'
import { type Hex, toBytes } from 'ox/Hex'
import { recover } from 'tiny-secp256k1'
import { signedHash } from './signed-hash.ts'

/**
 * Recovers who signed a text with 65 bytes, or 64 by EIP-2098; null when these are no such signature. The curve is
 * libsecp256k1 in WebAssembly, several times as fast as one in JavaScript.
 */
export function recoverSigner({ text, signature }: { text: string; signature: Hex }): string | null {
  const bytes = toBytes(signature)
  const rs = Uint8Array.from(bytes.subarray(0, 64))
  const parity =
    bytes.length === 65
      ? recoveryParity(bytes[64]!)
      : bytes.length === 64
        ? ((rs[32]! >> 7) as 0 | 1)
        : undefined
  if (parity === undefined) return null
  // EIP-2098 keeps the parity in the highest bit of s.
  if (bytes.length === 64) rs[32]! &= 0x7f
  try {
    const key = recover(toBytes(signedHash(text)), rs, parity, false)
    return key && `0x${keccak256(key.subarray(1), { as: 'Hex' }).slice(-40)}`
  } catch {
    // r or s out of range, or a point that is not on the curve.
    return null
  }
}

const recoveryParity = (v: number): 0 | 1 | undefined =>
  v === 27 || v === 0 ? 0 : v === 28 || v === 1 ? 1 : undefined
