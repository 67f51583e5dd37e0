// Jobs follow from a request but are not part of it: a job is stored in the transaction that caused it, so that it runs if and
// only if that was committed, and is retried when it failed. Jobs live in PostgreSQL (graphile-worker), and every instance takes
// its share of them. A job may be done twice, when the machine stops after the work and before the job is deleted.

import type { Db } from '../db/pool.ts'
import { day } from '../lib/times.ts'
import { lanes, type Payloads, queues } from './tasks.ts'

/** A job waits e, e², e³ … seconds between attempts, and 6 hours from the 10th on: it is given up after about 16 hours. */
const maxAttempts = 12
export const jobsSchema = 'graphile_worker'

interface JobOptions {
  /** The job does not run before this time. */
  runAt?: Date
  /** While a job with the same key waits, there is no second one. */
  key?: string
  /** When this is true, a waiting job with that key gets the time of this one; else its time stays. */
  isSooner?: boolean
  /** One job of a queue runs at a time, on all instances. */
  queue?: string
  /** Of the due jobs those with a lower number are done first; it is 0 for all others. */
  priority?: number
}

/**
 * Makes SQL of the queue of a job in a lane of wallets: one job of a wallet is done at a time, and one that is added again stands
 * behind those of other wallets. It is a hash, because queues outlast their jobs and an address must not.
 */
function queueOf(task: keyof Payloads, payload: string): string {
  const queue = queues[lanes[task]]
  return queue === undefined ? 'null::text' : `'${queue} ' || md5((${payload})->>'walletaddr')`
}

/** Adds a job, which runs once the transaction is committed. */
export const enqueue = <Name extends keyof Payloads>(
  tx: Pick<Db, 'query'>,
  task: Name,
  payload: Payloads[Name],
  { runAt, key, isSooner = false, queue, priority = 0 }: JobOptions = {},
) =>
  tx.query(
    `select 1 as queued from ${jobsSchema}.add_job($1, payload => $2::json, run_at => $3, max_attempts => ${maxAttempts}, job_key => $4, job_key_mode => $6, queue_name => coalesce($5, ${queueOf(task, '$2::json')}), priority => $7)`,
    [
      task,
      JSON.stringify(payload),
      runAt ?? null,
      key ?? null,
      queue ?? null,
      isSooner ? 'replace' : 'preserve_run_at',
      priority,
    ],
  )

/**
 * Makes SQL that adds one job for each row of the query `rows`, for use inside a larger statement; it gives one row. `payload`
 * and `key` are SQL expressions over a row. It costs nothing when there are no rows, and little where a job with that key waits
 * already: a job looks its work up when it begins, after this statement. `runAt` is when they are due at the earliest, SQL as
 * well. Of the due jobs those with a lower `priority` are done first; it is 0 for all others.
 */
export const enqueueEach = (
  task: keyof Payloads,
  payload: string,
  key: string,
  rows: string,
  { runAt = 'null', priority = 0 } = {},
) => `
  select count(*) from (
    select array_agg(('${task}', ${payload}, ${queueOf(task, payload)}, ${runAt}::timestamptz, ${maxAttempts}, ${key}, ${priority}, null)::${jobsSchema}.job_spec) as specs
    from (${rows}) as due where not exists (
      select 1 from ${jobsSchema}._private_jobs j where j.key = ${key} and j.attempts = 0 and j.locked_at is null
    ) having count(*) > 0
  ) jobs, ${jobsSchema}.add_jobs(jobs.specs, true)`

/** Deletes jobs that nobody will do again: those whose last attempt was cut off. */
export const deleteDeadJobs = (db: Db) =>
  db.query(
    `select 1 as deleted from ${jobsSchema}.complete_jobs(array(
       select id from ${jobsSchema}.jobs where attempts >= max_attempts and locked_at is null and updated_at < $1))`,
    [new Date(db.now() - day)],
  )

/**
 * Deletes the queues without waiting jobs. A transaction that adds a job uses its queue before it is visible, so this locks the
 * table for itself. It fails where it does not get the lock soon, and is retried.
 */
export const deleteEmptyQueues = (db: Db) =>
  db.transaction(async (tx) => {
    await tx.query(`select set_config('lock_timeout', '500ms', true) as waits`)
    await tx.query(`lock table ${jobsSchema}._private_job_queues in share row exclusive mode`)
    await tx.query(
      `delete from ${jobsSchema}._private_job_queues q where locked_at is null
         and not exists (select 1 from ${jobsSchema}._private_jobs j where j.job_queue_id = q.id)`,
    )
  })

export interface WaitingJobs {
  task: string
  /** Counts jobs without an attempt yet. */
  due: number
  /** Counts jobs that have failed, also those whose last attempt was cut off. */
  failed: number
  /** The oldest job that will be done has been due since this time. */
  oldest: Date | null
}

/** Counts the waiting jobs by task. Running jobs are in no number. */
export const countJobs = (db: Pick<Db, 'query' | 'now'>): Promise<WaitingJobs[]> =>
  db.query<WaitingJobs>(
    `select task_identifier as task, count(id) filter (where attempts = 0 and run_at <= $1) as due,
       count(id) filter (where attempts > 0) as failed,
       min(run_at) filter (where attempts < max_attempts and run_at <= $1) as oldest
     from ${jobsSchema}.jobs where locked_at is null and (attempts > 0 or run_at <= $1) group by task_identifier order by task_identifier`,
    [new Date(db.now())],
  )

/** Returns jobs that have failed and that do not run now, of one task or of all: the oldest thousand. */
export const findFailedJobs = ({ query }: Pick<Db, 'query'>, task: string | undefined) =>
  query<{ id: string; task: string; attempts: number; run_at: Date }>(
    `select id::text as id, task_identifier as task, attempts, run_at from ${jobsSchema}.jobs
     where attempts > 0 and locked_at is null and ($1::text is null or task_identifier = $1) order by id limit 1000`,
    [task ?? null],
  )

/** Makes jobs due at once, as if they had not been tried. Returns their number. */
export async function retryJobs({ query }: Pick<Db, 'query'>, ids: string[]): Promise<number> {
  const rows = await query<{ id: string }>(
    `select id::text as id from ${jobsSchema}.reschedule_jobs($1::bigint[], run_at => now(), attempts => 0)`,
    [ids],
  )
  return rows.length
}

/** Deletes jobs that would write to a wallet, or read about it. One that is running ends by itself. */
export const deleteJobsFor = (tx: Db, wallet: string) =>
  tx.query(
    `select 1 as deleted from ${jobsSchema}.complete_jobs(array(
       select id from ${jobsSchema}._private_jobs where $1 in (payload->>'walletaddr', payload->>'toaddr', payload->>'peer')))`,
    [wallet],
  )
