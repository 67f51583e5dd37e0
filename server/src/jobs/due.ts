// Wakes the workers of a lane when jobs of it are due: jobs of a later time, for which no notification comes, and those whose
// notification was lost. One statement for all workers of a process takes the place of one of each of them.

import type { WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { repeat } from '../lib/repeat.ts'
import { jobsSchema } from './queue.ts'
import { type Lane, lanes, type Payloads } from './tasks.ts'

/** A job without a notification begins at most this many milliseconds late. */
const every = 2_000
/** The tasks of at most this many due jobs are read. */
const mostSeen = 10_000

const due = `
  select t.identifier as task, count(*)::integer as jobs from (
    select task_id from ${jobsSchema}._private_jobs where is_available and run_at <= now() order by priority, run_at limit ${mostSeen}
  ) j join ${jobsSchema}._private_tasks t on t.id = j.task_id group by t.identifier`

/** Wakes workers until disposed. The workers notice a database that is away. */
export const wakeWorkers = (pool: pg.Pool, workers: ReadonlyMap<Lane, WorkerPool>): AsyncDisposable =>
  repeat(every, () =>
    wake(pool, workers).catch(() => {
      // The workers notice this failure too.
    }),
  )

async function wake(pool: pg.Pool, workers: ReadonlyMap<Lane, WorkerPool>): Promise<void> {
  const { rows } = await pool.query<{ task: keyof Payloads; jobs: number }>(due)
  for (const { task, jobs } of rows) {
    // Another release may have tasks that this one does not know.
    const ofLane = workers.get(lanes[task])
    if (ofLane && !ofLane._shuttingDown) ofLane.nudge(jobs)
  }
}
