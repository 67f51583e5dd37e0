/** A key pair with the public key as bytes. */
export interface KeyPair extends CryptoKeyPair {
  raw: Uint8Array<ArrayBuffer>
}

/** A public key and the wallet's signature of it. */
export interface SignedKey {
  key: string
  sig: string
}

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

/** Whether a message was encrypted by this scheme, by another one, or not at all. */
export function schemeOf({ encrypted_sym_x_key, x_access_conditions }: Sealed): 'own' | 'other' | 'none' {
  if (!encrypted_sym_x_key && !x_access_conditions) return 'none'
  try {
    return (JSON.parse(x_access_conditions ?? '') as { scheme?: unknown }).scheme === scheme ? 'own' : 'other'
  } catch {
    return 'other'
  }
}
