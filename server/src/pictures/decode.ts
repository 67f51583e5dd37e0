// Runs in a process of its own (see decoder.ts): makes what others see from a picture.

import { writeFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'

export interface Drawn {
  /** A WebP of at most 256×256 pixels and 24 KiB. */
  shown: Uint8Array
  /** A WebP of 64×64 pixels; as a data URL it has at most 4 KiB. */
  thumbnail: Uint8Array
}

export interface Undrawn {
  bytes: Uint8Array
  /** Whether it is the picture of a token in SVG. */
  isSvg: boolean
  maxPixels: number
}

sharp.cache(false)
sharp.concurrency(1)
// All decoders but five are switched off.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`) })

const side = 256

async function draw({ bytes, isSvg, maxPixels }: Undrawn): Promise<Drawn> {
  // Closed but for the picture of a token, though what other pictures are was looked at before.
  const svg = { operation: ['VipsForeignLoadSvg'] }
  if (isSvg) sharp.unblock(svg)
  else sharp.block(svg)
  // The whole picture first: if it were cropped at once, the rest would not be decoded. An SVG is drawn in the size that is
  // needed, whatever it says of itself; librsvg has neither network, files nor scripts, and knows bytes alone here.
  const { data, info } = await (
    isSvg
      ? sharp(bytes, { limitInputPixels: false }).resize(side, side, { fit: 'inside' })
      : sharp(bytes, { limitInputPixels: maxPixels })
          .autoOrient()
          .resize(side, side, { fit: 'outside', withoutEnlargement: true })
  )
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

/** Bytes of memory. What an SVG holds within itself is not known before, and may be as large as it likes. */
const mostMemory = 768 * 1024 * 1024

process.on('message', async (picture: Undrawn) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > mostMemory) process.kill(process.pid, 'SIGKILL')
  }, 10)
  answer(await draw(picture).catch(() => 'damaged'))
  clearInterval(watch)
})
// The service decides when this ends, which it does with it, also in the middle of a picture.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
answer('ready')
