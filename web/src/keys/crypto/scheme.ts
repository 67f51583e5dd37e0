import type { ReadFiles } from '@parley/sdk/files/attached.ts'

/** A key pair also has the bytes of its public key. */
export interface KeyPair extends CryptoKeyPair {
  raw: Uint8Array<ArrayBuffer>
}

/** A public key comes with the wallet's proof that it is its own. */
export interface SignedKey {
  key: string
  sig: string
}

/** These fields of a direct message take part in its encryption. */
export interface Sealed {
  fromaddr: string
  toaddr: string
  nftaddr?: string | undefined
  nftid?: string | undefined
  message: string
  encrypted_sym_x_key?: string | undefined
  x_access_conditions?: string | undefined
}

/** A reply has this of the message that it replies to: its `cid`, empty when it is in the clear, and its hash (`quoteHash`). */
export interface Re {
  cid: string
  h: string
}

/** These name one version of an encrypted message. */
export interface Version {
  /** These 16 random bytes, which the sender has chosen, identify the message. */
  cid: string
  /** It is 0 for a new message, and one more with each edit. */
  rev: number
}

/** This is the content of an encrypted message. */
export interface Content extends Version, ReadFiles {
  text: string
  /** At this time it was written, in milliseconds since 1970, by the sender's clock. */
  at: number
  /** No two messages of a sender have the same id. */
  id: string
  re?: Re | undefined
}

/** Returns true when a wallet has signed a key. */
export type IsKeyOf = (wallet: string, signed: SignedKey) => Promise<boolean>

/** `x_access_conditions` names this form. */
export const scheme = 'parley-hpke-2'

/** Returns whether a message was encrypted in the form of this client, in another one, or not at all. */
export function schemeOf({ encrypted_sym_x_key, x_access_conditions }: Sealed): 'own' | 'other' | 'none' {
  if (!encrypted_sym_x_key && !x_access_conditions) return 'none'
  try {
    const conditions = JSON.parse(x_access_conditions ?? '') as { scheme?: unknown }
    return conditions.scheme === scheme ? 'own' : 'other'
  } catch {
    return 'other'
  }
}

/** The message of this error is a sentence for the reader that says why a message cannot be opened. */
export class CannotOpen extends Error {
  constructor(reason: string) {
    super(`This message cannot be opened: ${reason}`)
  }
}

/** The message is for this wallet, and none of the keys that are open here opens it. */
export class MissingKey extends Error {}
