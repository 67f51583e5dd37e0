// The private key of a wallet that was made in a page, encrypted under the secret of a passkey. The service stores it
// under a name that is made of the same secret.

import { type Bytes, fromBase64, randomBytes, toBase64, toBytes } from '@parley/sdk/bytes.ts'
import { bytesToHex, hexToBytes } from 'viem/utils'

export type PrivateKey = `0x${string}`

/** Where a key belongs. Its encryption binds both. */
export interface Place {
  host: string
  address: string
}

const derived = async (secret: Bytes, info: string): Promise<Bytes> => {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: toBytes(info) }
  return new Uint8Array(await crypto.subtle.deriveBits(from, material, 256))
}

/** Returns the name under which the service stores what this secret opens. */
export const guestKeyName = async (secret: Bytes): Promise<string> =>
  toBase64(await derived(secret, 'parley guest name 1'))

const keyOf = async (secret: Bytes) =>
  crypto.subtle.importKey('raw', await derived(secret, 'parley guest key 1'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])

const bound = ({ host, address }: Place) => toBytes(JSON.stringify(['parley-guest-1', host, address]))

export async function sealGuestKey(
  secret: Bytes,
  key: PrivateKey,
  place: Place,
  iv = randomBytes(12),
): Promise<string> {
  const options = { name: 'AES-GCM', iv, additionalData: bound(place) }
  const sealed = await crypto.subtle.encrypt(options, await keyOf(secret), hexToBytes(key) as Bytes)
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** Throws where a bit of it was changed, or where it belongs to another secret, wallet or service. */
export async function openGuestKey(secret: Bytes, data: string, place: Place): Promise<PrivateKey> {
  const bytes = fromBase64(data)
  const options = { name: 'AES-GCM', iv: bytes.slice(0, 12), additionalData: bound(place) }
  const key = await crypto.subtle.decrypt(options, await keyOf(secret), bytes.slice(12))
  return bytesToHex(new Uint8Array(key))
}
