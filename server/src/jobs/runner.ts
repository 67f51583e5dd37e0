// Does the jobs of jobs.ts, as one of any number of instances. graphile-worker does them; what is here begins and ends it,
// and begins it again when its database was away.

import { EventEmitter } from 'node:events'
import {
  Logger,
  type ParsedCronItem,
  type RunnerOptions,
  run,
  runOnce,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import pg from 'pg'
import type { Logger as Log } from 'pino'
import { maskEmails } from '../values/email.ts'
import { isFinal } from '../lib/final-failure.ts'
import { jobsSchema } from './queue.ts'
import { jobsGivenUp } from '../telemetry/metrics.ts'

export interface Job {
  /** The same at every attempt. */
  id: string
  createdAt: Date
  /** Aborted when the service stops: give up then, the job is tried again. */
  signal: AbortSignal
}

type Payloads = GraphileWorker.Tasks

/** A function for each task, which is given what the service is made of. */
export type Tasks<Ctx, Name extends keyof Payloads = keyof Payloads> = {
  [Key in Name]: (ctx: Ctx, payload: Payloads[Key], job: Job) => Promise<unknown>
}

interface Work<Ctx> {
  tasks: Tasks<Ctx>
  crontab: ParsedCronItem[]
}

/** Does jobs as they come, until disposed: then it finishes or hands back those it has begun. */
export function startJobs<Ctx extends { log: Log }>(
  ctx: Ctx,
  databaseUrl: string,
  { tasks, crontab }: Work<Ctx>,
): AsyncDisposable {
  const pool = openPool(databaseUrl, 6)
  const stopping = new AbortController()
  const ended = supervise(ctx, pool, stopping.signal, {
    ...optionsFor(ctx, pool, tasks),
    parsedCronItems: crontab,
    concurrency: 4,
    pollInterval: 5_000,
    gracefulShutdownAbortTimeout: 3_000,
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      // A database that is gone must not keep the service from stopping.
      await Promise.race([ended.then(() => pool.end()), delay(8_000)])
    },
  }
}

/** Does the jobs that are due, one after the other, and those they bring about. */
export async function runDueJobs<Ctx extends { log: Log }>(
  ctx: Ctx,
  databaseUrl: string,
  tasks: Tasks<Ctx>,
): Promise<void> {
  const pool = openPool(databaseUrl, 2)
  try {
    await runOnce(optionsFor(ctx, pool, tasks))
  } finally {
    await pool.end()
  }
}

/**
 * A runner that has lost its database in the middle of something may hold jobs it does not know of, or never end. Then it
 * is left behind, what it held is set free, and another one begins.
 */
async function supervise(
  { log }: { log: Log },
  pool: pg.Pool,
  stopping: AbortSignal,
  options: RunnerOptions,
): Promise<void> {
  const left: string[] = []
  while (!stopping.aborted) {
    const broken = new AbortController()
    // Later, because the runner is in the middle of it.
    const onError = ({ error }: { error: unknown }) => void setImmediate(() => broken.abort(error))
    const events: WorkerEvents = new EventEmitter()
      .on('pool:create', ({ workerPool }) => left.push(workerPool.id))
      .on('worker:getJob:error', onError)
      .on('pool:fatalError', onError)
    try {
      if (left.length > 0) await pool.query(`select ${jobsSchema}.force_unlock_workers($1)`, [left])
      left.length = 0
      await runUntil(AbortSignal.any([stopping, broken.signal]), { ...options, events })
      broken.signal.throwIfAborted()
    } catch (error) {
      if (!stopping.aborted) log.warn(`jobs are interrupted: ${(error as Error).message}`)
    }
    if (!stopping.aborted) await delay(2_000, stopping)
  }
}

async function runUntil(end: AbortSignal, options: RunnerOptions): Promise<void> {
  const runner = await run(options)
  await Promise.race([runner.promise, whenAborted(end)])
  await Promise.race([Promise.allSettled([runner.stop(), runner.promise]), delay(6_000)])
}

const optionsFor = <Ctx extends { log: Log }>(
  ctx: Ctx,
  pgPool: pg.Pool,
  tasks: Tasks<Ctx>,
): RunnerOptions => ({
  pgPool,
  schema: jobsSchema,
  taskList: taskListOf(ctx, tasks),
  noHandleSignals: true,
  // Without batches, a failure to record how a job went would be nobody's, and end the process.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  // Without what belongs to a message, because that holds whole jobs. What matters of failures is logged below.
  logger: new Logger(() => (_level, message, meta) => {
    if (!meta['failure']) ctx.log.debug(message)
  }),
})

const taskListOf = <Ctx extends { log: Log }>(ctx: Ctx, tasks: Tasks<Ctx>): TaskList =>
  Object.fromEntries(
    Object.entries<Tasks<Ctx>[keyof Payloads]>(tasks).map(([name, task]): [string, TaskList[string]] => [
      name,
      async (payload, { job: { id, attempts, max_attempts, created_at }, abortSignal }) => {
        try {
          await task(ctx, payload as never, { id, createdAt: created_at, signal: abortSignal })
        } catch (error) {
          const reason = maskEmails((error as Error).message)
          const fields = { task: name, job: id, attempt: attempts, reason }
          if (attempts < max_attempts && (abortSignal.aborted || !isFinal(error))) {
            ctx.log.warn(fields, 'a job failed and will be tried again')
            // A new error, because this text is kept with the job.
            throw new Error(reason, { cause: error })
          }
          jobsGivenUp.inc({ task: name })
          ctx.log.error(fields, 'a job was given up')
        }
      },
    ]),
  )

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    application_name: 'parley jobs',
    options: '-c timezone=UTC -c statement_timeout=30s -c idle_in_transaction_session_timeout=30s',
  })
  // Without listeners, a connection that breaks would end the process; the runner connects again by itself.
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })

const delay = (milliseconds: number, signal = new AbortController().signal) =>
  Promise.race([
    whenAborted(signal),
    new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref()),
  ])
