// How a direct message is encrypted, so that the service carries it and cannot read it.
//
// The text is encrypted with a new AES-256-GCM key. That key is wrapped twice by HPKE (RFC 9180;
// X25519, HKDF-SHA256, AES-256-GCM, mode Auth): for the recipient, and for the sender's other
// devices. Mode Auth proves which key sealed it, and the message contains the wallet's signature of
// that key, so a reader need not trust the service, nor have seen the key before. What `bindings`
// lists is bound into both layers, so that a message cannot be moved to another conversation.
//
// On the wire: `message` is iv ‖ ciphertext; `encrypted_sym_x_key` has the wrapped keys and the
// signed key of the sender; `x_access_conditions` names the scheme.

import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { fromBase64, randomBytes, toBase64, toBytes, toText } from './bytes.ts'
import { CannotOpen, type KeyPair, scheme, type Sealed, type SignedKey } from './scheme.ts'

interface Wrapped {
  v: number
  from: SignedKey
  to: { kid: string; enc: string; ct: string }[]
}

const conditions = JSON.stringify({
  scheme,
  kem: 'DHKEM(X25519, HKDF-SHA256)',
  kdf: 'HKDF-SHA256',
  aead: 'AES-256-GCM',
  mode: 'auth',
})

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const info = toBytes(scheme)

/** The version that is written. */
const version = 1

/**
 * What each version binds into both layers. Version 1 binds neither an id nor an order, which the
 * service decides after the client has encrypted: readable.ts notices copies instead.
 */
const bindings = new Map<unknown, (item: Sealed, senderKey: string) => string[]>([
  [
    1,
    ({ fromaddr, toaddr, nftaddr, nftid }, senderKey) => [
      fromaddr,
      toaddr,
      nftaddr || '',
      nftid || '',
      senderKey,
    ],
  ],
])

function contextOf({ v, from }: Pick<Wrapped, 'v' | 'from'>, item: Sealed): Uint8Array<ArrayBuffer> {
  const bind = bindings.get(v)
  if (!bind) throw new CannotOpen('this page does not know its form.')
  return toBytes(JSON.stringify(bind(item, from.key)))
}

/** A short identifier of a key. */
const keyId = async (raw: Uint8Array<ArrayBuffer>): Promise<string> =>
  toBase64(await crypto.subtle.digest('SHA-256', raw)).slice(0, 16)

/** Encrypts a message for its recipient and for the sender's other devices. */
export async function seal<Item extends Sealed>(
  item: Item,
  own: KeyPair,
  from: SignedKey,
  peer: Uint8Array<ArrayBuffer>,
): Promise<Item> {
  const context = contextOf({ v: version, from }, item)
  const raw = randomBytes(32)
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt'])
  const iv = randomBytes(12)
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: context },
    key,
    toBytes(item.message),
  )
  const wrap = async (recipient: Uint8Array<ArrayBuffer>) => {
    const recipientPublicKey = await suite.kem.deserializePublicKey(recipient.buffer)
    const { enc, ct } = await suite.seal(
      { recipientPublicKey, senderKey: own, info: info.buffer },
      raw.buffer,
      context.buffer,
    )
    return { kid: await keyId(recipient), enc: toBase64(enc), ct: toBase64(ct) }
  }
  const wrapped: Wrapped = { v: version, from, to: [await wrap(peer), await wrap(own.raw)] }
  return {
    ...item,
    message: toBase64(new Uint8Array([...iv, ...new Uint8Array(encrypted)])),
    encrypted_sym_x_key: JSON.stringify(wrapped),
    x_access_conditions: conditions,
  }
}

/**
 * Decrypts a message, or throws. `isKeyOf` answers whether a wallet has signed a key; a message
 * whose sender is not proven is not decrypted.
 */
export async function open(
  item: Sealed,
  own: KeyPair,
  isKeyOf: (wallet: string, signed: SignedKey) => Promise<boolean>,
): Promise<string> {
  const wrapped = JSON.parse(item.encrypted_sym_x_key ?? '') as Wrapped
  const context = contextOf(wrapped, item)
  const kid = await keyId(own.raw)
  const mine = wrapped.to.find((one) => one.kid === kid)
  if (!mine) throw new CannotOpen('it was not encrypted for the key that you have now.')
  if (!(await isKeyOf(item.fromaddr, wrapped.from)))
    throw new CannotOpen('it was not encrypted by the wallet that is shown as its sender.')
  const raw = await suite.open(
    {
      recipientKey: own,
      senderPublicKey: await suite.kem.deserializePublicKey(fromBase64(wrapped.from.key).buffer),
      enc: fromBase64(mine.enc).buffer,
      info: info.buffer,
    },
    fromBase64(mine.ct).buffer,
    context.buffer,
  )
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt'])
  const bytes = fromBase64(item.message)
  const text = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes.slice(0, 12), additionalData: context },
    key,
    bytes.slice(12),
  )
  return toText(new Uint8Array(text))
}
