// Makes bytes into a picture that is safe to show, drawn again.
//
// The claimed type does not count: the first bytes select the decoder, and there are five, so SVG (which can hold scripts), HTML
// and rare formats are not even parsed. The picture of a token may be SVG: only its drawing is shown. Sizes are read from the
// container before anything is decoded. Then the whole picture is decoded, so a damaged or incomplete file does not pass: in
// another process, one at a time, because an AVIF of the largest size needs 260 MB and half a second.

import { maxImageMetadata, maxImageSide } from '@parley/sdk/contract/images.ts'
import type { Config } from '../config/settings.ts'
import { createTurns, inTurn, type Who } from '../limits/concurrency.ts'
import type { Container } from './containers/container.ts'
import { walk } from './containers/walk.ts'
import type { Drawn, Undrawn } from './decode.ts'
import { decode } from './decoder.ts'

type Limits = Pick<Config, 'pictureSeconds'>

// Spec gap: an animation of few bytes can have thousands of large frames, which browsers would
// decode.
const maxAnimationPixels = 4 * maxImageSide ** 2

/** Each instance has its own decoder, which draws one picture at a time. */
const turns = createTurns({
  name: 'pictures',
  total: 1,
  caller: 1,
  network: 1,
  site: 1,
  waiting: 8,
  waitingOfAll: 32,
})

/** Returns what bytes are, or why they are not decoded: a text that completes "it must …". */
export function inspect(bytes: Buffer): Container | { problem: string } {
  const found = walk(bytes)
  if (!found) return { problem: notWhole }
  const { width, height, frames, metadata, end } = found
  if (Math.max(width, height) > maxImageSide)
    return { problem: `be at most ${maxImageSide}×${maxImageSide} pixels, this is ${width}×${height}` }
  if (frames * width * height > maxAnimationPixels)
    return { problem: `be an animation of at most ${maxAnimationPixels} pixels, all frames together` }
  if (metadata > maxImageMetadata)
    return {
      problem: `have at most ${maxImageMetadata} bytes of metadata (texts, EXIF, XMP, colour profile), this has ${metadata}. Save it without`,
    }
  if (end < bytes.length)
    return { problem: `end where the picture ends: ${bytes.length - end} bytes follow. Save it again` }
  return found
}

/**
 * Limits the picture of a token, which is drawn small and whose bytes nobody gets: pixels, and those of an AVIF, which is decoded
 * whole.
 */
const maxTokenPixels = 8192 * 4096

/**
 * Returns the part of bytes that is a picture of a token, as others may see it drawn; undefined when there is none. Other content
 * of the bytes (metadata, a second picture behind the first) does not matter, because they are never sent.
 */
export function inspectToken(bytes: Buffer): { picture: Buffer; isSvg: boolean } | undefined {
  if (isSvg(bytes)) return { picture: bytes, isSvg: true }
  const found = walk(bytes)
  if (!found) return undefined
  const most = found.type === 'image/avif' ? maxImageSide ** 2 : maxTokenPixels
  return found.width * found.height > most
    ? undefined
    : { picture: bytes.subarray(0, found.end), isSvg: false }
}

/** Returns true for bytes that are a text whose first element is that of an SVG. */
const isSvg = (bytes: Buffer): boolean =>
  /^\ufeff?\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]{0,2000}?-->\s*|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\])?\s*>\s*)*<svg[\s>]/i.test(
    bytes.toString('utf8', 0, 4096),
  )

/**
 * Draws what was inspected: 256×256 pixels in at most 32 KiB, and 64×64 pixels in at most 4 KiB, as data URLs; or returns why
 * not. Network addresses and their wallets take turns (limits/concurrency.ts): it throws 429 when this wallet has too many waiting,
 * 503 when all have.
 */
export async function draw(
  { pictureSeconds }: Limits,
  who: Who,
  bytes: Buffer,
  { isSvg: drawsSvg = false, isToken = false } = {},
): Promise<{ shown: string; thumbnail: string } | { problem: string }> {
  const undrawn = { bytes, isSvg: drawsSvg, maxPixels: isToken ? maxTokenPixels : maxImageSide ** 2 }
  const drawn = await inTurn(turns, who, () => decodeTwice(undrawn, pictureSeconds))
  if (drawn === 'slow')
    return {
      problem: `be a picture that is decoded within ${pictureSeconds} s. Send it with fewer pixels, or when the service is less busy`,
    }
  if (typeof drawn === 'string') return { problem: notWhole }
  return { shown: toUrl(drawn.shown), thumbnail: toUrl(drawn.thumbnail) }
}

/** It tries once more when the decoder died: another picture may have ended it. */
async function decodeTwice(picture: Undrawn, seconds: number): Promise<Drawn | 'damaged' | 'slow' | 'died'> {
  const answer = await decode(picture, seconds)
  return answer === 'died' && !picture.isSvg ? decode(picture, seconds) : answer
}

const toUrl = (webp: Uint8Array) => `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`

const notWhole = 'be a whole, undamaged PNG, JPEG, GIF, WebP or AVIF picture'
