// This file opens a file with the key that a message has.

import { sha256 } from '@noble/hashes/sha2'
import { type Bytes, toBase64 } from '../bytes.ts'
import type { AttachedFile } from './attached.ts'
import {
  CannotOpenFile,
  sealedSegmentSize,
  sealedSizeOf,
  segmentSize,
  segmentsOf,
  segmentsWith,
} from './format.ts'
import { portionsOf, streamOf, within } from './streams.ts'

/** Returns the sealed bytes of a file from `start` up to `end`: no fewer and no more. */
export type ReadSealed = (
  start: number,
  end: number,
) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>

/**
 * Returns the bytes of a file from `start` up to `end`. It reads the segments in which they lie and no others, and returns no byte
 * of a segment that is not as its sender has sealed it.
 */
export function openRange(
  file: Pick<AttachedFile, 'key' | 'size'>,
  source: Blob | ReadSealed,
  start: number,
  end: number,
): ReadableStream<Bytes> {
  if (!(start >= 0 && start <= end && end <= file.size))
    throw new RangeError(`The file has the bytes 0 to ${file.size}`)
  const [first, last] = [Math.floor(start / segmentSize), start === end ? 0 : Math.ceil(end / segmentSize)]
  return streamOf(opened(file, source, { first, last, start, end }))
}

/**
 * Returns a whole file. It also reads what is behind its last byte and compares the hash of all that is sealed: the last part comes
 * when that is the one in the message.
 */
export function openFile(
  file: Pick<AttachedFile, 'key' | 'size' | 'hash'>,
  source: Blob | ReadSealed,
): ReadableStream<Bytes> {
  const hash = sha256.create()
  const check = {
    add: (sealed: Bytes) => hash.update(sealed),
    end: () => {
      if (toBase64(hash.digest()) !== file.hash)
        throw new CannotOpenFile('it is not the one that the message has.')
    },
  }
  const all = { first: 0, last: segmentsOf(file.size), start: 0, end: file.size }
  return streamOf(opened(file, source, all, check))
}

interface Range {
  /** These are numbers of segments, the second one of the first that is not needed. */
  first: number
  last: number
  start: number
  end: number
}

/** Notices what the segments alone do not show. */
interface Check {
  add: (sealed: Bytes) => void
  end: () => void
}

async function* opened(
  { key, size }: Pick<AttachedFile, 'key' | 'size'>,
  source: Blob | ReadSealed,
  { first, last, start, end }: Range,
  check?: Check,
) {
  if (first >= last) return
  const sealedSize = sealedSizeOf(size)
  const endOf = (index: number) => Math.min((index + 1) * sealedSegmentSize, sealedSize)
  const segments = await segmentsWith(key, size)
  const portions = portionsOf(await read(source, sealedSize, first * sealedSegmentSize, endOf(last - 1)))
  try {
    // A part is returned when the one behind it has come: the last one when nothing is behind it.
    let held: Bytes | undefined
    for (let index = first; index < last; index++) {
      const at = index * sealedSegmentSize
      const sealed = await portions.take(endOf(index) - at)
      if (sealed.length < endOf(index) - at) throw new CannotOpenFile('a part of it is missing.')
      const part = within(await segments.open(index, sealed), index * segmentSize, start, end)
      check?.add(sealed)
      if (part.length === 0) continue
      if (held) yield held
      held = part
    }
    if (!(await portions.isAtEnd())) throw new CannotOpenFile('it is longer than its sender made it.')
    check?.end()
    if (held) yield held
  } finally {
    await portions.cancel()
  }
}

function read(source: Blob | ReadSealed, sealedSize: number, from: number, to: number) {
  if (typeof source === 'function') return source(from, to)
  if (source.size !== sealedSize)
    throw new CannotOpenFile(
      source.size < sealedSize ? 'a part of it is missing.' : 'it is longer than its sender made it.',
    )
  return source.slice(from, to).stream()
}
