// This is the backup of a wallet's ring of keys, which the service stores. The last key is the current one; the others
// open what was written for them. The backup has each key under one or more locks: AES-256-GCM under a key derived
// (HKDF-SHA256) from the wallet's signature of a fixed text, so the same wallet opens it on any device, and from a
// recovery code, for wallets whose signatures differ each time.

import { fromBase64, randomBytes, toBase64, toBytes } from './bytes.ts'
import type { KeyPair, SignedKey } from './scheme.ts'

export interface Lock {
  kind: 'signature' | 'code'
  salt: string
  iv: string
  data: string
  /** Nobody has seen this code yet. */
  unseen?: true
}

export interface BackedKey extends SignedKey {
  locks: Lock[]
}

export interface Backup {
  v: 2
  keys: BackedKey[]
  /**
   * This says whether the wallet's signature of the same text is always the same. It is absent until that was observed.
   */
  steady?: boolean
}

/** The service limits the bytes it stores, so the number of keys has a limit too. */
export const mostKeys = 16

/** Reads a backup. Returns no keys for anything else. */
export function parseBackup(text: string | undefined): Backup {
  const none: Backup = { v: 2, keys: [] }
  if (!text) return none
  try {
    const read = JSON.parse(text) as Backup
    return read.v === 2 ? read : none
  } catch {
    return none
  }
}

/**
 * Merges the keys of both, in the order of this device: the service cannot drop one or go back to an earlier one here.
 * When both have a key, the service has its newer locks.
 */
export function mergeBackups(here: Backup, there: Backup): Backup {
  const ofService = new Map(there.keys.map((one) => [one.key, one]))
  const known = here.keys.map((one) => ofService.get(one.key) ?? one)
  const more = there.keys.filter(({ key }) => here.keys.every((one) => one.key !== key))
  const steady = there.steady ?? here.steady
  return { v: 2, keys: [...known, ...more], ...(steady !== undefined && { steady }) }
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns 160 random bits as text that people can write down (Crockford's base 32). */
export function newCode(): string {
  const digits = Array.from(randomBytes(32), (byte) => alphabet[byte % 32]!).join('')
  return digits.match(/.{4}/g)!.join('-')
}

/** Corrects the usual slips in a typed code: case, spaces, O for 0, I and L for 1. */
const normaliseCode = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '')

/** A secret opens locks of one kind: a signature in its canonical form (key-proof.ts), or a recovery code. */
export interface Secret {
  kind: Lock['kind']
  text: string
}

/** Makes a new X25519 key pair: the pair to use, which scripts cannot export, and its private bytes for the backup. */
export async function newKeyPair(): Promise<{ pair: KeyPair; pkcs8: Uint8Array<ArrayBuffer> }> {
  const fresh = await crypto.subtle.generateKey('X25519', true, ['deriveBits'])
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', fresh.privateKey))
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', fresh.publicKey))
  return { pair: await keyPairOf(pkcs8, raw), pkcs8 }
}

export async function keyPairOf(
  pkcs8: Uint8Array<ArrayBuffer>,
  raw: Uint8Array<ArrayBuffer>,
): Promise<KeyPair> {
  return {
    raw,
    privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits']),
    publicKey: await crypto.subtle.importKey('raw', raw, 'X25519', true, []),
  }
}

export async function makeLock(secret: Secret, pkcs8: Uint8Array<ArrayBuffer>): Promise<Lock> {
  const [salt, iv] = [randomBytes(32), randomBytes(12)]
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(secret, salt), pkcs8)
  return { kind: secret.kind, salt: toBase64(salt), iv: toBase64(iv), data: toBase64(data) }
}

/** Opens the keys that a secret opens. */
export async function openKeys(keys: BackedKey[], secret: Secret): Promise<KeyPair[]> {
  const opened = await openPrivateBytes(keys, secret)
  return Promise.all(opened.map(({ key, pkcs8 }) => keyPairOf(pkcs8, fromBase64(key))))
}

export interface PrivateBytes {
  key: string
  pkcs8: Uint8Array<ArrayBuffer>
}

/** Returns the private bytes of the keys that a secret opens, for another browser. */
export async function openPrivateBytes(keys: BackedKey[], secret: Secret): Promise<PrivateBytes[]> {
  const opened: PrivateBytes[] = []
  for (const { key, locks } of keys)
    for (const lock of locks.filter(({ kind }) => kind === secret.kind)) {
      const pkcs8 = await openLock(lock, secret).catch(() => undefined)
      if (pkcs8) opened.push({ key, pkcs8 })
    }
  return opened
}

async function openLock({ salt, iv, data }: Lock, secret: Secret): Promise<Uint8Array<ArrayBuffer>> {
  const key = await deriveKey(secret, fromBase64(salt))
  const pkcs8 = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, key, fromBase64(data))
  return new Uint8Array(pkcs8)
}

async function deriveKey({ kind, text }: Secret, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const bytes = toBytes(kind === 'code' ? normaliseCode(text) : text)
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: toBytes('parley backup') },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
