/** A key pair with the public key as bytes. */
export interface KeyPair extends CryptoKeyPair {
  raw: Uint8Array<ArrayBuffer>
}

/** A public key and the wallet's signature of it. */
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

export const scheme = 'parley-hpke-1'

/** Why a message cannot be opened, as a sentence for the reader. */
export class CannotOpen extends Error {
  constructor(reason: string) {
    super(`This message cannot be opened: ${reason}`)
  }
}
