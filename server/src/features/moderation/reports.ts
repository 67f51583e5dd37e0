// This is the queue of reports, as operators read it and close it.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { QueuedReport, ReportDetail } from '@parley/sdk/contract/report-queue.ts'
import { type Evidence, openReportDays } from '@parley/sdk/contract/reports.ts'
import type { Db } from '../../db/pool.ts'
import { day } from '../../lib/times.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { append } from '../../messages/operator-log.ts'

interface Row {
  id: number
  ms: number
  subject: string
  is_chat: boolean
  reason: QueuedReport['reason']
  reporter: string | null
  weight: number
  status: QueuedReport['status']
  messages: number
}

const columns = `id, ms, subject, is_chat, reason, reporter, weight, status, messages`

const queuedOf = ({ ms, is_chat, reporter, ...row }: Row): QueuedReport => ({
  ...row,
  at: new Date(ms).toISOString(),
  kind: is_chat ? 'chat' : 'wallet',
  ...(reporter !== null && { reporter }),
})

interface QueueQuery {
  status?: QueuedReport['status']
  subject?: string
  sort?: 'weight' | 'age'
  limit: number
  after?: number
}

/** Returns reports with a status, those that count most first, or the oldest; none about the operator who reads them. */
export async function findQueue(
  db: Db,
  operator: string,
  { status = 'open', subject, sort = 'weight', limit, after }: QueueQuery,
): Promise<QueuedReport[]> {
  const values: unknown[] = [status, limit, operator]
  const value = (given: unknown) => `$${values.push(given)}`
  const conditions = ['status = $1', 'subject <> $3']
  if (subject !== undefined) conditions.push(`subject = any(${value([subject, chatKey(subject)])}::text[])`)
  if (after !== undefined && sort === 'age') conditions.push(`id > ${value(after)}`)
  if (after !== undefined && sort === 'weight') {
    const [last] = await db.query<{ weight: number }>('select weight from reports where id = $1', [after])
    const weight = value(last?.weight ?? 0)
    conditions.push(`weight <= ${weight} and (weight < ${weight} or id > ${value(after)})`)
  }
  const rows = await db.query<Row>(
    `select ${columns} from reports where ${conditions.join(' and ')}
     order by ${sort === 'weight' ? 'weight desc, id' : 'id'} limit $2`,
    values,
  )
  return rows.map(queuedOf)
}

/**
 * Returns a report with its evidence, unless it is about the operator. The same transaction logs that the operator has read it.
 */
export const getReport = (db: Db, operator: string, id: number): Promise<ReportDetail | undefined> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<Row & { text: string | null; evidence: string }>(
      `select ${columns}, text, evidence from reports where id = $1 and subject <> $2`,
      [id, operator],
    )
    if (!row) return undefined
    const { text, evidence, ...queued } = row
    const [others] = await tx.query<{ reports: number; reporters: number }>(
      `select count(*) as reports, count(distinct coalesce(reporter, encode(reporter_hash, 'hex'))) as reporters
       from reports where subject = $1 and id <> $2 and ms > $3`,
      [row.subject, id, tx.now() - 90 * day],
    )
    await append(tx, {
      operator,
      action: 'view',
      subject: row.subject,
      until: null,
      reason: '',
      reports: [id],
      item: null,
    })
    return {
      ...queuedOf(queued),
      ...(text !== null && { text }),
      evidence: JSON.parse(evidence) as Evidence[],
      others: others!,
    }
  })

export interface Answered {
  id: number
  reporter: string | null
  subject: string
  /** The direct messages in it. */
  direct: number[]
}

/** Returns reports by their ids, without a lock: who sent them and what they are about never changes. */
export const findAnswered = (db: Db, ids: number[]) =>
  db.query<Answered>(
    'select id, reporter, subject, to_json(direct_ids) as direct from reports where id = any($1::bigint[]) order by id',
    [ids],
  )

/** A closed report is stored for this long: an appeal may come, and more reports about the same wallet. */
const closedLifetime = 90 * day
const openLifetime = openReportDays * day

/** Closes or escalates reports; 409 when another operator has closed one of them. */
export async function settleReports(tx: Db, ids: number[], status: 'closed' | 'escalated'): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.query<{ id: number; status: string }>(
    'select id, status from reports where id = any($1::bigint[]) order by id for update',
    [ids],
  )
  const closed = rows.find((row) => row.status === 'closed')
  if (closed || rows.length < ids.length)
    throw new ApiError(
      'conflict',
      `Report ${closed?.id ?? ids.join(', ')} was closed meanwhile: nothing was done. The log says by whom: GET /v1/mod/log.`,
    )
  // The report of an erased reporter ends when it did before.
  await tx.query(
    `update reports set status = $2, expires_ms = case when reporter is null then expires_ms else $3::bigint end
     where id = any($1::bigint[])`,
    [ids, status, tx.now() + (status === 'closed' ? closedLifetime : openLifetime)],
  )
}

/** Returns how often a wallet or chat was reported. */
export async function countReports(db: Db, subject: string) {
  const [counts] = await db.query<{ open: number; all: number; reporters: number }>(
    `select count(*) filter (where status <> 'closed') as open, count(*) as all,
       count(distinct coalesce(reporter, encode(reporter_hash, 'hex'))) as reporters
     from reports where subject = any($1::text[])`,
    [[subject, chatKey(subject)]],
  )
  return counts!
}
