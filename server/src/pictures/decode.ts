// Runs in a process of its own (see decoder.ts): makes what others see from a picture.

import { writeFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'

export interface Drawn {
  /** A WebP of at most 256×256 pixels and 24 KiB. */
  shown: Uint8Array
  /** A WebP of 64×64 pixels; as a data URL it has at most 4 KiB. */
  thumbnail: Uint8Array
}

sharp.cache(false)
sharp.concurrency(1)
// All decoders but five are switched off.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`) })

const side = 256
const maxPixels = 4096 ** 2

async function draw(bytes: Uint8Array): Promise<Drawn> {
  // The whole picture first: if it were cropped at once, the rest would not be decoded.
  const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels })
    .autoOrient()
    .resize(side, side, { fit: 'outside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const upright = sharp(data, { raw: info })
  const least = Math.min(side, info.width, info.height)
  return {
    shown: await encode(upright.clone().resize(least, least), 24 * 1024),
    thumbnail: await encode(upright.resize(64, 64), 3 * 1024 - 18),
  }
}

async function encode(picture: Sharp, maxBytes: number): Promise<Buffer> {
  for (const quality of [80, 40, 10]) {
    const bytes = await picture.clone().webp({ quality, alphaQuality: quality, effort: 6 }).toBuffer()
    if (bytes.length <= maxBytes) return bytes
  }
  return picture.flatten().webp({ quality: 1 }).toBuffer()
}

/** The service may be gone. */
const answer = (message: object | string) => process.send!(message, () => {})

// When memory runs out, Linux ends this process first: not the service, nor its database.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {}

process.on('message', async (bytes: Uint8Array) => {
  answer(await draw(bytes).catch(() => 'damaged'))
})
// The service decides when this ends, which it does with it, also in the middle of a picture.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
answer('ready')
