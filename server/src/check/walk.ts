// A walk checks a whole table: page by page in the order of a key, each page by one statement. A statement has one snapshot, so
// what is written meanwhile is seen as a whole or not at all, and is never reported as a fault. Nothing is locked, and only one
// page is held.

import type { LayoutName } from '../db/layout.ts'
import type { Session } from '../db/session.ts'

/** A row that is not as it should be: its table, its key, and what is wrong with it. No texts. */
export interface Fault {
  row: string
  wrong: string[]
}

export interface Walk {
  /** The table whose key cuts the pages, and the tables that are checked with it. */
  table: string
  with?: string[]
  /** The columns of the key, led by a bucket unless it is an address alone. */
  key: ['bucket' | 'wbucket', string] | ['address']
  /** The number of rows of a page. */
  size: number
  /**
   * The layout on which it can be read; left out for both. A cluster has a copy of some tables on each node, and their rows lie
   * apart from those they are compared with.
   */
  onlyOn?: LayoutName
  /** A query of faults: `within` gives the condition that columns with the values of a key lie in the page. */
  faults: (within: (columns: string) => string) => string
}

/** The maximum number of faults that a page reports. */
const mostFaults = 1000

/** These values are greater than any bucket, and than any text. */
const end = { bucket: 2_147_483_647, text: '\u{10FFFF}' }

/** Selects only the rows of a query in which something is wrong. */
export const faultsOf = (rows: string): string =>
  `select * from (${rows}) f where cardinality(wrong) > 0 limit ${mostFaults}`

/** Checks one table; calls back for each fault. `share` is called with how much of it is done, from 0 to 1. */
export async function walk(
  { query }: Session,
  { table, key, size, faults }: Walk,
  onFault: (fault: Fault) => void,
  share: (done: number) => void,
): Promise<void> {
  const columns = key.join(', ')
  const [from, to] = key.length === 1 ? ['$1', '$2'] : ['$1, $2', '$3, $4']
  const within = (of: string) => `(${of}) > (${from}) and (${of}) <= (${to})`
  const cut = `select ${columns} from ${table} where (${columns}) > (${from}) order by ${columns} offset ${size - 1} limit 1`
  const page = faultsOf(faults(within))
  // No row has the bucket before the first page, or that after the last one.
  const least = key[1]?.endsWith('id') ? 0 : ''
  let after: unknown[] = key.length === 1 ? [''] : [-end.bucket, least]
  for (let last = false; !last;) {
    const [next] = await query<Record<string, unknown>>(cut, after)
    last = !next
    const upTo = next ? key.map((name) => next[name]) : key.length === 1 ? [end.text] : [end.bucket, least]
    for (const fault of await query<Fault>(page, [...after, ...upTo])) onFault(fault)
    after = upTo
    if (next && key.length === 2) share(Math.max(0, Math.min(1, Number(next[key[0]]) / 64)))
  }
}

/** Returns an element of `wrong`: text (an SQL expression, or literal text) when the condition holds. */
export const when = (condition: string, text: string): string => `case when ${condition} then ${text} end`

/** Returns SQL for the array of faults. */
export const wrong = (...found: string[]): string => `array_remove(array[${found.join(', ')}], null) as wrong`

/** Finds a counter that differs from its recount. */
export const counted = (name: string, is: string, should: string): string =>
  when(`${is} <> ${should}`, `format('${name} is %s, a recount says %s', ${is}, ${should})`)

/** Finds a row that does not lie where its key says, or whose id names another bucket. */
export const placed = (bucket: string, should: string): string =>
  when(`${bucket} <> ${should}`, `format('it lies in bucket %s instead of %s', ${bucket}, ${should})`)

export const named = (bucket: string, id: string): string =>
  when(
    `${id} % 64 <> ${bucket}`,
    `format('its id %s names bucket %s, it lies in %s', ${id}, ${id} % 64, ${bucket})`,
  )
