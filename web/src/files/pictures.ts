// Prepares a picture to be sent. Drawing it again removes what cameras store in files: the place, the time, the camera.
// Pictures that move would stand still, so they stay as they are, like all files that are no pictures.

import { toBase64 } from '@parley/sdk/bytes.ts'
import { fileNameOf, fileTypeOf } from '@parley/sdk/files/attached.ts'
import { pictureTypeOf } from '@parley/sdk/files/kinds.ts'
import { rgbaToThumbHash } from 'thumbhash'

/** A file as it will be sent. */
export interface Prepared {
  file: Blob
  name: string
  type: string
  width?: number
  height?: number
  /** A voice note takes this number of milliseconds, and is this loud. */
  duration?: number
  wave?: string
  thumbhash?: string
  /** This is a small picture of it, for an encrypted message. */
  preview?: string
  /** drawn: what its camera stored in it is gone; kept: it is a picture whose data could not be removed. */
  data?: 'drawn' | 'kept'
}

/** A compressed picture has at most this number of pixels on its long side. */
const longSide = 2048
const mostPreviewBytes = 8 * 1024

export async function prepareFile(given: File, isCompressed: boolean): Promise<Prepared> {
  const plain = { file: given, name: fileNameOf(given.name), type: fileTypeOf(given.type) }
  const start = new Uint8Array(await given.slice(0, 64 * 1024).arrayBuffer())
  const kind = pictureTypeOf(start)
  if (!kind) return plain.type.startsWith('image/') ? { ...plain, data: 'kept' } : plain
  const picture = await createImageBitmap(given).catch(() => undefined)
  if (!picture) return { ...plain, type: kind, data: 'kept' }
  try {
    const about = await aboutPicture(picture)
    const { width, height } = picture
    const asItIs: Prepared = { ...plain, type: kind, width, height, ...about }
    if (kind === 'image/gif') return asItIs
    if (moves(start, kind)) return { ...asItIs, data: 'kept' }
    const drawn = await draw(picture, isCompressed ? longSide : Infinity, kind, isCompressed ? 0.82 : 0.92)
    return drawn
      ? { ...about, ...drawn, name: named(plain.name, drawn.type), data: 'drawn' }
      : { ...asItIs, data: 'kept' }
  } finally {
    picture.close()
  }
}

/** A WebP has a flag for that; a PNG has a chunk of it before the first picture. */
function moves(bytes: Uint8Array, kind: string): boolean {
  if (kind === 'image/webp') return textOf(bytes.subarray(12, 16)) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
  const text = kind === 'image/png' ? textOf(bytes) : ''
  const at = text.indexOf('acTL')
  return at > 0 && at < text.indexOf('IDAT')
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

/** Draws a picture that fits into a square; undefined where the browser cannot. */
async function draw(
  picture: ImageBitmap,
  most: number,
  type: string,
  quality: number,
): Promise<(Pick<Prepared, 'file' | 'type'> & { width: number; height: number }) | undefined> {
  const canvas = canvasOf(picture, most)
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  const { width, height } = canvas
  return file && file.size > 0 ? { file, type: file.type, width, height } : undefined
}

function canvasOf(picture: ImageBitmap, most: number): HTMLCanvasElement {
  const scale = Math.min(1, most / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** A ThumbHash is made of a picture of at most this number of pixels on its long side. */
const hashedSide = 100
/** These are tried for the small picture, until one has few enough bytes. */
const previews = [
  [320, 0.6],
  [240, 0.5],
  [160, 0.4],
  [96, 0.3],
] as const

async function aboutPicture(picture: ImageBitmap): Promise<Pick<Prepared, 'thumbhash' | 'preview'>> {
  const canvas = canvasOf(picture, hashedSide)
  const { width, height } = canvas
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
  const thumbhash = toBase64(rgbaToThumbHash(width, height, data))
  for (const [side, quality] of previews) {
    const small = await draw(picture, side, 'image/jpeg', quality)
    if (small && small.file.size <= mostPreviewBytes)
      return { thumbhash, preview: toBase64(await small.file.arrayBuffer()) }
  }
  return { thumbhash }
}

/** Returns a name with the ending of the type that the picture has now. */
function named(name: string, type: string): string {
  const endings: Record<string, RegExp> = {
    'image/jpeg': /\.(jpe?g|jfif)$/i,
    'image/png': /\.png$/i,
    'image/webp': /\.webp$/i,
  }
  if (!endings[type] || endings[type].test(name)) return name
  const ending = { 'image/jpeg': '.jpg', 'image/png': '.png' }[type] ?? '.webp'
  return fileNameOf(name.replace(/\.[^.]{1,5}$/, '') + ending)
}
