// An encrypted message has its files as members of its body. The service sees none of this, so each reader checks it: a client, and
// the service itself when a reader has disclosed the key of the message.

import { fromBase64, toBytes } from '../bytes.ts'
import { hasUnseen, withoutUnseen } from '../unseen.ts'
import { isFileSize } from './format.ts'
import { pictureTypeOf } from './kinds.ts'

/** A message has at most this number of files. */
export const mostFiles = 10

/** What the body of a message says of a file. Bytes are in base64 for URLs without padding. */
export interface AttachedFile {
  /** The service has the sealed bytes under this id. */
  id: string
  /** These 32 bytes open it. */
  key: string
  /** The SHA-256 of the sealed bytes. */
  hash: string
  name: string
  /** The media type, without parameters. */
  type: string
  /** The number of bytes of the file itself. */
  size: number
  /** Of a picture or video, in pixels. */
  width?: number
  height?: number
  /** Of a sound or video, in milliseconds. */
  duration?: number
  /** Of a sound: how loud it is from its start to its end, a byte each. */
  wave?: string
  /** What a picture looks like from afar. A ThumbHash has 25 bytes at most. */
  thumbhash?: string
  /** A small JPEG, PNG or WebP picture of it. */
  preview?: string
  /** What it shows, for somebody who cannot see it. */
  alt?: string
}

const mostNameBytes = 255
const mostPixels = 100_000
/** About 24 days. */
const mostDuration = 2 ** 31 - 1

const isCount = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

function isBytes(
  value: unknown,
  least: number,
  most: number,
  fits?: (bytes: Uint8Array) => boolean,
): boolean {
  // Base64 has four characters for three bytes.
  if (typeof value !== 'string' || value.length > (most * 4) / 3 + 1) return false
  try {
    const bytes = fromBase64(value)
    return bytes.length >= least && bytes.length <= most && (!fits || fits(bytes))
  } catch {
    return false
  }
}

/** A text has no control characters but tab, line feed and carriage return, and no halves of characters. */
const noText = /(?![\t\n\r])\p{Cc}|\p{Cs}/u

const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= most && !noText.test(value)

/** These would name another folder, or are not seen where the file is shown. */
const unfit = /[/\\\t\n\r]/

const isName = (value: unknown): boolean =>
  isText(value, mostNameBytes) &&
  toBytes(value as string).length <= mostNameBytes &&
  !unfit.test(value as string) &&
  !hasUnseen(value as string) &&
  !/^\.*$/.test(value as string) &&
  (value as string).trim() === value

/** Browsers draw these. A drawing that has scripts or addresses (SVG) is none of them. */
function isPreview(bytes: Uint8Array): boolean {
  const type = pictureTypeOf(bytes)
  return type !== undefined && type !== 'image/gif'
}

/** Keep the order of the members: it is that of the JSON. */
const checks: { [Member in keyof Required<AttachedFile>]: (value: unknown) => boolean } = {
  id: (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value),
  key: (value) => isBytes(value, 32, 32),
  hash: (value) => isBytes(value, 32, 32),
  name: isName,
  type: (value) =>
    isText(value, 127) && /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(value as string),
  size: isFileSize,
  width: (value) => isCount(value, 1, mostPixels),
  height: (value) => isCount(value, 1, mostPixels),
  duration: (value) => isCount(value, 0, mostDuration),
  wave: (value) => isBytes(value, 1, 256),
  thumbhash: (value) => isBytes(value, 5, 25),
  preview: (value) => isBytes(value, 12, 8 * 1024, isPreview),
  alt: (value) => isText(value, 1000),
}
const required = new Set<string>(['id', 'key', 'hash', 'name', 'type', 'size'])

/** Returns what a message says of one file, without members that are not known; undefined where a member is wrong. */
function readFile(value: unknown): AttachedFile | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const file: Record<string, unknown> = {}
  for (const [member, isRight] of Object.entries(checks)) {
    const given = (value as Record<string, unknown>)[member]
    if (given === undefined && !required.has(member)) continue
    if (!isRight(given)) return undefined
    file[member] = given
  }
  if ((file.width === undefined) !== (file.height === undefined)) return undefined
  return file as unknown as AttachedFile
}

/** The files of a message, and how many more there are that cannot be read. */
export interface ReadFiles {
  files: AttachedFile[]
  unreadable: number
}

/**
 * Reads the files of a message. One that is wrong cannot be read, and the others can; so it is with one beyond the tenth, and with
 * one that has the id or the key of another.
 */
export function readFiles(value: unknown): ReadFiles {
  if (value === undefined) return { files: [], unreadable: 0 }
  if (!Array.isArray(value)) return { files: [], unreadable: 1 }
  const files: AttachedFile[] = []
  for (const one of value.slice(0, mostFiles)) {
    const file = readFile(one)
    if (file && files.every(({ id, key }) => id !== file.id && key !== file.key)) files.push(file)
  }
  return { files, unreadable: value.length - files.length }
}

/** Returns a name that a reader takes, from that of a file on the device of its sender. */
export function fileNameOf(name: string): string {
  const plain = withoutUnseen(name.replaceAll(/[/\\\t\n\r]|\p{Cs}/gu, '_')).trim()
  const dot = plain.lastIndexOf('.')
  const isShort = dot > 0 && plain.length - dot <= 16
  const [stem, end] = isShort ? [plain.slice(0, dot), plain.slice(dot)] : [plain, '']
  let short = ''
  for (const character of stem) {
    if (toBytes(short + character + end).length > mostNameBytes) break
    short += character
  }
  const shortened = (short.trimEnd() + end).trim()
  return isName(shortened) ? shortened : 'file'
}

/** Returns the media type that a message has for a file: without parameters, and of bytes where the browser knows none. */
export function fileTypeOf(type: string): string {
  const essence = type.split(';')[0]!.trim().toLowerCase()
  return checks.type(essence) ? essence : 'application/octet-stream'
}
