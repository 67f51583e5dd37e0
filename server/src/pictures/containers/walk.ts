// The walk takes time in proportion to the bytes, for any content. It must end where the file ends, so nothing is hidden behind
// the picture, and it counts every byte that is neither pixels nor needed to decode them.

import { avif } from './avif.ts'
import type { Container } from './container.ts'
import { gif } from './gif.ts'
import { jpeg } from './jpeg.ts'
import { png } from './png.ts'
import { webp } from './webp.ts'

/** Returns what a picture contains; undefined when it is none of the five kinds, or not a whole one. */
export function walk(bytes: Buffer): Container | undefined {
  const kind = kinds.find(([start]) => start.test(bytes.toString('latin1', 0, 64)))
  try {
    const container = kind?.[1](bytes)
    return container && Math.min(container.width, container.height) > 0 && container.end <= bytes.length
      ? container
      : undefined
  } catch (error) {
    // A length points out of the file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const kinds: [RegExp, (bytes: Buffer) => Container | undefined][] = [
  [/^\x89PNG\r\n.\n/, png],
  [/^\xff\xd8\xff/, jpeg],
  [/^GIF8[79]a/, gif],
  [/^RIFF.{4}WEBP/s, webp],
  // The file begins with the size of the first box, its name, and the brands.
  [/^\0\0..ftyp(.{4})*avi[fs]/s, avif],
]
