import type { Container } from './container.ts'

/** These are tables, and the start of a scan. */
const parts = new Set([0xc4, 0xda, 0xdb, 0xdd])

export function jpeg(bytes: Buffer): Container | undefined {
  let [at, metadata, width, height] = [2, 0, 0, 0]
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    // These are fill bytes.
    while (bytes[at] === 0xff) at++
    const marker = bytes.readUInt8(at++)
    if (marker === 0xd9) break
    const length = bytes.readUInt16BE(at)
    // These markers have the size: of a baseline, extended or progressive picture, once.
    if (marker >= 0xc0 && marker <= 0xc2 && width === 0)
      [height, width] = [bytes.readUInt16BE(at + 3), bytes.readUInt16BE(at + 5)]
    else if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) metadata += length
    else if (!parts.has(marker)) return undefined
    at += length
    if (marker === 0xda) at = endOfScan(bytes, at)
  }
  return { type: 'image/jpeg', width, height, frames: 1, metadata, end: at }
}

/** Returns the next marker that is neither an escaped byte nor one that restarts the decoder. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const marker = bytes[at] === 0xff ? bytes[at + 1] : 0
    if (marker !== 0 && marker !== 0xff && !(marker! >= 0xd0 && marker! <= 0xd7)) return at
  }
  return bytes.length
}
