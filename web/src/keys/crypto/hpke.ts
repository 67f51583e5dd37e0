// This is HPKE (RFC 9180) as the envelope uses it: X25519, HKDF-SHA256, AES-256-GCM, mode Auth, which proves which key
// has sealed.

import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { fromBase64, toBase64, toBytes } from './bytes.ts'
import {
  CannotOpen,
  type IsKeyOf,
  type KeyPair,
  MissingKey,
  scheme,
  type Sealed,
  type SignedKey,
} from './scheme.ts'

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** A wrap is the key of a message, sealed for one of the keys that may open it. */
export interface Wrap {
  kid: string
  enc: string
  ct: string
}

/** HPKE reads this part of `encrypted_sym_x_key`. */
export interface Wrapped {
  v: number
  from: SignedKey
  to: Wrap[]
}

type Bytes = Uint8Array<ArrayBuffer>

/** Returns a short name of a public key: the first 16 characters of its SHA-256 in base64url. */
const keyId = async (raw: Bytes): Promise<string> =>
  toBase64(await crypto.subtle.digest('SHA-256', raw)).slice(0, 16)

/** Seals the key of a message for a public key. `bound` is authenticated with it. */
export async function wrap(key: Bytes, recipient: Bytes, own: KeyPair, bound: Bytes): Promise<Wrap> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(recipient.buffer)
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, senderKey: own, info: toBytes(scheme).buffer },
    key.buffer,
    bound.buffer,
  )
  return { kid: await keyId(recipient), enc: toBase64(enc), ct: toBase64(ct) }
}

/** Opens the key of a message with the own key for which it was sealed. The sender has to be proven first. */
export async function unwrap(
  { from, to }: Wrapped,
  { fromaddr }: Pick<Sealed, 'fromaddr'>,
  own: KeyPair[],
  isKeyOf: IsKeyOf,
  bound: Bytes,
): Promise<Bytes> {
  const ids = await Promise.all(own.map(({ raw }) => keyId(raw)))
  const mine = to.find(({ kid }) => ids.includes(kid))
  if (!mine) throw new MissingKey('None of the keys that are open here opens it')
  if (!(await isKeyOf(fromaddr, from))) throw new CannotOpen('its sender did not encrypt it.')
  const opened = await suite.open(
    {
      recipientKey: own[ids.indexOf(mine.kid)]!,
      senderPublicKey: await suite.kem.deserializePublicKey(fromBase64(from.key).buffer),
      enc: fromBase64(mine.enc).buffer,
      info: toBytes(scheme).buffer,
    },
    fromBase64(mine.ct).buffer,
    bound.buffer,
  )
  return new Uint8Array(opened)
}

/** Encrypts with AES-256-GCM. Returns the bytes of iv ‖ ciphertext ‖ tag. */
export async function encrypt(key: Bytes, iv: Bytes, text: Bytes, bound: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bound }, imported, text)
  return new Uint8Array([...iv, ...new Uint8Array(sealed)])
}

export async function decrypt(key: Bytes, sealed: Bytes, bound: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
  const algorithm = { name: 'AES-GCM', iv: sealed.slice(0, 12), additionalData: bound }
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, imported, sealed.slice(12)))
}
