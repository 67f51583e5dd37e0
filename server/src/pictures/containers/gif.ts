import type { Container } from './container.ts'

export function gif(bytes: Buffer): Container | undefined {
  let [metadata, frames, width, height] = [0, 0, bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  let at = 13 + colours(bytes.readUInt8(10))
  for (;;) {
    const start = at
    const block = bytes.readUInt8(at)
    if (block === 0x3b) break
    if (block === 0x2c) {
      frames++
      // A frame may be larger than the screen.
      width = Math.max(width, bytes.readUInt16LE(at + 5))
      height = Math.max(height, bytes.readUInt16LE(at + 7))
      at = endOfBlocks(bytes, at + 11 + colours(bytes.readUInt8(at + 9)))
    } else if (block === 0x21) {
      at = endOfBlocks(bytes, at + 2)
      // The duration of a frame is part of the picture.
      if (bytes[start + 1] !== 0xf9) metadata += at - start
    } else return undefined
  }
  return { type: 'image/gif', width, height, frames, metadata, end: at + 1 }
}

/** Returns the bytes of a table of colours. */
const colours = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  while (bytes.readUInt8(at) > 0) at += 1 + bytes[at]!
  return at + 1
}
