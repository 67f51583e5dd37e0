/** A key pair with the public key as bytes. */
export interface KeyPair extends CryptoKeyPair {
  raw: Uint8Array<ArrayBuffer>
}

/** A public key and the wallet's proof that it is its own. */
export interface SignedKey {
  key: string
  sig: string
}

/** The fields of a direct message that take part in its encryption. */
export interface Sealed {
  fromaddr: string
  toaddr: string
  nftaddr?: string | undefined
  nftid?: string | undefined
  message: string
  encrypted_sym_x_key?: string | undefined
  x_access_conditions?: string | undefined
}

/** What an encrypted message says. */
export interface Content {
  text: string
  /** When it was written, in milliseconds since 1970, by the sender's clock. Not in version 1. */
  at?: number
  /** What no two messages of a sender share: its id, or in version 1 its ciphertext. */
  id: string
}

/** Whether a wallet has signed a key. */
export type IsKeyOf = (wallet: string, signed: SignedKey) => Promise<boolean>

/** The form that `x_access_conditions` names: version 1 is read, version 2 is written and read. */
export type Scheme = 'parley-hpke-1' | 'parley-hpke-2'

/** Whether a message was encrypted in a form of this client, by another one, or not at all. */
export function schemeOf({ encrypted_sym_x_key, x_access_conditions }: Sealed): Scheme | 'other' | 'none' {
  if (!encrypted_sym_x_key && !x_access_conditions) return 'none'
  try {
    const { scheme } = JSON.parse(x_access_conditions ?? '') as { scheme?: unknown }
    return scheme === 'parley-hpke-1' || scheme === 'parley-hpke-2' ? scheme : 'other'
  } catch {
    return 'other'
  }
}

/** Why a message cannot be opened, as a sentence for the reader. */
export class CannotOpen extends Error {
  constructor(reason: string) {
    super(`This message cannot be opened: ${reason}`)
  }
}

/** The message is for this wallet, and none of the keys that are open here opens it. */
export class MissingKey extends Error {}
