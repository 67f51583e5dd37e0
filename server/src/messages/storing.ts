// What storing direct messages and group messages shares: the columns of an insert, the copy of a
// last message, and what became of each message of a batch.

import { createHash } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type JsonList, listOf } from '../db/pages.ts'

/** A column of text whose values come from a request. */
interface Column {
  /** How values are compared, where that is not the database's default. */
  collate?: 'C'
  /** Whether most rows have none: it is null then. */
  optional?: true
}

export type Columns<Name extends string = string> = Record<Name, Column>

/**
 * The arguments of `unnest` that make rows of arrays, one array per column:
 * `$1::text[] collate "C", $2::text[]`. `first` is the number of the first parameter.
 */
export const unnestArguments = (columns: Columns, first = 1): string =>
  Object.values(columns)
    .map(({ collate }, i) => `$${first + i}::text[]${collate ? ` collate "${collate}"` : ''}`)
    .join(', ')

/** The parameters of those arguments. */
export const arraysOf = <Name extends string>(
  columns: Columns<Name>,
  rows: Partial<Record<Name, string | undefined>>[],
): (string | null)[][] => namesOf(columns).map((name) => rows.map((row) => row[name] ?? null))

export const namesOf = <Name extends string>(columns: Columns<Name>): Name[] => Object.keys(columns) as Name[]

// The copy of a last message in the row of its conversation or chat, so that an inbox need not
// search for the message: `last_item` is JSON, a part of the inbox's row.
//
// A copy may be stale. It is shown only when it is of the newest message (`copy_time` is
// `last_time`) and of the shape that this release writes (`copy_version`). A release that knows
// neither column, and still serves beside this one, moves `last_time` on and leaves `copy_time`.

/** Bytes. A longer copy would leave no room for other rows on its page of the table. */
const longestCopy = 1000

/** What is stored of the JSON text `item`: null when it is long. */
export const copyOf = (item: string): string =>
  `case when octet_length(${item}) <= ${longestCopy} then ${item} end`

/** Whether the copy in the row `c` may be shown, if it is to be of this version. */
export const isFresh = (version: number): string =>
  `c.last_item is not null and c.copy_time = c.last_time and c.copy_version = ${version}`

/**
 * The version of copies that an SQL expression makes: a positive integer that changes whenever the
 * expression does, so nobody can forget to raise it.
 */
export const versionOf = (sql: string): number =>
  createHash('sha256').update(sql).digest().readUInt32BE() >>> 1

/** Why a message is not stored. A statement that stores messages says it for each of them. */
type Refusal = 'too-fast'

/** What became of a message in a batch: the stored item as JSON, or why it was refused. */
export type Outcome = { stored: string; refused: null } | { stored: null; refused: Refusal }

type Place = 'conversation' | 'chat'

const errors: Record<Refusal, (place: Place) => ApiError> = {
  // Times increase by a millisecond at least, and would run ahead of the clock.
  'too-fast': (place) =>
    new ApiError(
      'rate_limited',
      `This ${place} takes about 1,000 messages a second. Send again in a second.`,
      { retryAfter: 1 },
    ),
}

/** The stored message as a list of one. Throws the error for its sender when it was refused. */
export function requireStored<Item>({ stored, refused }: Outcome, place: Place): JsonList<Item> {
  if (refused !== null) throw errors[refused](place)
  return listOf(stored)
}
