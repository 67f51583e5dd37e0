// What the search stores is encrypted with a key that follows from the wallet's own key, so that it is readable only where the
// encrypted messages are (docs/encryption.md).

import { toBytes } from '@parley/sdk/bytes.ts'
import type { KeyPair } from '../keys/crypto/scheme.ts'

type Bytes = Uint8Array<ArrayBuffer>

const scheme = 'parley device search 1'

/** Derives the key of an index from an open pair of keys. Scripts cannot export it. */
export async function searchKey({ privateKey, publicKey }: KeyPair, salt: Bytes): Promise<CryptoKey> {
  const secret = await crypto.subtle.deriveBits({ name: 'X25519', public: publicKey }, privateKey, 256)
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: toBytes(scheme) },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

const algorithm = (iv: Bytes, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: toBytes(JSON.stringify([scheme, name])),
})

/** Encrypts a record. It opens only under its name. */
export async function sealRecord(key: CryptoKey, name: string, bytes: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(algorithm(iv, name), key, bytes)
  const whole = new Uint8Array(12 + sealed.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(sealed), 12)
  return whole
}

export async function openRecord(key: CryptoKey, name: string, sealed: Bytes): Promise<Bytes> {
  const iv = sealed.slice(0, 12)
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(iv, name), key, sealed.slice(12)))
}
