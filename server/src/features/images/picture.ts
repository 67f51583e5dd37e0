// From text to a picture that is safe to keep, and its thumbnail.
//
// The claimed type does not count: the first bytes select the decoder, and all decoders but five
// are switched off, so SVG (which can hold scripts), HTML and rare formats are not even parsed. The
// size in pixels is checked before anything is decoded. Then the whole picture is decoded, so a
// damaged or incomplete file does not pass. This runs outside of the event loop, one picture at a
// time: an AVIF of the largest size needs 260 MB and half a second.

import { maxImageBytes, maxImageSide } from '@parley/sdk/contract/images.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import sharp from 'sharp'
import { badRequest } from '../../http/validation.ts'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`) })

const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
// Spec gap: an animation of few bytes can have thousands of large frames, which browsers would
// decode.
const maxAnimationPixels = 4 * maxImageSide ** 2
const thumbnailSide = 64
// As a data URL this is 4 KiB.
const maxThumbnailBytes = 3 * 1024 - 18
const mostWaiting = 16

/**
 * Checks a picture given as base64, and answers its thumbnail: 64×64 pixels as a data URL of at
 * most 4 KiB.
 */
export async function makeThumbnail(base64data: string): Promise<string> {
  const { bytes, claimed } = decodeBase64(base64data)
  const thumbnail = await inTurn(async () => {
    await requirePicture(bytes, claimed)
    return shrink(bytes)
  })
  return `data:image/webp;base64,${thumbnail.toString('base64')}`
}

/** RFC 4648 §4 with padding and nothing else, checked by encoding the bytes again. */
function decodeBase64(text: string): { bytes: Buffer; claimed: string | undefined } {
  const start = text.startsWith('data:') ? text.indexOf(',') + 1 : 0
  const claimed = /^data:(image\/[a-z]+);base64,$/i.exec(text.slice(0, start))?.[1]?.toLowerCase()
  if (start > 0 !== (claimed !== undefined))
    throw refused('must begin with data:image/png;base64, or the like when it is a data URL')
  const data = text.slice(start)
  if ((data.length / 4) * 3 > maxImageBytes + 2) throw tooLarge()
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data)
    throw refused('must be base64 as in RFC 4648, with padding and without line breaks')
  if (bytes.length > maxImageBytes) throw tooLarge()
  return { bytes, claimed: claimed?.replace('image/jpg', 'image/jpeg') }
}

async function requirePicture(bytes: Buffer, claimed: string | undefined): Promise<void> {
  const found = await orRefused(() => sharp(bytes, { limitInputPixels: false }).metadata())
  const { mediaType = '' } = found
  if (!types.has(mediaType)) throw notDecodable()
  if (claimed !== undefined && claimed !== mediaType)
    throw refused(`must say what it is: the data URL says ${claimed}, the picture is ${mediaType}`)
  const { width, height } = mediaType === 'image/gif' ? gifScreen(bytes, found) : found
  if (Math.max(width, height) > maxImageSide)
    throw refused(`must be at most ${maxImageSide}×${maxImageSide} pixels, this is ${width}×${height}`)
  const frames = mediaType === 'image/png' ? pngFrames(bytes) : (found.pages ?? 1)
  if (frames * width * height > maxAnimationPixels)
    throw refused(`must be an animation of at most ${maxAnimationPixels} pixels, all frames together`)
}

/**
 * The decoder ignores a screen of 2048×2048 or more when the frames are smaller; browsers do not.
 */
const gifScreen = (bytes: Buffer, { width, height }: { width: number; height: number }) => ({
  width: Math.max(width, bytes.readUInt16LE(6)),
  height: Math.max(height, bytes.readUInt16LE(8)),
})

/**
 * The decoder reads only the first frame of an animated PNG; the header says how many there are.
 */
function pngFrames(bytes: Buffer): number {
  const header = bytes.indexOf('acTL')
  return header > 0 && header < bytes.indexOf('IDAT') ? bytes.readUInt32BE(header + 4) : 1
}

async function shrink(bytes: Buffer): Promise<Buffer> {
  const side = thumbnailSide
  // The whole picture first: if it were cropped at once, the rest would not be decoded.
  const { data, info } = await orRefused(() =>
    sharp(bytes, { limitInputPixels: maxImageSide ** 2 })
      .autoOrient()
      .resize(side, side, { fit: 'outside', withoutEnlargement: true })
      .timeout({ seconds: 10 })
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const square = sharp(data, { raw: info }).resize(side, side)
  for (const quality of [80, 40, 10]) {
    const thumbnail = await square.clone().webp({ quality, alphaQuality: quality, effort: 6 }).toBuffer()
    if (thumbnail.length <= maxThumbnailBytes) return thumbnail
  }
  return square.flatten().webp({ quality: 1 }).toBuffer()
}

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting === mostWaiting)
    throw new ApiError('unavailable', 'Many pictures are being stored. Send it again in a second.', {
      retryAfter: 1,
    })
  waiting++
  const turn = last.then(work).finally(() => waiting--)
  last = turn.catch(() => {})
  return turn
}

async function orRefused<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode()
  } catch (cause) {
    throw notDecodable(cause)
  }
}

const refused = (detail: string) => badRequest([{ pointer: '/body/base64data', detail }])
const notDecodable = (cause?: unknown) =>
  Object.assign(refused('must be a whole, undamaged PNG, JPEG, GIF, WebP or AVIF picture'), { cause })
const tooLarge = () =>
  new ApiError('payload_too_large', `/body/base64data must be at most ${maxImageBytes} bytes when decoded`)
