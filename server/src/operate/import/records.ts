// Whatever an export comes from, a reader of its kind makes these records of it (discord.ts and the files beside it), with the texts
// and names as they were. What they become here is decided in this file: an export may have been made by anybody, so each value is
// made into what the service stores, or it is left out and counted.

import { createHash } from 'node:crypto'
import { hasUnseen } from '@parley/sdk/unseen.ts'
import { importedSystems } from '@parley/sdk/imported.ts'
import { maxMessageBytes } from '@parley/sdk/contract/fields.ts'
import { normalForm } from '@parley/sdk/normal-form.ts'
import { canonicalAddress, isAddress, isText } from '../../values/formats.ts'
import type { Reason } from './report.ts'

/** These are the systems whose exports are read, beside that of a Parley. */
export const systems = Object.keys(importedSystems) as (keyof typeof importedSystems)[]
export const kinds: Kind[] = [...systems, 'parley']
export type Kind = keyof typeof importedSystems | 'parley'

/** Who reacted with what; `users` may be fewer than `count`, where the export does not name all. */
export interface Reacted {
  emoji: string
  users: string[]
  count: number
}

export interface Attachment {
  /** Where its bytes are in the export, from its folder. */
  path: string
  name: string
}

export interface MessageRecord {
  kind: 'message'
  channel: string
  id: string
  author: string
  ms: number
  text: string
  reply?: string | undefined
  files?: Attachment[]
  reactions?: Reacted[]
  pinned?: boolean
}

export type Record =
  | MessageRecord
  | { kind: 'person'; id: string; name: string }
  /** A message is pinned that came earlier. */
  | { kind: 'pin'; channel: string; id: string }
  | { kind: 'left-out'; reason: Reason }

/** The command ends with this sentence: what an export has cannot be imported. */
export class ImportError extends Error {}

const unsafe = /[^A-Za-z0-9._-]/

/**
 * Returns the address of a person who has no wallet here, such as `discord:1234`. No wallet signs in with a colon in its address, so
 * nobody can ever be this person. An id with other characters becomes a hash.
 */
export function addressOf(kind: Kind, id: string): string {
  // An export of a Parley has the addresses themselves.
  if (kind === 'parley') return isAddress(id) ? canonicalAddress(id) : `discord:x${hashOf(id)}`
  const address = `${kind}:${id}`
  const isPlain = id.length > 0 && id.length <= 64 && !unsafe.test(id) && isAddress(address)
  return isPlain ? address : `${kind}:x${hashOf(id)}`
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** Makes an id or a name of an export one that can be stored and compared. */
export const keyOf = (id: string): string =>
  id.length <= 128 && isText(id) && !id.includes('\n') ? id : `x${hashOf(id)}`

// A text here has none of these.
// oxlint-disable-next-line no-control-regex
const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Makes a text one that a message may have; `isCut` says that it was too long. */
export function cleanText(text: string): { text: string; isCut: boolean } {
  const clean = text.toWellFormed().replace(controls, '').trim()
  if (Buffer.byteLength(clean) <= maxMessageBytes) return { text: clean, isCut: false }
  const cut = Buffer.from(clean)
    .subarray(0, maxMessageBytes - 4)
    .toString('utf8')
  return { text: `${cut.replace(/\ufffd+$/, '')}…`, isCut: true }
}

/** Makes a name one that lists show: on one line, of at most 64 characters, without what nobody sees. */
export function cleanName(name: string, id: string): string {
  const plain = normalForm(name.slice(0, 1000).toWellFormed(), 'NFC')
    .replace(/[\p{Z}\s]+/gu, ' ')
    .replace(controls, '')
  const shown = hasUnseen(plain) ? plain.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '') : plain
  const short = Array.from(shown.trim()).slice(0, 64).join('').trim()
  return /[\p{L}\p{N}\p{S}]/u.test(short) && isText(short) ? short : id.slice(0, 64)
}

/** Makes the name of a file one that the contract takes; a path becomes its last part. */
export const cleanFileName = (name: string): string =>
  Array.from(cleanName(name.split(/[/\\]/).at(-1) ?? '', 'file'))
    .slice(0, 64)
    .join('')

/** Messages are older than now, and younger than the first of these systems. */
const earliest = Date.UTC(1995, 0)

export const isTime = (ms: number, now: number): boolean =>
  Number.isSafeInteger(ms) && ms >= earliest && ms <= now

/** Returns a value of JSON as what it should be, since an export may have anything in its place. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
export const listOf = (value: unknown): { [field: string]: unknown }[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
export const objectOf = (value: unknown): { [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { [field: string]: unknown })
    : {}
