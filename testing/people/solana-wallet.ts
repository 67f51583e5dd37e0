import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'

/** A wallet of Solana: a key of Ed25519, whose public half is the address. */
export interface SolanaWallet {
  address: string
  key: Uint8Array
  sign: (bytes: Uint8Array) => Uint8Array
  /** Returns a signature of a text in base58, as wallets print it. */
  signMessage: (text: string) => Promise<string>
}

const walletOf = (privateKey: KeyObject): SolanaWallet => {
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32)
  const signBytes = (bytes: Uint8Array) => sign(null, bytes, privateKey)
  return {
    address: base58.encode(key),
    key,
    sign: signBytes,
    signMessage: async (text) => base58.encode(signBytes(Buffer.from(text))),
  }
}

export const newSolanaWallet = (): SolanaWallet => walletOf(generateKeyPairSync('ed25519').privateKey)

const beginningOfPkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the wallet of a seed of 32 bytes. */
export const solanaWalletOf = (seed: Uint8Array): SolanaWallet =>
  walletOf(createPrivateKey({ key: Buffer.concat([beginningOfPkcs8, seed]), format: 'der', type: 'pkcs8' }))
