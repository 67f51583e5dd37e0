// This is the log of operators: each row's hash is SHA-256 of its fields as JSON and of the hash before it. So anyone who has
// noted a hash can show later that nothing up to there was changed.

import { createHash } from 'node:crypto'
import { type LogEntry, mostHistory } from '@parley/sdk/contract/moderation.ts'
import type { Db } from '../db/pool.ts'

/** A connection that queries the database, of the service or of a command. */
export type Queries = { query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]> }

export interface NewEntry {
  operator: string
  action: string
  subject: string
  /** The time in epoch milliseconds; null for none. */
  until: number | null
  reason: string
  reports: number[]
  /** The message that it is about; null for none. */
  item: number | null
}

interface Row extends Omit<NewEntry, 'until' | 'item'> {
  id: number
  ms: number
  until_ms: number | null
  item_id: number | null
  /** The hash in hexadecimal digits. */
  hash: string
}

const hashOf = (
  { id, ms, operator, action, subject, until_ms, reason, reports, item_id }: Omit<Row, 'hash'>,
  before: string,
) =>
  createHash('sha256')
    .update(JSON.stringify([before, id, ms, operator, action, subject, until_ms, reason, reports, item_id]))
    .digest('hex')

/** Adds a row, in the transaction of the action that it describes. The rows of all instances are in one order. */
export async function append(
  tx: Queries & Pick<Db, 'now'>,
  { until, item, ...entry }: NewEntry,
): Promise<LogEntry> {
  await tx.query(`insert into moderation_head (id, hash) values (0, '') on conflict do nothing`)
  const [head] = await tx.query<{ id: number; hash: string }>(
    `select id::float8 as id, encode(hash, 'hex') as hash from moderation_head for update`,
  )
  const row = { ...entry, id: head!.id + 1, ms: tx.now(), until_ms: until, item_id: item }
  const hash = hashOf(row, head!.hash)
  await tx.query(
    `insert into moderation_log (id, ms, operator, action, subject, until_ms, reason, reports, item_id, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8::bigint[], $9, decode($10, 'hex'))`,
    [
      row.id,
      row.ms,
      row.operator,
      row.action,
      row.subject,
      row.until_ms,
      row.reason,
      row.reports,
      item,
      hash,
    ],
  )
  await tx.query(`update moderation_head set id = $1, hash = decode($2, 'hex')`, [row.id, hash])
  return entryOf({ ...row, hash })
}

// The columns are numbers and texts, for a connection that does not parse them (a command's).
const columns = `id::float8 as id, ms::float8 as ms, operator, action, subject, until_ms::float8 as until_ms, reason, to_json(reports) as reports, item_id::float8 as item_id, encode(hash, 'hex') as hash`

const entryOf = ({ ms, until_ms, item_id, ...row }: Row): LogEntry => ({
  ...row,
  ...(item_id !== null && { item_id }),
  at: new Date(ms).toISOString(),
  ...(until_ms !== null && { until: new Date(until_ms).toISOString() }),
})

/** Returns rows of the log before an id, the latest first; of one subject or of all. */
export async function findEntries(
  db: Db,
  {
    limit = mostHistory,
    before = Number.MAX_SAFE_INTEGER,
    subject,
  }: { limit?: number; before?: number; subject?: string },
): Promise<LogEntry[]> {
  const rows = await db.query<Row>(
    `select ${columns} from moderation_log where id < $1 ${subject === undefined ? '' : 'and subject = $3'} order by id desc limit $2`,
    [before, limit, ...(subject === undefined ? [] : [subject])],
  )
  return rows.map(entryOf)
}

/** Returns the end of the chain. */
export async function readEnd(db: Queries): Promise<{ id: number; hash: string }> {
  const [end] = await db.query<{ id: number; hash: string }>(
    `select id::float8 as id, encode(hash, 'hex') as hash from moderation_head`,
  )
  return end ?? { id: 0, hash: '' }
}

const page = 1000

/**
 * Checks the whole chain, and that it has the row with a hash that somebody has noted. Returns what is wrong, and where the chain
 * ends.
 */
export async function verifyLog(
  db: Queries,
  { noted, onProgress = () => {} }: { noted?: string | undefined; onProgress?: (part: number) => void } = {},
): Promise<{ wrong: string | undefined; rows: number; hash: string }> {
  const end = await readEnd(db)
  let [id, hash] = [0, '']
  let isFound = noted === undefined
  for (;;) {
    const rows = await db.query<Row>(
      `select ${columns} from moderation_log where id > $1 order by id limit ${page}`,
      [id],
    )
    for (const row of rows) {
      if (row.id !== id + 1) return { wrong: `row ${id + 1} is missing`, rows: id, hash }
      if (row.hash !== hashOf(row, hash))
        return { wrong: `row ${row.id} was changed, or one before it`, rows: id, hash }
      ;[id, hash] = [row.id, row.hash]
      isFound ||= hash === noted
    }
    onProgress(end.id === 0 ? 1 : Math.min(1, id / end.id))
    if (rows.length < page) break
  }
  const wrong =
    id < end.id || (id === end.id && hash !== end.hash)
      ? `the chain ends at row ${id}, and should at row ${end.id}`
      : isFound
        ? undefined
        : 'no row has the hash that was noted'
  return { wrong, rows: id, hash }
}
