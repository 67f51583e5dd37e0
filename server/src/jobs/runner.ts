// Does the jobs of queue.ts, as one of any number of instances. graphile-worker does the work; this
// file starts and stops it, and starts it again after its database was away.

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
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import { newPool } from '../db/client.ts'
import { silence } from '../db/pool.ts'
import { delay, whenAborted } from '../lib/abort.ts'
import { createBackoff } from '../lib/backoff.ts'
import { isFinal } from '../lib/final-failure.ts'
import { jobSeconds, jobsGivenUp } from '../telemetry/metrics.ts'
import { traceJob } from '../telemetry/traces.ts'
import { maskEmails } from '../values/email.ts'
import { stayAlive } from './alive.ts'
import { jobsSchema } from './queue.ts'
import type { Payloads, Tasks } from './tasks.ts'

interface Work<Ctx> {
  tasks: Tasks<Ctx>
  crontab: ParsedCronItem[]
}

/**
 * Does jobs as they come, until disposed: then it finishes those it has begun, or gives them back.
 */
export function startJobs<Ctx extends { log: Log }>(
  ctx: Ctx,
  databaseUrl: string,
  { tasks, crontab }: Work<Ctx>,
): AsyncDisposable {
  const pool = openPool(databaseUrl, 7)
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

/** Does the jobs that are due, one after the other, and those that they add. */
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
 * Keeps a runner going. Its states:
 *
 *   running    jobs are done as they come
 *   broken     the runner could not reach its database: it may hold jobs that it no longer knows of, or never end. It is
 *              given six seconds to stop, then this waits, frees the jobs that it held, and starts another runner
 *   stopping   the service ends: the runner has six seconds to finish its jobs or to give them back
 */
async function supervise(
  { log }: { log: Log },
  pool: pg.Pool,
  stopping: AbortSignal,
  options: RunnerOptions,
): Promise<void> {
  const backoff = createBackoff({ first: 500, longest: 5_000 })
  const brokenWorkers: string[] = []
  while (!stopping.aborted) {
    await using living = new AsyncDisposableStack()
    const broken = new AbortController()
    // Deferred, because the runner emits this in the middle of its own work.
    const onError = ({ error }: { error: unknown }) => void setImmediate(() => broken.abort(error))
    const events: WorkerEvents = new EventEmitter()
      .on('pool:create', ({ workerPool }) => {
        brokenWorkers.push(workerPool.id)
        living.use(stayAlive(pool, workerPool.id))
      })
      .on('worker:getJob:error', onError)
      .on('pool:fatalError', onError)
    const started = Date.now()
    try {
      if (brokenWorkers.length > 0)
        await pool.query(`select ${jobsSchema}.force_unlock_workers($1)`, [brokenWorkers])
      brokenWorkers.length = 0
      await runUntil(AbortSignal.any([stopping, broken.signal]), { ...options, events })
      broken.signal.throwIfAborted()
    } catch (error) {
      if (!stopping.aborted) log.warn(`jobs are interrupted: ${(error as Error).message}`)
    }
    if (Date.now() - started > 10_000) backoff.reset()
    if (!stopping.aborted) await delay(backoff.next(), stopping)
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
  // With batches, a failure to record how a job went would be an unhandled rejection, and end the
  // process.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  // The fields of a message are left out, because they hold whole jobs. Failures are logged in
  // taskListOf.
  logger: new Logger(() => (_level, message, meta) => {
    if (!meta['failure']) ctx.log.debug(message)
  }),
})

const taskListOf = <Ctx extends { log: Log }>(ctx: Ctx, tasks: Tasks<Ctx>): TaskList =>
  Object.fromEntries(
    Object.entries<Tasks<Ctx>[keyof Payloads]>(tasks).map(([name, task]): [string, TaskList[string]] => [
      name,
      async (payload, { job: { id, attempts, max_attempts, created_at }, abortSignal }) => {
        const end = jobSeconds.startTimer({ task: name })
        try {
          const job = { id, createdAt: created_at, signal: abortSignal }
          await traceJob(name, async () => task(ctx, payload as never, job))
          end({ outcome: 'done' })
        } catch (error) {
          const reason = maskEmails((error as Error).message)
          const fields = { task: name, job: id, attempt: attempts, reason }
          if (attempts < max_attempts && (abortSignal.aborted || !isFinal(error))) {
            end({ outcome: 'failed' })
            ctx.log.warn(fields, 'a job failed and will be tried again')
            // A new error, because its text is stored with the job.
            throw new Error(reason, { cause: error })
          }
          end({ outcome: 'given-up' })
          jobsGivenUp.inc({ task: name })
          ctx.log.error(fields, 'a job was given up')
        }
      },
    ]),
  )

const openPool = (url: string, max: number): pg.Pool =>
  newPool({
    url,
    name: 'parley jobs',
    settings: { statement_timeout: '30s', idle_in_transaction_session_timeout: '30s' },
    max,
    query_timeout: silence,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
  })
