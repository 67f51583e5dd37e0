// Runs in a separate process (see decoder.ts): makes the pictures that others see.

import { writeFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'

export interface Drawn {
  /** This is a WebP of at most 256×256 pixels and 24 KiB. */
  shown: Uint8Array
  /** This is a WebP of 64×64 pixels; as a data URL it has at most 4 KiB. */
  thumbnail: Uint8Array
}

export interface Undrawn {
  bytes: Uint8Array
  /** This is true for the picture of a token in SVG. */
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
  // This is closed except for the picture of a token, although other pictures were checked before.
  const svg = { operation: ['VipsForeignLoadSvg'] }
  if (isSvg) sharp.unblock(svg)
  else sharp.block(svg)
  // The whole picture is decoded first: if it were cropped at once, the rest would not be decoded. An SVG is drawn in the size
  // that is needed, whatever size it names; librsvg has neither network, files nor scripts, and gets only bytes here.
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

/** Limits the bytes of memory. The content of an SVG is not known before, and may have any size. */
const mostMemory = 768 * 1024 * 1024

process.on('message', async (picture: Undrawn) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > mostMemory) process.kill(process.pid, 'SIGKILL')
  }, 10)
  answer(await draw(picture).catch(() => 'damaged'))
  clearInterval(watch)
})
// The service decides when this process ends. It ends with the service, also in the middle of a picture.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
answer('ready')
