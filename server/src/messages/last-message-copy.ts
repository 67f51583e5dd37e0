// The copy of a last message in the row of its conversation or chat, so that an inbox need not
// search for the message: `last_item` is JSON, a part of the inbox's row.
//
// A copy may be stale. It is shown only when it is of the newest message (`copy_time` is
// `last_time`) and of the shape that this release writes (`copy_version`). A release that knows
// neither column, and still serves beside this one, moves `last_time` on and leaves `copy_time`.

import { createHash } from 'node:crypto'

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
