// Ed25519 (RFC 8032), as strictly as it can be: node:crypto refuses an S that is not below the order and an R in another spelling,
// and accepts keys for which everybody can make signatures. These are refused here first.

import { createPublicKey, verify } from 'node:crypto'
import { promisify } from 'node:util'

const prime = 2n ** 255n - 19n
/** The heights of the eight points whose order divides 8: a signature by such a key, or with such an R, proves nothing. */
const ofOrder8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd83d3d706a17c7n
const smallOrders = new Set([0n, 1n, prime - 1n, ofOrder8, prime - ofOrder8])

/** Returns true for the one spelling of a point that has not a small order. Whether it is on the curve shows when it is used. */
function isStrictPoint(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) & (2n ** 255n - 1n)
  return y < prime && !smallOrders.has(y)
}

// With a callback it verifies in another thread.
const verifyBeside = promisify(
  (
    data: Uint8Array,
    key: Uint8Array,
    signature: Uint8Array,
    done: (error: Error | null, result: boolean) => void,
  ) => verify(null, data, createPublicKey({ key: jwkOf(key), format: 'jwk' }), signature, done),
)

const jwkOf = (key: Uint8Array) => ({ kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') })

/** Returns true when 64 bytes are a signature of the data by the 32 bytes of a public key. */
export async function isSignature(
  signature: Uint8Array,
  data: Uint8Array,
  key: Uint8Array,
): Promise<boolean> {
  if (signature.length !== 64 || key.length !== 32) return false
  if (!isStrictPoint(key) || !isStrictPoint(signature.subarray(0, 32))) return false
  return verifyBeside(data, key, signature)
}
