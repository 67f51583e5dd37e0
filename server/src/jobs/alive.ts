// Frees the jobs that a process held when it was killed: the library itself would hold them for four hours, and with one of them
// all of its queue. While a process does jobs it holds a lock of the database for them, which ends with its connection. So a
// process that holds jobs and no lock has ended.
//
// A process whose connection for the lock breaks holds none for some seconds. Then its jobs may be done twice.

import type pg from 'pg'
import { repeat } from '../lib/repeat.ts'
import { jobsSchema } from './queue.ts'

const every = 5_000
/** This is the first key of these locks; the second is made of the name of the worker. */
const ofJobs = 1_903_347_102
/** A job that was taken within this many milliseconds may belong to a process that does not have its lock yet. */
const patience = 10_000

const freeDead = `
  select ${jobsSchema}.force_unlock_workers(array(
    select locked_by from (
      select locked_by from ${jobsSchema}._private_jobs where locked_at < now() - $1 * interval '1 millisecond'
      union select locked_by from ${jobsSchema}._private_job_queues where locked_at < now() - $1 * interval '1 millisecond'
    ) held
    where locked_by <> all($2::text[]) and pg_try_advisory_xact_lock(${ofJobs}, hashtext(locked_by)))) as freed`

/** Shows that workers live, and frees the jobs of those that do not, until disposed. */
export function stayAlive(pool: pg.Pool, workers: readonly string[]): AsyncDisposable {
  let holder: pg.PoolClient | undefined

  async function hold(): Promise<void> {
    if (holder) return
    const client = await pool.connect()
    try {
      await client.query(
        `select pg_advisory_lock_shared(${ofJobs}, hashtext(name)) from unnest($1::text[]) as worker (name)`,
        [workers],
      )
    } catch (error) {
      client.release(true)
      throw error
    }
    holder = client
    client.once('error', () => letGo())
  }

  /** The lock ends with its connection, so that is closed. */
  function letGo(): void {
    const client = holder
    holder = undefined
    client?.release(true)
  }

  const step = async () => {
    await hold()
    await pool.query(freeDead, [patience, workers])
  }
  const tend = () => step().catch(() => letGo())
  const repeating = repeat(every, tend)
  return {
    async [Symbol.asyncDispose]() {
      await repeating[Symbol.asyncDispose]()
      letGo()
    },
  }
}
