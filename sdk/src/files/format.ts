// This is the form of a sealed file. Its bytes, and zeros behind them, are cut into segments of 64 KiB, and each is encrypted with
// AES-256-GCM. The nonce of a segment is a prefix, its number and whether it is the last one: the STREAM construction of Hoang,
// Reyhanitabar, Rogaway and Vizár (CRYPTO 2015). So a segment opens at its own place alone, and each place can be opened without
// those before it. docs/encryption.md specifies it to the byte; encryption-vectors.json has examples.

import { type Bytes, fromBase64, toBytes } from '../bytes.ts'

const form = 'parley-file-1'

/** A segment has this number of bytes, the last one fewer; sealed, each has 16 more. */
export const segmentSize = 64 * 1024
const tagSize = 16
export const sealedSegmentSize = segmentSize + tagSize

/** The maximum size of a file: 1 TiB, which has fewer segments than a nonce can number. */
export const mostFileBytes = 2 ** 40

/** The sealed size is that of at least this number of bytes. */
const leastBytes = 1024

/**
 * Returns the size of a file with the zeros behind it. Padmé (Nikitin and others, PETS 2019) keeps of a size only its first bits,
 * so files of about the same size have the same sealed size. It adds at most 3.2 % from 64 KiB on, and at most 2 KiB below.
 */
export function paddedSize(size: number): number {
  if (size <= leastBytes) return leastBytes
  const exponent = bitsOf(size) - 1
  const step = 2 ** (exponent - bitsOf(exponent))
  return Math.ceil(size / step) * step
}

const bitsOf = (number: number): number => number.toString(2).length

/** Returns the number of segments of a file. */
export const segmentsOf = (size: number): number => Math.ceil(paddedSize(size) / segmentSize)

/** Returns the number of bytes that a file of this size has once it is sealed. */
export function sealedSizeOf(size: number): number {
  if (!isFileSize(size)) throw new RangeError('A file has 0 bytes to 1 TiB')
  return paddedSize(size) + tagSize * segmentsOf(size)
}

export const isFileSize = (size: unknown): size is number =>
  Number.isSafeInteger(size) && (size as number) >= 0 && (size as number) <= mostFileBytes

/** The message of this error is a sentence for the reader that says why a file cannot be opened. */
export class CannotOpenFile extends Error {
  constructor(reason: string) {
    super(`This file cannot be opened: ${reason}`)
  }
}

/** Encrypts and decrypts the segments of one file. */
export interface Segments {
  /** Encrypts a segment of the file and the zeros behind it. */
  seal: (index: number, segment: Bytes) => Promise<Bytes>
  /** Throws where the bytes are not this segment of this file. */
  open: (index: number, sealed: Bytes) => Promise<Bytes>
}

/** Returns what encrypts and decrypts the segments of the file with this key. */
export async function segmentsWith(key: string, size: number): Promise<Segments> {
  const material = await crypto.subtle.importKey('raw', fromBase64(key), 'HKDF', false, ['deriveBits'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: toBytes(form) }
  const derived = new Uint8Array(await crypto.subtle.deriveBits(derivation, material, 8 * 39))
  const cipher = await crypto.subtle.importKey('raw', derived.slice(0, 32), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
  const prefix = derived.subarray(32)
  const additionalData = toBytes(JSON.stringify([form, size]))
  const last = segmentsOf(size) - 1
  const algorithm = (index: number) => ({
    name: 'AES-GCM',
    iv: nonceOf(prefix, index, index === last),
    additionalData,
  })
  return {
    seal: async (index, segment) =>
      new Uint8Array(await crypto.subtle.encrypt(algorithm(index), cipher, segment)),
    open: async (index, sealed) => {
      try {
        return new Uint8Array(await crypto.subtle.decrypt(algorithm(index), cipher, sealed))
      } catch {
        throw new CannotOpenFile('it was changed, or it is another file.')
      }
    },
  }
}

/** Returns prefix ‖ number of the segment ‖ 1 for the last segment, else 0. */
function nonceOf(prefix: Uint8Array, index: number, isLast: boolean): Bytes {
  const nonce = new Uint8Array(12)
  nonce.set(prefix)
  new DataView(nonce.buffer).setUint32(7, index)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Returns the key of a file from a secret of its sender: another content or size has another key, so no nonce is used twice. */
export async function fileKey(secret: Bytes, size: number, contentHash: string): Promise<Bytes> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign'])
  const content = toBytes(JSON.stringify([`${form} key`, size, contentHash]))
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, content))
}
