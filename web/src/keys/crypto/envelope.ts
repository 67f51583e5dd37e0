// This file encrypts a direct message, so that the service delivers it and cannot read it. docs/encryption.md specifies
// the format, with the reasons; encryption-vectors.json has examples.

import { type AttachedFile, mostFiles, readFiles } from '@parley/sdk/files/attached.ts'
import { type Locked, openBody, openKey, sealBody } from './body.ts'
import { fromBase64, newCid, toBase64 } from './bytes.ts'
import {
  CannotOpen,
  type Content,
  type IsKeyOf,
  type KeyPair,
  type Re,
  scheme,
  type Sealed,
  type SignedKey,
  type Version,
} from './scheme.ts'

/** This is `encrypted_sym_x_key`. */
interface Header extends Locked, Version {}

/** This is the text that is encrypted. A page that does not know `t` does not open it. */
interface Body {
  t: 'text'
  body: string
  at: number
  re?: Re | undefined
  /** A page that does not know files shows the text. */
  files?: AttachedFile[]
}

/** This is what a message is sealed with. */
export interface Sealing {
  /** At this time it was written. */
  at: number
  own: KeyPair
  from: SignedKey
  /** It is sealed for this key of the recipient. */
  peer: Bytes
  /** An edit has the id of the message, and the next number. */
  version?: Version | undefined
  /** A reply has this of what it replies to. */
  re?: Re | undefined
  /** These are the files of the message; of an edit, those that it leaves there. */
  files?: AttachedFile[] | undefined
}

type Bytes = Uint8Array<ArrayBuffer>
type SealedField = 'encrypted_sym_x_key' | 'x_access_conditions'

/** Returns what is bound into the ciphertext. */
const contextOf = (
  { fromaddr, toaddr, nftaddr, nftid }: Sealed,
  { from, cid, rev }: Omit<Header, 'to' | 'commit'>,
) => [scheme, fromaddr, toaddr, nftaddr || '', nftid || '', from.key, cid, rev]

/** Encrypts a message for its recipient and for the sender's other devices. Returns also the content of the message. */
export async function seal<Item extends Sealed>(
  item: Item,
  { at, own, from, peer, version, re, files = [] }: Sealing,
): Promise<{ item: Item & Required<Pick<Sealed, SealedField>>; content: Content }> {
  const { cid, rev } = version ?? { cid: newCid(), rev: 0 }
  const header = { v: 2, cid, rev, from }
  const read = readFiles(files)
  if (read.unreadable > 0)
    throw new TypeError(`A message has ${mostFiles} files at most, which its reader can read`)
  const withFiles = files.length > 0 && { files: read.files }
  const body: Body = { t: 'text', body: item.message, at, ...(re && { re }), ...withFiles }
  const { data, commit, to } = await sealBody(body, contextOf(item, header), { own, peer })
  const sealed = {
    ...item,
    message: toBase64(data),
    encrypted_sym_x_key: JSON.stringify({ ...header, commit, to } satisfies Header),
    x_access_conditions: JSON.stringify({ scheme }),
  }
  return { item: sealed, content: { text: item.message, at, cid, rev, re, ...read, id: idOf(item, header) } }
}

const idOf = ({ fromaddr }: Sealed, { cid }: Version) => `${fromaddr} ${cid}`

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
  const data = fromBase64(item.message)
  return openKey(header, contextOf(item, header), data, item.fromaddr, { own, isKeyOf })
}

/**
 * Decrypts a message with its key alone. Anybody who receives the key of one message uses this to see what the stored
 * message says: no other key gives its commitment.
 */
export async function openWithKey(item: Sealed, key: Bytes): Promise<Content> {
  const header = headerOf(item)
  const opened = await openBody(header, contextOf(item, header), fromBase64(item.message), key)
  const { t, body, at, re, files } = opened as Partial<Body>
  if (t !== 'text' || typeof body !== 'string' || typeof at !== 'number')
    throw new CannotOpen('this page is older than its form. Reload the page.')
  const { cid, rev } = header
  const answered = isRe(re) ? re : undefined
  return { text: body, at, cid, rev, re: answered, ...readFiles(files), id: idOf(item, header) }
}

const isRe = (re: Re | undefined): boolean => typeof re?.cid === 'string' && typeof re.h === 'string'

function headerOf({ encrypted_sym_x_key }: Sealed): Header {
  const header = JSON.parse(encrypted_sym_x_key ?? '') as Header
  const { v, cid, rev } = header
  if (v !== 2 || typeof cid !== 'string' || !Number.isSafeInteger(rev))
    throw new CannotOpen('this page does not know its form.')
  return header
}
