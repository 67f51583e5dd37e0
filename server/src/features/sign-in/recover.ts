// This module runs in a worker (see signature.ts).

// This imports only the module: the package's index would also load its hashes and everything else.
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { keccak256 } from 'ox/Hash'
import { type Hex, toBytes } from 'ox/Hex'

const curve = await instantiateSecp256k1()

/**
 * Returns the signer of a hash with 65 bytes, or 64 by EIP-2098; null when these are no such signature. The curve is libsecp256k1
 * in WebAssembly, several times as fast as one in JavaScript.
 */
export function recoverSigner({ hash, signature }: { hash: Hex; signature: Hex }): string | null {
  const bytes = toBytes(signature)
  const rs = Uint8Array.from(bytes.subarray(0, 64))
  const parity =
    bytes.length === 65
      ? recoveryParity(bytes[64]!)
      : bytes.length === 64
        ? ((rs[32]! >> 7) as 0 | 1)
        : undefined
  if (parity === undefined) return null
  // EIP-2098 stores the parity in the highest bit of s.
  if (bytes.length === 64) rs[32]! &= 0x7f
  // A text says what is wrong: r or s out of range, or a point that is not on the curve.
  const key = curve.recoverPublicKeyUncompressed(rs, parity, toBytes(hash))
  return typeof key === 'string' ? null : `0x${keccak256(key.subarray(1), { as: 'Hex' }).slice(-40)}`
}

const recoveryParity = (v: number): 0 | 1 | undefined =>
  v === 27 || v === 0 ? 0 : v === 28 || v === 1 ? 1 : undefined
