import type { Container } from './container.ts'

/** Reads a WebP: RIFF chunks, of which an animation has one for each frame, with chunks of its own. */
export function webp(bytes: Buffer): Container | undefined {
  const container = { type: 'image/webp', width: 0, height: 0, frames: 0, metadata: 0, end: 0 }
  container.end = 8 + bytes.readUInt32LE(4)
  if (!readChunks(bytes, 12, container.end, container)) return undefined
  return { ...container, frames: Math.max(1, container.frames) }
}

/** Returns true when the chunks fill their place exactly, and adds what they say. */
function readChunks(
  bytes: Buffer,
  from: number,
  end: number,
  container: Container,
  inFrame = false,
): boolean {
  const sized = (width: number, height: number) => {
    container.width = Math.max(container.width, width)
    container.height = Math.max(container.height, height)
  }
  let at = from
  while (at < end) {
    const [start, length] = [at + 8, bytes.readUInt32LE(at + 4)]
    const type = bytes.toString('latin1', at, at + 4)
    at = start + length + (length & 1)
    if (at > end) return false
    if (type === 'VP8X') sized(bytes.readUIntLE(start + 4, 3) + 1, bytes.readUIntLE(start + 7, 3) + 1)
    else if (type === 'VP8 ')
      sized(bytes.readUInt16LE(start + 6) & 0x3fff, bytes.readUInt16LE(start + 8) & 0x3fff)
    else if (type === 'VP8L') {
      const bits = bytes.readUInt32LE(start + 1)
      sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    } else if (type === 'ANMF' && !inFrame) {
      container.frames++
      if (!readChunks(bytes, start + 16, at, container, true)) return false
    } else if (type !== 'ALPH' && type !== 'ANIM') container.metadata += length + 8
  }
  return at === end
}
