// What a link of a hand-over has: 128 random bits, which stay in browsers. HKDF derives two values from them: the code,
// which opens the link at the service, and a key, with which message keys are sealed on their way. The code says
// nothing about the key.

import { fromBase64, randomBytes, toBase64, toBytes } from '@parley/sdk/bytes.ts'

export const newSecret = (): string => toBase64(randomBytes(16))

/** A page without HTTPS has no such functions. */
export const canHandOver = (): boolean => globalThis.crypto?.subtle !== undefined

const derivation = (use: 'code' | 'keys') => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(),
  info: toBytes(`parley hand-over ${use}`),
})

const materialOf = (secret: string, use: 'deriveBits' | 'deriveKey') =>
  crypto.subtle.importKey('raw', fromBase64(secret), 'HKDF', false, [use])

/** Returns the code that the service gets from the browser that opens the link. */
export async function codeOf(secret: string): Promise<string> {
  return toBase64(
    await crypto.subtle.deriveBits(derivation('code'), await materialOf(secret, 'deriveBits'), 128),
  )
}

/** Returns what the service gets when the link is made. */
export async function codeHashOf(secret: string): Promise<string> {
  return toBase64(await crypto.subtle.digest('SHA-256', toBytes(await codeOf(secret))))
}

const sealingKey = async (secret: string) =>
  crypto.subtle.deriveKey(
    derivation('keys'),
    await materialOf(secret, 'deriveKey'),
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )

const algorithm = (iv: Uint8Array<ArrayBuffer>, wallet: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: toBytes(wallet),
})

/** Seals bytes of a wallet with the secret of a link. */
export async function seal(secret: string, wallet: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = randomBytes(12)
  const data = await crypto.subtle.encrypt(algorithm(iv, wallet), await sealingKey(secret), bytes)
  return `${toBase64(iv)}.${toBase64(data)}`
}

/** Opens what `seal` has sealed for this wallet; throws for anything else. */
export async function unseal(
  secret: string,
  wallet: string,
  sealed: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const [iv = '', data = ''] = sealed.split('.')
  const key = await sealingKey(secret)
  return new Uint8Array(await crypto.subtle.decrypt(algorithm(fromBase64(iv), wallet), key, fromBase64(data)))
}
