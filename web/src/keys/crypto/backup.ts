// This is the backup of a wallet's ring of keys, which the service stores. The last key is the current one; the others
// open what was written for them. The backup has each key under one or more locks: AES-256-GCM under a key derived
// (HKDF-SHA256) from the wallet's signature of a fixed text, so the same wallet opens it on any device, from a
// recovery code, for wallets whose signatures differ each time, and from the secret of a passkey, beside one of these.

import { fromBase64, randomBytes, toBase64, toBytes } from './bytes.ts'
import type { KeyPair, SignedKey } from './scheme.ts'

export interface Lock {
  kind: 'signature' | 'code' | 'passkey'
  salt: string
  iv: string
  data: string
  /** Nobody has seen this code yet. */
  unseen?: true
  /** The name of the passkey. */
  credential?: string
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

/** The service limits the bytes it stores, so the number of keys has a limit too, and that of passkeys. */
export const mostKeys = 16
export const mostPasskeys = 3

/** Returns the passkeys that open the current key. */
export const passkeysOf = ({ keys }: Backup): string[] =>
  (keys.at(-1)?.locks ?? []).flatMap(({ credential }) => credential ?? [])

/** Returns the passkeys that open any of these keys. */
export const passkeysOfKeys = (keys: readonly BackedKey[]): string[] => [
  ...new Set(keys.flatMap(({ locks }) => locks.flatMap(({ credential }) => credential ?? []))),
]

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

/**
 * A secret opens locks of one kind: a signature in its canonical form (key-proof.ts), a recovery code, or the secret of
 * a passkey as base64url.
 */
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
  const pairs = await Promise.all(
    opened.map(({ key, pkcs8 }) => keyPairOf(pkcs8, fromBase64(key)).catch(() => undefined)),
  )
  return pairs.filter((pair) => pair !== undefined)
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

/**
 * Returns these keys with a lock of a passkey, each that another secret opens: a passkey is never the only way to a
 * key. Returns undefined where that secret does not open the last one.
 */
export async function withPasskey(
  keys: readonly BackedKey[],
  by: Secret & { kind: 'signature' | 'code' },
  passkey: { credential: string; secret: Uint8Array<ArrayBuffer> },
): Promise<BackedKey[] | undefined> {
  const secret: Secret = { kind: 'passkey', text: toBase64(passkey.secret) }
  const made = await Promise.all(
    keys.map(async (one) => {
      const opened = await Promise.all(
        one.locks
          .filter(({ kind }) => kind === by.kind)
          .map((lock) => openLock(lock, by).catch(() => undefined)),
      )
      const pkcs8 = opened.find((bytes) => bytes !== undefined)
      if (!pkcs8) return undefined
      const lock: Lock = { ...(await makeLock(secret, pkcs8)), credential: passkey.credential }
      return { ...one, locks: [...one.locks, lock] }
    }),
  )
  return made.at(-1) && keys.map((one, at) => made[at] ?? one)
}

export const withoutPasskeys = (ring: Backup): Backup => ({
  ...ring,
  keys: ring.keys.map((one) => ({ ...one, locks: one.locks.filter(({ kind }) => kind !== 'passkey') })),
})

/** Returns the private bytes that a lock has. */
async function openLock({ salt, iv, data }: Lock, secret: Secret): Promise<Uint8Array<ArrayBuffer>> {
  const key = await deriveKey(secret, fromBase64(salt))
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, key, fromBase64(data)),
  )
}

const bytesOf: Record<Lock['kind'], (text: string) => Uint8Array<ArrayBuffer>> = {
  signature: toBytes,
  code: (text) => toBytes(normaliseCode(text)),
  passkey: fromBase64,
}

async function deriveKey({ kind, text }: Secret, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytesOf[kind](text), 'HKDF', false, ['deriveKey'])
  const info = toBytes(kind === 'passkey' ? 'parley backup passkey' : 'parley backup')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
