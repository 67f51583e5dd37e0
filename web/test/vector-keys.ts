import { fromBase64 } from '../src/keys/crypto/bytes.ts'
import type { KeyPair } from '../src/keys/crypto/scheme.ts'

/** Returns the key pair of a wallet of the vectors. */
export async function pairOf(one: { x25519_private_key_hex: string; public_key: string }): Promise<KeyPair> {
  const pkcs8 = new Uint8Array(
    Buffer.from(`302e020100300506032b656e04220420${one.x25519_private_key_hex}`, 'hex'),
  )
  const raw = fromBase64(one.public_key)
  return {
    raw,
    privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits']),
    publicKey: await crypto.subtle.importKey('raw', raw, 'X25519', true, []),
  }
}
