import type { Container } from './container.ts'

interface Box {
  type: string
  /** Its content starts and ends here. */
  start: number
  end: number
}

/** Reads an AVIF: boxes (ISO/IEC 14496-12) around pictures that are items (23008-12) or tracks. */
export function avif(bytes: Buffer): Container | undefined {
  const container = { type: 'image/avif', width: 0, height: 0, frames: 1, metadata: 0, end: 0 }
  for (const box of boxes(bytes, 0, bytes.length)) {
    container.end = box.end
    // Profiles lie beside the description of the pixels, which needs a few hundred bytes.
    if (box.type !== 'mdat') container.metadata += box.end - box.start + 8
    if (box.type === 'meta' || box.type === 'moov') readBox(bytes, box, container)
  }
  return container
}

function* boxes(bytes: Buffer, from: number, end: number): Generator<Box, void, undefined> {
  for (let at = from; at < end;) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const large = size === 1
    const box = {
      type,
      start: at + (large ? 16 : 8),
      end: at + (large ? readNumber(bytes, at + 8, 8) : size),
    }
    if (box.end < box.start || box.end > end) throw new RangeError('a box of a wrong size')
    yield box
    at = box.end
  }
}

/** The boxes inside of a box start here. */
const parents: Record<string, number> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
}

/** Adds what a box says: the size of a picture, how many frames a track has, how long metadata is. */
function readBox(bytes: Buffer, { type, start, end }: Box, container: Container): void {
  const sized = (width: number, height: number) => {
    container.width = Math.max(container.width, width)
    container.height = Math.max(container.height, height)
  }
  if (type === 'ispe') sized(bytes.readUInt32BE(start + 4), bytes.readUInt32BE(start + 8))
  if (type === 'stsd') sized(bytes.readUInt16BE(start + 40), bytes.readUInt16BE(start + 42))
  if (type === 'stsz') container.frames = Math.max(container.frames, bytes.readUInt32BE(start + 8))
  if (parents[type] === undefined) return
  const inside = [...boxes(bytes, start + parents[type], end)]
  for (const box of inside) readBox(bytes, box, container)
  if (type !== 'meta') return
  const items = new Set<number>()
  for (const box of inside) if (box.type === 'iinf') addMetadataItems(bytes, box, items)
  for (const box of inside) if (box.type === 'iloc') container.metadata += sizeOf(bytes, box, items)
}

const pixels = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])

/** Adds the ids of items that are no pictures, such as EXIF and XMP. */
function addMetadataItems(bytes: Buffer, { start, end }: Box, items: Set<number>): void {
  for (const { start: at } of boxes(bytes, start + (bytes[start] === 0 ? 6 : 8), end)) {
    const short = bytes[at] === 2 ? 2 : 4
    const type = bytes.toString('latin1', at + 6 + short, at + 10 + short)
    if (!pixels.has(type)) items.add(readNumber(bytes, at + 4, short))
  }
}

/** Returns how many bytes items have, by the box that says where each lies. */
function sizeOf(bytes: Buffer, { start, end }: Box, items: Set<number>): number {
  let at = start + 6
  const next = (size: number) => {
    at += size
    if (at > end) throw new RangeError('an item behind its box')
    return readNumber(bytes, at - size, size)
  }
  const version = bytes.readUInt8(start)
  const sizes = bytes.readUInt16BE(start + 4)
  const [ofOffset, ofLength, ofBase] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const ofIndex = version === 0 ? 0 : sizes & 15
  // Without a length it is the whole file, each time it is named.
  if (ofLength === 0) throw new RangeError('items without a length')
  let sum = 0
  for (let left = next(version < 2 ? 2 : 4); left > 0; left--) {
    const id = next(version < 2 ? 2 : 4)
    next((version === 0 ? 2 : 4) + ofBase)
    for (let extents = next(2); extents > 0; extents--) {
      next(ofIndex + ofOffset)
      const length = next(ofLength)
      if (items.has(id)) sum += length
    }
  }
  return sum
}

function readNumber(bytes: Buffer, at: number, size: number): number {
  let value = 0
  for (let i = at; i < at + size; i++) value = value * 256 + bytes.readUInt8(i)
  return value
}
