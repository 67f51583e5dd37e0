// This file has what direct messages and messages of group chats have in common: columns, times, and the copy of a last message.

import { createHash } from 'node:crypto'
import type { FileItem } from '@parley/sdk/contract/files.ts'
import { type Fields, jsonIfAny } from '../db/json.ts'

/** This is a column of text whose values come from a request. */
interface Column {
  /** This is true when most rows have no value, which is null then. */
  optional?: true
}

export type Columns<Name extends string = string> = Record<Name, Column>

export const namesOf = <Name extends string>(columns: Record<Name, unknown>): Name[] =>
  Object.keys(columns) as Name[]

/** Makes both fields of a time. The messages of a batch mostly have the same time, which is made once. */
export function timestampsOf(ms: number): { timestamp: string; timestamp_dtm: string } {
  if (latest.ms !== ms) {
    const timestamp = new Date(ms).toISOString()
    latest = { ms, times: { timestamp, timestamp_dtm: timestamp } }
  }
  return latest.times
}

let latest = { ms: Number.NaN, times: { timestamp: '', timestamp_dtm: '' } }

/** Returns the field of a message that replies to another one. */
export const replyOf = ({ reply_to }: { reply_to?: number | undefined }): { reply_to?: number } =>
  reply_to === undefined ? {} : { reply_to }

/** Returns the field of a message that has files: what was stored of them with the message. */
export const filesOf = ({ files }: { files?: FileItem[] | null | undefined }): { files?: FileItem[] } =>
  files ? { files } : {}

// The row of a conversation or chat has a copy of its last message, so that an inbox need not search for the message: JSON, a
// part of the inbox row. It is shown only when it is of the newest message (`copy_ms` is `last_ms`) and of the shape that this
// release writes (`copy_version`).

/** This is true when the copy in the row `c` may be shown, if it is to be of this version. */
export const isFresh = (version: number): string =>
  `c.last_item is not null and c.copy_ms = c.last_ms and c.copy_version = ${version}`

/**
 * Returns the version of the copies that an SQL expression makes: a positive integer that changes whenever the expression does,
 * so nobody can forget to raise it.
 */
export const versionOf = (sql: string): number =>
  createHash('sha256').update(sql).digest().readUInt32BE() >>> 1

/** This is in bytes. A longer copy would leave no room for other rows on its page of the table. */
const longestCopy = 1000

/**
 * Makes the field of a preview that has files: what a line says of them. A message with files has no copy, because these are known
 * only when it is stored; a row of an inbox is made from the message itself then.
 */
export const filesInPreview: Fields = jsonIfAny(
  'files',
  `(select jsonb_agg(f.v - 'alt' - 'thumbhash' order by f.n) from jsonb_array_elements(m.files) with ordinality as f (v, n))`,
)

/** Makes a copy into fields of an object, each with its comma; null when it is long. */
export function shortCopy(copy: object): string | null {
  const fields = `,${JSON.stringify(copy).slice(1, -1)}`
  return Buffer.byteLength(fields) <= longestCopy ? fields : null
}
