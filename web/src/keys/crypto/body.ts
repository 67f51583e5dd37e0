// What messages and reactions share: a body that is encrypted with a key of its own, and that key, sealed for both ends.
// `context` is what the ciphertext belongs to.

import { randomBytes, toBase64, toBytes, toText } from './bytes.ts'
import { decrypt, encrypt, unwrap, type Wrap, wrap, type Wrapped } from './hpke.ts'
import { CannotOpen, type IsKeyOf, type KeyPair, scheme } from './scheme.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Context = (string | number)[]

/** The parts that go with a ciphertext. */
export interface Locked extends Wrapped {
  /** Only the key of this body gives this commitment. */
  commit: string
}

/** Encrypts a body for a recipient, and for the other devices of the one who writes it. */
export async function sealBody(
  body: object,
  context: Context,
  { own, peer }: { own: KeyPair; peer: Bytes },
): Promise<{ data: Bytes; commit: string; to: Wrap[] }> {
  const key = randomBytes(32)
  const [text, belongs] = [body, context].map((one) => toBytes(JSON.stringify(one)))
  const data = await encrypt(await derive(key, 'key'), randomBytes(12), text!, belongs!)
  const commit = toBase64(await derive(key, 'commit'))
  const bound = await boundOf(context, commit, data)
  return { data, commit, to: [await wrap(key, peer, own, bound), await wrap(key, own.raw, own, bound)] }
}

/** Returns the key of a body that `fromaddr` has sealed. */
export async function openKey(
  header: Locked,
  context: Context,
  data: Bytes,
  fromaddr: string,
  { own, isKeyOf }: { own: KeyPair[]; isKeyOf: IsKeyOf },
): Promise<Bytes> {
  const bound = await boundOf(context, header.commit, data)
  return unwrap(header, { fromaddr }, own, isKeyOf, bound)
}

/** Decrypts a body with its key. */
export async function openBody(
  { commit }: Locked,
  context: Context,
  data: Bytes,
  key: Bytes,
): Promise<Record<string, unknown>> {
  if (toBase64(await derive(key, 'commit')) !== commit)
    throw new CannotOpen('its key is not the one that its sender has committed to.')
  const belongs = toBytes(JSON.stringify(context))
  return JSON.parse(toText(await decrypt(await derive(key, 'key'), data, belongs))) as Record<string, unknown>
}

/** Returns what is bound into each wrapped key: also which key and which ciphertext it belongs to. */
const boundOf = async (context: Context, commit: string, data: Bytes): Promise<Bytes> =>
  toBytes(JSON.stringify([...context, commit, toBase64(await crypto.subtle.digest('SHA-256', data))]))

/** Derives one of the two keys that follow from the key of a body. */
async function derive(key: Bytes, label: 'key' | 'commit'): Promise<Bytes> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, toBytes(`${scheme} ${label}`)))
}
