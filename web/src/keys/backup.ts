// The backup of the private key, which the service stores. It is encrypted (AES-256-GCM) under a
// key derived (HKDF-SHA256) from the wallet's signature of a fixed text, so the same wallet opens
// it on any device. Wallets whose signatures differ each time get a recovery code instead.

import { fromBase64, randomBytes, toBase64, toBytes } from './bytes.ts'
import type { KeyPair } from './scheme.ts'

export interface Backup {
  v: 1
  kind: 'signature' | 'code'
  salt: string
  iv: string
  data: string
}

// A wallet signs two texts. Both name the host of the service and the wallet, so that the page of
// another service cannot ask for the same signature without naming a service that is not its own.

/**
 * The text that a wallet signs to open its backup. It must never change: backups depend on it.
 */
export const unlockText = (host: string, address: string): string =>
  `Open my encrypted messages on ${host}.\n\nService: ${host}\nWallet: ${address}\n\nSign this only when you use Parley at ${host}: whoever has this signature can read the encrypted messages of this wallet there. It costs nothing and sends no transaction.`

/** The text that a wallet signs to prove that a key is its own. */
export const keyStatement = (host: string, address: string, key: string): string =>
  `This is my encryption key on ${host}.\n\nService: ${host}\nWallet: ${address}\nKey: ${key}\n\nSign this only when you use Parley at ${host}: it shows the people I write with there that the key is mine. It costs nothing and sends no transaction.`

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 160 random bits as text that people can write down (Crockford's base 32). */
export function newCode(): string {
  const digits = Array.from(randomBytes(32), (byte) => alphabet[byte % 32]!).join('')
  return digits.match(/.{4}/g)!.join('-')
}

/** Corrects the usual slips in a typed code: case, spaces, O for 0, I and L for 1. */
export const normaliseCode = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '')

/**
 * A new X25519 key pair: the pair to use, which scripts cannot export, and its private bytes for
 * the backup.
 */
export async function newKeyPair(): Promise<{ pair: KeyPair; pkcs8: Uint8Array<ArrayBuffer> }> {
  const fresh = await crypto.subtle.generateKey('X25519', true, ['deriveBits'])
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', fresh.privateKey))
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', fresh.publicKey))
  return { pair: await keyPairOf(pkcs8, raw), pkcs8 }
}

async function keyPairOf(pkcs8: Uint8Array<ArrayBuffer>, raw: Uint8Array<ArrayBuffer>): Promise<KeyPair> {
  return {
    raw,
    privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits']),
    publicKey: await crypto.subtle.importKey('raw', raw, 'X25519', true, []),
  }
}

export async function makeBackup(
  kind: Backup['kind'],
  secret: string,
  pkcs8: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const [salt, iv] = [randomBytes(32), randomBytes(12)]
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(secret, salt), pkcs8)
  const backup: Backup = { v: 1, kind, salt: toBase64(salt), iv: toBase64(iv), data: toBase64(data) }
  return JSON.stringify(backup)
}

/** Opens a backup. Throws when the secret is wrong. */
export async function openBackup(backup: Backup, secret: string, publicKey: string): Promise<KeyPair> {
  const key = await deriveKey(secret, fromBase64(backup.salt))
  const pkcs8 = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: fromBase64(backup.iv) },
    key,
    fromBase64(backup.data),
  )
  return keyPairOf(new Uint8Array(pkcs8), fromBase64(publicKey))
}

async function deriveKey(secret: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', toBytes(secret), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: toBytes('parley backup') },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
