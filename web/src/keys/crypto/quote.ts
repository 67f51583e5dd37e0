import { toBase64, toBytes } from './bytes.ts'
import type { Version } from './scheme.ts'

/** A reply quotes this. One in the clear has an empty `cid`, and `rev` 0. */
export interface Quoted extends Version {
  fromaddr: string
  text: string
}

/** Returns the hash by which a reply says what it replies to. */
export const quoteHash = async ({ fromaddr, cid, rev, text }: Quoted): Promise<string> =>
  toBase64(
    await crypto.subtle.digest(
      'SHA-256',
      toBytes(JSON.stringify(['parley-hpke-2 quote', fromaddr, cid, rev, text])),
    ),
  )
