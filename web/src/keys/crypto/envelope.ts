// This file encrypts a direct message, so that the service delivers it and cannot read it. docs/encryption.md specifies
// the format, with the reasons; encryption-vectors.json has examples.

import { fromBase64, randomBytes, toBase64, toBytes, toText } from './bytes.ts'
import { decrypt, encrypt, unwrap, wrap, type Wrapped } from './hpke.ts'
import {
  CannotOpen,
  type Content,
  type IsKeyOf,
  type KeyPair,
  scheme,
  type Sealed,
  type SignedKey,
} from './scheme.ts'

/** This is `encrypted_sym_x_key`. */
interface Header extends Wrapped {
  /** These 16 random bytes, which the sender has chosen, identify the message. */
  cid: string
  /** It is 0 for a new message. */
  rev: number
  /** Only the key of this message gives this commitment. */
  commit: string
}

/** This is the text that is encrypted. A page that does not know `t` does not open it. */
interface Body {
  t: 'text'
  body: string
  at: number
}

type Bytes = Uint8Array<ArrayBuffer>

/** Returns what is bound into the ciphertext. */
const contextOf = (
  { fromaddr, toaddr, nftaddr, nftid }: Sealed,
  { from, cid, rev }: Omit<Header, 'to' | 'commit'>,
) => [scheme, fromaddr, toaddr, nftaddr || '', nftid || '', from.key, cid, rev]

/** Returns what is bound into each wrapped key: also which key and which ciphertext it belongs to. */
const boundOf = async (context: unknown[], commit: string, message: Bytes): Promise<Bytes> =>
  toBytes(JSON.stringify([...context, commit, toBase64(await crypto.subtle.digest('SHA-256', message))]))

/** Derives one of the two keys that follow from the key of a message. */
async function derive(key: Bytes, label: 'key' | 'commit'): Promise<Bytes> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, toBytes(`${scheme} ${label}`)))
}

/**
 * Encrypts a message for its recipient and for the sender's other devices. `at` is the time at which it was written.
 * Returns also the content of the message.
 */
export async function seal<Item extends Sealed>(
  item: Item,
  at: number,
  own: KeyPair,
  from: SignedKey,
  peer: Bytes,
): Promise<{ item: Item; content: Content }> {
  const key = randomBytes(32)
  const header = { v: 2, cid: toBase64(randomBytes(16)), rev: 0, from }
  const context = contextOf(item, header)
  const body: Body = { t: 'text', body: item.message, at }
  const message = await encrypt(
    await derive(key, 'key'),
    randomBytes(12),
    toBytes(JSON.stringify(body)),
    toBytes(JSON.stringify(context)),
  )
  const commit = toBase64(await derive(key, 'commit'))
  const bound = await boundOf(context, commit, message)
  const to = [await wrap(key, peer, own, bound), await wrap(key, own.raw, own, bound)]
  const sealed = {
    ...item,
    message: toBase64(message),
    encrypted_sym_x_key: JSON.stringify({ ...header, commit, to } satisfies Header),
    x_access_conditions: JSON.stringify({ scheme }),
  }
  return { item: sealed, content: { text: item.message, at, id: idOf(item, header) } }
}

const idOf = ({ fromaddr }: Sealed, { cid }: Pick<Header, 'cid'>) => `${fromaddr} ${cid}`

/**
 * Decrypts a message, or throws. A message whose sender is not proven, or whose key is not the one
 * that it commits to, is not decrypted.
 */
export async function open(item: Sealed, own: KeyPair[], isKeyOf: IsKeyOf): Promise<Content> {
  return openWithKey(item, await keyOf(item, own, isKeyOf))
}

/** Returns the key of a message, which opens that message alone. */
export async function keyOf(item: Sealed, own: KeyPair[], isKeyOf: IsKeyOf): Promise<Bytes> {
  const header = headerOf(item)
  const bound = await boundOf(contextOf(item, header), header.commit, fromBase64(item.message))
  return unwrap(header, item, own, isKeyOf, bound)
}

/**
 * Decrypts a message with its key alone. Anybody who receives the key of one message uses this to see what the stored
 * message says: no other key gives its commitment.
 */
export async function openWithKey(item: Sealed, key: Bytes): Promise<Content> {
  const header = headerOf(item)
  if (toBase64(await derive(key, 'commit')) !== header.commit)
    throw new CannotOpen('its key is not the one that its sender has committed to.')
  const context = toBytes(JSON.stringify(contextOf(item, header)))
  const text = toText(await decrypt(await derive(key, 'key'), fromBase64(item.message), context))
  const { t, body, at } = JSON.parse(text) as Partial<Body>
  if (t !== 'text' || typeof body !== 'string' || typeof at !== 'number')
    throw new CannotOpen('this page is older than its form. Reload the page.')
  return { text: body, at, id: idOf(item, header) }
}

function headerOf({ encrypted_sym_x_key }: Sealed): Header {
  const header = JSON.parse(encrypted_sym_x_key ?? '') as Header
  const { v, cid, rev } = header
  if (v !== 2 || typeof cid !== 'string' || !Number.isSafeInteger(rev))
    throw new CannotOpen('this page does not know its form.')
  return header
}
