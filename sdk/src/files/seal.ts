// This file seals a file for its recipient.

import { sha256 } from '@noble/hashes/sha2'
import { type Bytes, randomBytes, toBase64 } from '../bytes.ts'
import { fileKey, paddedSize, sealedSegmentSize, sealedSizeOf, segmentSize, segmentsWith } from './format.ts'
import { portionsOf, streamOf, within } from './streams.ts'

/** A file that can be sealed, any number of times and from any place on: the bytes are always the same. */
export interface Sealing {
  /** This opens the file. It goes into the message, and to nobody else. */
  key: string
  size: number
  /** The size of the sealed bytes. */
  sealedSize: number
  /** Returns the SHA-256 of the sealed bytes, in base64 for URLs. It seals the file once, and keeps nothing of it. */
  hash: () => Promise<string>
  /** Returns the sealed bytes from `start` on, up to `end`. */
  sealFrom: (start: number, end?: number) => ReadableStream<Bytes>
}

/** Returns a new secret: each file needs one. A sender who may have to continue an upload later stores it until then. */
export const newFileSecret = (): Bytes => randomBytes(32)

/**
 * Reads a file once and returns what seals it. The same secret gives the same sealed bytes of the same content, so an upload can
 * continue after a reload. Of another content it gives another key.
 */
export async function sealFile(content: Blob, secret: Bytes = newFileSecret()): Promise<Sealing> {
  const { size } = content
  const sealedSize = sealedSizeOf(size)
  const contentHash = await hashFile(content)
  const key = toBase64(await fileKey(secret, size, contentHash))
  const sealFrom = (start: number, end = sealedSize) => {
    if (!(start >= 0 && start <= end && end <= sealedSize))
      throw new RangeError(`The sealed file has the bytes 0 to ${sealedSize}`)
    return streamOf(sealed({ content, key }, start, end))
  }
  return { key, size, sealedSize, sealFrom, hash: () => hashOf(sealFrom(0), sealedSize) }
}

async function* sealed({ content, key }: { content: Blob; key: string }, start: number, end: number) {
  if (start === end) return
  const { size } = content
  const segments = await segmentsWith(key, size)
  const first = Math.floor(start / sealedSegmentSize)
  const portions = portionsOf(content.slice(first * segmentSize).stream())
  try {
    for (let index = first; index * sealedSegmentSize < end; index++) {
      const at = index * segmentSize
      const segment = new Uint8Array(Math.min(segmentSize, paddedSize(size) - at))
      const length = Math.min(Math.max(size - at, 0), segmentSize)
      const portion = await portions.take(length)
      if (portion.length < length) throw hasChanged()
      segment.set(portion)
      yield within(await segments.seal(index, segment), index * sealedSegmentSize, start, end)
    }
  } finally {
    await portions.cancel()
  }
}

/** Returns the SHA-256 of a file, in base64 for URLs. It reads the file once, in small parts. */
export const hashFile = (file: Blob): Promise<string> => hashOf(file.stream(), file.size)

async function hashOf(stream: ReadableStream<Uint8Array>, size: number): Promise<string> {
  const hash = sha256.create()
  const portions = portionsOf(stream)
  try {
    for (let at = 0; at < size; at += segmentSize) {
      const length = Math.min(segmentSize, size - at)
      const portion = await portions.take(length)
      if (portion.length < length) throw hasChanged()
      hash.update(portion)
    }
  } finally {
    await portions.cancel()
  }
  return toBase64(hash.digest())
}

const hasChanged = () => new Error('The file is shorter than it was')
