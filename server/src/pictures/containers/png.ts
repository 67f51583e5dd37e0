import type { Container } from './container.ts'

/** These chunks of a PNG are part of the picture. The names of those that may be skipped begin in lower case. */
const parts = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'acTL', 'fcTL', 'fdAT'])

export function png(bytes: Buffer): Container | undefined {
  let [at, type, metadata, frames, announced] = [8, '', 0, 0, 1]
  while (type !== 'IEND') {
    const start = at
    type = bytes.toString('latin1', start + 4, start + 8)
    at += 12 + bytes.readUInt32BE(start)
    if ((type === 'IHDR') !== (start === 8)) return undefined
    if (type === 'acTL') announced = bytes.readUInt32BE(start + 8)
    if (type === 'fcTL') frames++
    if (parts.has(type)) continue
    if (!/^[a-z]/.test(type)) return undefined
    metadata += at - start
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return { type: 'image/png', width, height, frames: Math.max(frames, announced), metadata, end: at }
}
