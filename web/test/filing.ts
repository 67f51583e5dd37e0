// Messages with files, as another client sends them.

import { type AttachedFile, sealFile } from '@parley/sdk/files/index.ts'
import sharp from 'sharp'
import { upload } from '../../testing/people/uploading.ts'
import { eventually, type Person, say, visit } from './person.ts'
import type { useSite } from './site.ts'

type Site = Pick<ReturnType<typeof useSite>, 'service'>
type Place = { toaddr: string } | { nftaddr: string }

export interface NewFile extends Partial<Omit<AttachedFile, 'id' | 'key' | 'hash' | 'size'>> {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A picture of one colour, or of noise, which is as large as its pixels. */
export async function picture(
  width: number,
  height: number,
  { colour = '#3a7', isNoise = false } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const noise = isNoise ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } } : {}
  const create = { width, height, channels: 3 as const, background: colour, ...noise }
  return new Uint8Array(
    await sharp({ create })
      .png({ compressionLevel: isNoise ? 0 : 6 })
      .toBuffer(),
  )
}

/** Makes a GIF of two frames. */
export async function gif(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const frames = await Promise.all(['#3a7', '#73a'].map((colour) => picture(width, height, { colour })))
  return new Uint8Array(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  )
}

/** A sound of silence, of this number of seconds. */
export function sound(seconds: number): Uint8Array<ArrayBuffer> {
  const [rate, size] = [8000, 8000 * seconds]
  const head = new DataView(new ArrayBuffer(44))
  const text = (at: number, value: string) => {
    for (const [n, byte] of new TextEncoder().encode(value).entries()) head.setUint8(at + n, byte)
  }
  text(0, 'RIFF')
  head.setUint32(4, 36 + size, true)
  text(8, 'WAVEfmt ')
  head.setUint32(16, 16, true)
  head.setUint16(20, 1, true)
  head.setUint16(22, 1, true)
  head.setUint32(24, rate, true)
  head.setUint32(28, rate, true)
  head.setUint16(32, 1, true)
  head.setUint16(34, 8, true)
  text(36, 'data')
  head.setUint32(40, size, true)
  const bytes = new Uint8Array(44 + size).fill(128)
  bytes.set(new Uint8Array(head.buffer))
  return bytes
}

/**
 * A moving picture of this number of seconds, which a browser has recorded. Behind it are as many bytes of nothing as it needs for
 * its size.
 */
export async function recordedVideo(
  { page }: Person,
  seconds = 1,
  size = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await page.evaluate(async (frames) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 120 })
    const drawing = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start()
    for (let n = 0; n < frames; n++) {
      drawing.fillStyle = n % 2 ? '#1a7f64' : '#f3c26b'
      drawing.fillRect(0, 0, 160, 120)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await stopped
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  }, seconds * 20)
  if (bytes.length >= size) return Uint8Array.from(bytes)
  const video = new Uint8Array(size)
  video.set(bytes)
  // This is an element of Matroska that says nothing. Its size has eight bytes, as the first one says.
  video[bytes.length] = 0xec
  new DataView(video.buffer).setBigUint64(bytes.length + 1, (1n << 56n) | BigInt(size - bytes.length - 9))
  return video
}

/** Uploads files of a wallet in the clear, and returns their ids. */
async function uploadAll(site: Site, from: string, place: Place, files: NewFile[]): Promise<string[]> {
  const client = await site.service.as(from)
  const ids: string[] = []
  for (const { bytes, type: _type, preview: _preview, ...about } of files)
    ids.push((await upload(client, { ...place, ...about }, bytes)).id)
  return ids
}

/** Sends a message in the clear. Without a text it has the names of its files. */
export async function sendFiles(
  site: Site,
  [from, to]: [Person, Person],
  files: NewFile[],
  text = files.map(({ name }) => name).join(', '),
): Promise<number> {
  const ids = await uploadAll(site, from.address, { toaddr: to.address }, files)
  const body = { fromaddr: from.address, toaddr: to.address, message: text, files: ids }
  return (await (await site.service.as(from.address)).sendDirectMessage({ body }))[0]!.id
}

/** Posts a picture in a community, and returns the id of the post. */
export async function postFile(site: Site, from: Person, nftaddr: string, file: NewFile): Promise<number> {
  const files = await uploadAll(site, from.address, { nftaddr }, [file])
  const body = { fromaddr: from.address, nftaddr, message: file.name, files }
  return (await (await site.service.as(from.address)).postGroupMessage({ body }))[0]!.id
}

/** Seals files, uploads them, and returns what the body of their message has. */
export async function sealAll(
  site: Site,
  from: Person,
  to: Person,
  files: NewFile[],
): Promise<AttachedFile[]> {
  const client = await site.service.as(from.address)
  const attached: AttachedFile[] = []
  for (const { bytes, type = 'application/octet-stream', ...about } of files) {
    const { key, size, hash, sealFrom } = await sealFile(new Blob([bytes]))
    const sealed = new Uint8Array(await new Response(sealFrom(0)).arrayBuffer())
    const { id } = await upload(client, { toaddr: to.address, sealed: true }, sealed)
    attached.push({ id, key, hash: await hash(), type, size, ...about })
  }
  return attached
}

/** Writes an encrypted message while nothing is sent, and gives it files before it is. */
export async function saySealed(
  person: Person,
  peer: string,
  text: string,
  attached: unknown[],
  ids?: string[],
): Promise<void> {
  await person.page.route('**/v1/create_chatitem', (route) => route.abort())
  await say(person, text)
  const entry = () =>
    person.page.evaluate(() => {
      const name = Object.keys(localStorage).find((one) => one.startsWith('parley.outbox.'))
      return name ? { name, text: localStorage.getItem(name)! } : undefined
    })
  await eventually(entry, (one) => {
    if (!one?.text.includes('"prepared":true')) throw new Error('The message is not encrypted yet')
  })
  const { name, text: record } = (await entry())!
  const { prepared: _prepared, ...written } = JSON.parse(record) as Record<string, unknown>
  const body = { fromaddr: person.address, toaddr: peer, message: text, ...(ids && { files: ids }) }
  const changed = JSON.stringify({ ...written, body, files: attached })
  await visit(person, '/settings')
  await person.page.evaluate(([at, value]) => localStorage.setItem(at!, value!), [name, changed])
  await person.page.unroute('**/v1/create_chatitem')
  await visit(person, `/dm/${peer}`)
}
