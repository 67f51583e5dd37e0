// From text to a picture that is safe to keep, and what others see of it.
//
// The claimed type does not count: the first bytes select the decoder, and there are five, so SVG
// (which can hold scripts), HTML and rare formats are not even parsed. Sizes are read from the
// container before anything is decoded. Then the whole picture is decoded, so a damaged or
// incomplete file does not pass: in another process, one at a time, because an AVIF of the largest
// size needs 260 MB and half a second.
//
// Spec gap: pictures are answered as they were sent, and others must not be harmed by them. So what
// is accepted is kept as it is, and only what is known to be harmless is accepted: a whole picture,
// nothing behind it, little metadata, decoded in time. Pages show other bytes (`getPicture`), which
// the service draws itself, without metadata.

import { maxImageBytes, maxImageMetadata, maxImageSide } from '@parley/sdk/contract/images.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Config } from '../../config/settings.ts'
import { badRequest } from '../../http/validation.ts'
import { walk } from './containers/walk.ts'
import type { Drawn } from './decode.ts'
import { decode } from './decoder.ts'
import { PictureQueue } from './queue.ts'

type Limits = Pick<Config, 'pictureSeconds' | 'picturesOfWallet' | 'picturesAtOnce'>

// Spec gap: an animation of few bytes can have thousands of large frames, which browsers would
// decode.
const maxAnimationPixels = 4 * maxImageSide ** 2

// Of this instance, like its decoder.
const queue = new PictureQueue()

/**
 * Checks a picture that a wallet sent as base64, and answers what others see of it, as data URLs:
 * 256×256 pixels in at most 32 KiB, and 64×64 pixels in at most 4 KiB.
 */
export async function drawPicture(
  { pictureSeconds, picturesOfWallet, picturesAtOnce }: Limits,
  wallet: string,
  base64data: string,
): Promise<{ shown: string; thumbnail: string }> {
  const { bytes, claimed } = decodeBase64(base64data)
  requirePicture(bytes, claimed)
  const { shown, thumbnail } = await queue.take(
    wallet,
    { ofOwner: picturesOfWallet, ofAll: picturesAtOnce },
    () => decodeOrRefuse(bytes, pictureSeconds),
  )
  return { shown: toUrl(shown), thumbnail: toUrl(thumbnail) }
}

const toUrl = (webp: Uint8Array) => `data:image/webp;base64,${Buffer.from(webp).toString('base64')}`

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

function requirePicture(bytes: Buffer, claimed: string | undefined): void {
  const found = walk(bytes)
  if (!found) throw refused(notWhole)
  const { type, width, height, frames, metadata, end } = found
  if (claimed !== undefined && claimed !== type)
    throw refused(`must say what it is: the data URL says ${claimed}, the picture is ${type}`)
  if (Math.max(width, height) > maxImageSide)
    throw refused(`must be at most ${maxImageSide}×${maxImageSide} pixels, this is ${width}×${height}`)
  if (frames * width * height > maxAnimationPixels)
    throw refused(`must be an animation of at most ${maxAnimationPixels} pixels, all frames together`)
  if (metadata > maxImageMetadata)
    throw refused(
      `must have at most ${maxImageMetadata} bytes of metadata (texts, EXIF, XMP, colour profile), this has ${metadata}. Save it without`,
    )
  if (end < bytes.length)
    throw refused(`must end where the picture ends: ${bytes.length - end} bytes follow. Save it anew`)
}

async function decodeOrRefuse(bytes: Buffer, seconds: number): Promise<Drawn> {
  let answer = await decode(bytes, seconds)
  // Once more: the picture need not be what ended it.
  if (answer === 'died') answer = await decode(bytes, seconds)
  if (answer === 'slow')
    throw refused(
      `must be a picture that is decoded within ${seconds} s. Send it with fewer pixels, or when the service is less busy`,
    )
  if (typeof answer === 'string') throw refused(notWhole)
  return answer
}

const notWhole = 'must be a whole, undamaged PNG, JPEG, GIF, WebP or AVIF picture'
const refused = (detail: string) => badRequest([{ pointer: '/body/base64data', detail }])
const tooLarge = () =>
  new ApiError('payload_too_large', `/body/base64data must be at most ${maxImageBytes} bytes when decoded`)
