// Counts what waits in the database: jobs, and readers of the log. It counts at each request (/metrics, the status page).

import type { Db } from '../db/pool.ts'
import { countJobs, type WaitingJobs } from '../jobs/queue.ts'
import { jobsWaiting, oldestJob, readersBehind } from '../telemetry/metrics.ts'

export interface Load {
  jobs: WaitingJobs[]
  /** Says for how many seconds the oldest message has waited for a reader; 0 when the reader has read all. */
  readers: { name: string; seconds: number }[]
}

/** Counts what waits, and shows it as metrics. */
export async function measureLoad(db: Db): Promise<Load> {
  const [jobs, readers] = [await countJobs(db), await measureReaders(db)]
  jobsWaiting.reset()
  for (const { task, due, failed } of jobs) {
    jobsWaiting.set({ task, state: 'due' }, due)
    jobsWaiting.set({ task, state: 'failed' }, failed)
  }
  oldestJob.set(Math.max(0, ...jobs.map(({ oldest }) => secondsSince(db, oldest?.getTime()))))
  for (const { name, seconds } of readers) readersBehind.set({ reader: name }, seconds)
  return { jobs, readers }
}

async function measureReaders(db: Db): Promise<Load['readers']> {
  const readers = await db.query<{ name: string; id: number }>(
    `select name, id from log_readers where $1 or name <> 'conversation-copies' order by name`,
    [db.layout.copies.followStep !== undefined],
  )
  const found: Load['readers'] = []
  for (const { name, id } of readers) {
    const [oldest] = await db.query<{ ms: number }>(
      'select ms from direct_messages where id > $1 order by id limit 1',
      [id],
    )
    found.push({ name, seconds: secondsSince(db, oldest?.ms) })
  }
  return found
}

const secondsSince = (db: Db, ms: number | undefined) =>
  ms === undefined ? 0 : Math.max(0, db.now() - ms) / 1000
