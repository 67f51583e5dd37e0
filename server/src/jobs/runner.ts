// Does the jobs of queue.ts, as one of any number of instances. graphile-worker does the work; this
// file starts and stops a runner for each lane, and starts them again after their database was away.

import { EventEmitter } from 'node:events'
import type { CronItem, RunnerOptions, TaskList, WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import { delay, whenAborted } from '../lib/abort.ts'
import { createBackoff } from '../lib/backoff.ts'
import { isFinal } from '../lib/final-failure.ts'
import { minute } from '../lib/times.ts'
import { jobSeconds, jobsGivenUp } from '../telemetry/metrics.ts'
import { traceJob, tracing } from '../telemetry/traces.ts'
import { maskEmails } from '../values/email.ts'
import { stayAlive } from './alive.ts'
import { wakeWorkers } from './due.ts'
import { openPool } from './pool.ts'
import { jobsSchema } from './queue.ts'
import { type Lane, lanes, type Payloads, queues, type Tasks } from './tasks.ts'

/**
 * At most this many jobs of a lane run at once. A job that waits for a response costs only its place. Of `push`, four places at
 * most are taken by Telegram, whose jobs are in four queues.
 */
const workers: Record<Lane, number> = {
  inside: 4,
  upkeep: 2,
  mail: 2,
  scan: 2,
  push: 12,
  webhook: 48,
  slow: 12,
  chain: 4,
}
const allLanes = Object.keys(workers) as Lane[]

/** All lanes share these connections, beside one for each that listens and one that holds locks (alive.ts). */
const shared = 5

interface Work<Ctx> {
  tasks: Tasks<Ctx>
  crontab: CronItem[]
}

/** The library loads with the first runner: a service listens before. */
const loadLibrary = () => import('graphile-worker')
type Library = Awaited<ReturnType<typeof loadLibrary>>

/** Does jobs as they come, until disposed: then it finishes those it has begun, or gives them back. */
export function startJobs<Ctx extends { log: Log }>(
  ctx: Ctx,
  databaseUrl: string,
  work: Work<Ctx>,
): AsyncDisposable {
  const pool = openPool(databaseUrl, allLanes.length + 1 + shared)
  const stopping = new AbortController()
  const ended = supervise(ctx, pool, stopping.signal, work)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      // A database that is gone must not keep the service from stopping.
      await Promise.race([ended.then(() => pool.end()), delay(8_000)])
    },
  }
}

/** Makes the options of a runner for each lane that has tasks. One of them adds the jobs of set times, of any lane. */
function lanesOf<Ctx extends { log: Log }>(
  library: Library,
  ctx: Ctx,
  pool: pg.Pool,
  { tasks, crontab }: Work<Ctx>,
): Map<Lane, RunnerOptions> {
  const used = allLanes.filter((lane) => entriesOf(tasks, lane).length > 0)
  return new Map(
    used.map((lane, place) => [
      lane,
      Object.assign(optionsFor(library, ctx, pool, tasks, lane), {
        parsedCronItems: place === 0 ? library.parseCronItems(crontab) : [],
        concurrency: workers[lane],
        // due.ts notifies the workers of due jobs.
        pollInterval: minute,
        gracefulShutdownAbortTimeout: 3_000,
      }),
    ]),
  )
}

/** Does the jobs that are due, one after the other, and those that they add. */
export async function runDueJobs<Ctx extends { log: Log }>(
  ctx: Ctx,
  databaseUrl: string,
  tasks: Tasks<Ctx>,
): Promise<void> {
  const library = await loadLibrary()
  const pool = openPool(databaseUrl, 2)
  try {
    // A run ends also where the next job stands in the queue of the last one.
    for (let before = -1, begun = 0; begun > before;) {
      before = begun
      const events: WorkerEvents = new EventEmitter().on('job:start', () => void begun++)
      await library.runOnce({ ...optionsFor(library, ctx, pool, tasks), events })
    }
  } finally {
    await pool.end()
  }
}

/**
 * Keeps runners going, one for each lane. Their states:
 *
 *   running    jobs are done as they come
 *   broken     a runner could not reach the database: it may hold jobs that it no longer knows of, or never end. All are
 *              given six seconds to stop, then this waits, frees the jobs that they held, and starts other runners
 *   stopping   the service ends: the runners have six seconds to finish their jobs or to give them back
 */
async function supervise<Ctx extends { log: Log }>(
  ctx: Ctx,
  pool: pg.Pool,
  stopping: AbortSignal,
  work: Work<Ctx>,
): Promise<void> {
  const { log } = ctx
  const library = await loadLibrary()
  const each = lanesOf(library, ctx, pool, work)
  const backoff = createBackoff({ first: 500, longest: 5_000 })
  const brokenWorkers: string[] = []
  while (!stopping.aborted) {
    await using living = new AsyncDisposableStack()
    const broken = new AbortController()
    const end = AbortSignal.any([stopping, broken.signal])
    // The call is deferred, because the runner emits this in the middle of its own work.
    const onError = ({ error }: { error: unknown }) => void setImmediate(() => broken.abort(error))
    const pools = new Map<Lane, WorkerPool>()
    const nudge = (lane: Lane) => {
      for (const [other, workerPool] of pools)
        if (other === lane || (queues[lane] !== undefined && queues[other] === queues[lane]))
          if (!end.aborted && !workerPool._shuttingDown) workerPool.nudge(1)
    }
    const eventsOf = (lane: Lane): WorkerEvents =>
      new EventEmitter()
        .on('pool:create', ({ workerPool }) => {
          brokenWorkers.push(workerPool.id)
          pools.set(lane, workerPool)
        })
        // A worker queries its next job before the queue of the last one is free, and would rest until the next poll.
        .on('job:complete', ({ job }) => {
          if (job.job_queue_id !== null) setTimeout(() => nudge(lane), 50).unref()
        })
        .on('worker:getJob:error', onError)
        .on('pool:fatalError', onError)
    const started = Date.now()
    try {
      if (brokenWorkers.length > 0)
        await pool.query(`select ${jobsSchema}.force_unlock_workers($1)`, [brokenWorkers])
      brokenWorkers.length = 0
      await runUntil(
        library.run,
        end,
        Array.from(each, ([lane, options]) => ({ ...options, events: eventsOf(lane) })),
        () => {
          living.use(stayAlive(pool, [...brokenWorkers]))
          living.use(wakeWorkers(pool, pools))
        },
      )
      broken.signal.throwIfAborted()
    } catch (error) {
      if (!stopping.aborted) log.warn(`jobs are interrupted: ${(error as Error).message}`)
    }
    if (Date.now() - started > 10_000) backoff.reset()
    if (!stopping.aborted) await delay(backoff.next(), stopping)
  }
}

/** Runs all until the signal, or until one of them ends. */
async function runUntil(
  run: Library['run'],
  end: AbortSignal,
  each: RunnerOptions[],
  begun: () => void,
): Promise<void> {
  const started = await Promise.allSettled(each.map((options) => run(options)))
  const runners = started.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  const failed = started.find((one) => one.status === 'rejected')
  begun()
  try {
    if (failed) throw failed.reason
    await Promise.race([...runners.map(({ promise }) => promise), whenAborted(end)])
  } finally {
    const stopped = runners.flatMap((runner) => [runner.stop(), runner.promise])
    await Promise.race([Promise.allSettled(stopped), delay(6_000)])
  }
}

const optionsFor = <Ctx extends { log: Log }>(
  { Logger }: Library,
  ctx: Ctx,
  pgPool: pg.Pool,
  tasks: Tasks<Ctx>,
  lane?: Lane,
): RunnerOptions => ({
  pgPool,
  schema: jobsSchema,
  taskList: taskListOf(ctx, tasks, lane),
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

/** Returns the tasks of a lane, or all. */
const taskListOf = <Ctx extends { log: Log }>(ctx: Ctx, tasks: Tasks<Ctx>, lane?: Lane): TaskList =>
  Object.fromEntries(
    entriesOf(tasks, lane).map(([name, task]): [string, TaskList[string]] => [
      name,
      async (payload, { job: { id, attempts, max_attempts, created_at }, abortSignal }) => {
        const end = jobSeconds.startTimer({ task: name })
        try {
          const job = { id, createdAt: created_at, signal: abortSignal }
          const work = async () => task(ctx, payload as never, job)
          await (tracing ? traceJob(tracing, name, work) : work())
          end({ outcome: 'done' })
        } catch (error) {
          const reason = maskEmails((error as Error).message)
          const fields = { task: name, job: id, attempt: attempts, reason }
          if (attempts < max_attempts && (abortSignal.aborted || !isFinal(error))) {
            end({ outcome: 'failed' })
            ctx.log.warn(fields, 'a job failed and will be tried again')
            // This is a new error, because its text is stored with the job.
            throw new Error(reason, { cause: error })
          }
          end({ outcome: 'given-up' })
          jobsGivenUp.inc({ task: name })
          ctx.log.error(fields, 'a job was given up')
        }
      },
    ]),
  )

const entriesOf = <Ctx>(tasks: Tasks<Ctx>, lane: Lane | undefined) =>
  Object.entries<Tasks<Ctx>[keyof Payloads]>(tasks).filter(
    ([name]) => lane === undefined || lanes[name as keyof Payloads] === lane,
  )
