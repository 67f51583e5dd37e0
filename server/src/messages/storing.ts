// What storing direct messages and group messages shares: calls of the functions that store a batch
// (migrations/0003_direct_messages.sql), the copy of a last message, and what became of each
// message.

import { createHash } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Db } from '../db/pool.ts'

/** A column of text whose values come from a request. */
interface Column {
  /** Whether most rows have none: it is null then. */
  optional?: true
}

export type Columns<Name extends string = string> = Record<Name, Column>

export const namesOf = <Name extends string>(columns: Record<Name, unknown>): Name[] =>
  Object.keys(columns) as Name[]

/** The Idempotency-Key of a request. */
export interface RequestKey {
  /** Who sent it. */
  caller: string
  /** The endpoint, a space, and the key. */
  key: string
  /** A hash of the request: another request must not have the same key. */
  request: Buffer
}

/** A message that is to be stored. */
export interface NewMessage {
  bucket: number
  /** Its conversation or chat. */
  place: string
  key: RequestKey | undefined
  /** Of a direct message: false when its sender may begin no other conversation today. */
  mayBegin?: boolean
}

/** What was stored of a message. */
export interface Stored {
  id: number
  ms: number
  /** Empty without a name. */
  sender_name: string
  /** Whether it was stored by an earlier request with the same key. */
  repeated: boolean
}

interface Row {
  id: number | null
  ms: number | null
  /** JSON. */
  sender_name: string | null
  refused: 'too-fast' | 'stranger' | 'repeated' | 'mismatch' | null
}

interface Storing<Item extends NewMessage, Name extends string> {
  /** The function of the database for one message, and the one for a batch. */
  one: string
  many: string
  /** Their parameters of text besides those that both kinds of messages have. */
  texts: readonly Name[]
  textsOf: (item: Item) => Partial<Record<Name, string | undefined>>
  copyVersion: number
  copyOf: (item: Item, ms: number) => object
  /** Whether `one` is told by `p_may_begin` whether the sender may begin a conversation. */
  begins?: true
}

/**
 * Up to so many messages are stored one by one, in one statement; and all of a batch in which a
 * sender may begin no conversation.
 */
const few = 8

/** Makes a function that stores messages, by the names of the parameters. */
export function storeTogether<Item extends NewMessage, Name extends string>({
  one,
  many,
  texts,
  textsOf,
  copyVersion,
  copyOf,
  begins,
}: Storing<Item, Name>): (db: Db, items: Item[]) => Promise<Row[]> {
  const types = [
    ['bucket', 'integer'],
    ['copy', 'text'],
    ['caller', 'text'],
    ['key', 'text'],
    ['request', 'bytea'],
    ...texts.map((text) => [text, 'text']),
    // Last: the function for a batch has no such parameter.
    ...(begins ? [['may_begin', 'boolean']] : []),
  ] as const
  const names = types.map(([name]) => name)
  const ofMany = names.filter((name) => name !== 'may_begin')
  const callOf = (name: string, parameters: string[], valueOf: (of: string, i: number) => string) =>
    `${name}(p_ms => $1::bigint, p_copy_version => $2::integer, ${parameters
      .map((of, i) => `p_${of} => ${valueOf(of, i)}`)
      .join(', ')})`
  const arrays = types.map(([, type], i) => `$${i + 3}::${type}[]`)
  const storeOne = `select * from ${callOf(one, names, (_, i) => `$${i + 3}::${types[i]![1]}`)}`
  const storeFew = `
    select r.* from unnest(${arrays.join(', ')}) with ordinality as u (${names.join(', ')}, n)
    cross join lateral ${callOf(one, names, (of) => `u.${of}`)} r order by u.n`
  const storeMany = `select * from ${callOf(many, ofMany, (_, i) => arrays[i]!)}`

  return async (db, items) => {
    const ms = db.now()
    const rows = items.map((item) => {
      const { bucket, key, mayBegin } = item
      const given = textsOf(item)
      const copy = shortCopy(copyOf(item, ms))
      const row = [bucket, copy, key?.caller, key?.key, key?.request, ...texts.map((text) => given[text])]
      return begins ? [...row, mayBegin] : row
    })
    if (rows.length === 1) return db.query<Row>(storeOne, [ms, copyVersion, ...rows[0]!])
    const inTurn = rows.length <= few || items.some(({ mayBegin }) => mayBegin === false)
    // One by one each locks its own place: in an order that all batches have, so that two of them
    // cannot wait for each other.
    const order = items.map((_, i) => i)
    if (inTurn) order.sort((i, j) => byPlace(items[i]!, items[j]!))
    // A column that no item has is null as a whole: an array of nulls would be written and read.
    const columns = names.map((_, column) =>
      rows.some((row) => row[column] != null) ? order.map((i) => rows[i]![column] ?? null) : null,
    )
    const stored = inTurn
      ? await db.query<Row>(storeFew, [ms, copyVersion, ...columns])
      : await db.query<Row>(storeMany, [ms, copyVersion, ...columns.slice(0, ofMany.length)])
    const answers: Row[] = []
    for (const [n, i] of order.entries()) answers[i] = stored[n]!
    return answers
  }
}

const byPlace = (one: NewMessage, other: NewMessage): number =>
  one.bucket - other.bucket || (one.place < other.place ? -1 : Number(one.place > other.place))

// The copy of a last message in the row of its conversation or chat, so that an inbox need not
// search for the message: JSON, a part of the inbox's row. It is shown only when it is of the newest
// message (`copy_ms` is `last_ms`) and of the shape that this release writes (`copy_version`).

/** Bytes. A longer copy would leave no room for other rows on its page of the table. */
const longestCopy = 1000

/** A copy as fields of an object, each with its comma; null when it is long. */
function shortCopy(copy: object): string | null {
  const fields = `,${JSON.stringify(copy).slice(1, -1)}`
  return Buffer.byteLength(fields) <= longestCopy ? fields : null
}

/** Whether the copy in the row `c` may be shown, if it is to be of this version. */
export const isFresh = (version: number): string =>
  `c.last_item is not null and c.copy_ms = c.last_ms and c.copy_version = ${version}`

/**
 * The version of the copies that an SQL expression makes: a positive integer that changes whenever
 * the expression does, so nobody can forget to raise it.
 */
export const versionOf = (sql: string): number =>
  createHash('sha256').update(sql).digest().readUInt32BE() >>> 1

/** Both fields of a time. The messages of a batch mostly have the same, which is made once. */
export function timestampsOf(ms: number): { timestamp: string; timestamp_dtm: string } {
  if (latest.ms !== ms) {
    const timestamp = new Date(ms).toISOString()
    latest = { ms, times: { timestamp, timestamp_dtm: timestamp } }
  }
  return latest.times
}

let latest = { ms: Number.NaN, times: { timestamp: '', timestamp_dtm: '' } }

/** What was stored. Throws the error for its sender when it was refused, `noStranger` for a new conversation. */
export function requireStored<R extends Row>(
  row: R,
  place: 'conversation' | 'chat',
  noStranger?: () => ApiError,
): R & Stored {
  const { id, ms, sender_name, refused } = row
  // Times increase by a millisecond at least, and would run ahead of the clock.
  if (refused === 'too-fast')
    throw new ApiError(
      'rate_limited',
      `This ${place} takes about 1,000 messages a second. Send again in a second.`,
      { retryAfter: 1 },
    )
  if (refused === 'stranger') throw noStranger!()
  if (refused === 'mismatch') throw keyMismatch()
  const name = sender_name === null ? '' : (JSON.parse(sender_name) as string)
  return { ...row, id: id!, ms: ms!, sender_name: name, repeated: refused === 'repeated' }
}

export const keyMismatch = () =>
  new ApiError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  )
