// This module turns text into a picture that is safe to store, and draws what others see of it.
//
// Spec gap: pictures are answered as they were sent, and others must not be harmed by them. So what
// is accepted is kept as it is, and only what is known to be harmless is accepted: a whole picture,
// nothing behind it, little metadata, decoded in time (pictures/draw.ts). Pages show other bytes
// (`getPicture`), which the service draws itself, without metadata.

import { maxImageBytes } from '@parley/sdk/contract/images.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Who } from '../../limits/concurrency.ts'
import { badRequest } from '../../http/validation.ts'
import { draw, inspect } from '../../pictures/draw.ts'

interface DrawnPicture {
  /** This is what stands before the base64: nothing, or the beginning of a data URL. */
  prefix: string
  bytes: Buffer
  /** Pages show this one. */
  shown: string
  /** Lists show this one. */
  thumbnail: string
}

/**
 * Checks a picture that a wallet sent as base64, and returns its bytes and what others see of it, as data URLs: 256×256 pixels in
 * at most 32 KiB, and 64×64 pixels in at most 4 KiB.
 */
export async function drawPicture(
  limits: Parameters<typeof draw>[0],
  who: Who,
  base64data: string,
): Promise<DrawnPicture> {
  const { prefix, bytes, claimed } = decodeBase64(base64data)
  const found = inspect(bytes)
  if ('problem' in found) throw refused(`must ${found.problem}`)
  if (claimed !== undefined && claimed !== found.type)
    throw refused(`must say what it is: the data URL says ${claimed}, the picture is ${found.type}`)
  const drawn = await draw(limits, who, bytes)
  if ('problem' in drawn) throw refused(`must ${drawn.problem}`)
  return { prefix, bytes, ...drawn }
}

/** Decodes RFC 4648 §4 with padding and nothing else; it checks by encoding the bytes again, as a reader gets them. */
function decodeBase64(text: string): { prefix: string; bytes: Buffer; claimed: string | undefined } {
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
  return { prefix: text.slice(0, start), bytes, claimed: claimed?.replace('image/jpg', 'image/jpeg') }
}

const refused = (detail: string) => badRequest([{ pointer: '/body/base64data', detail }])
const tooLarge = () =>
  new ApiError('payload_too_large', `The picture must be at most ${maxImageBytes / 2 ** 20} MiB when decoded`)
