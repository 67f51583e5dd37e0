// Moves a live database onto a cluster of Citus (`npm run parley -- distribute`).
//
// All tables are moved in one transaction, so there is no moment at which some are distributed and others are not: statements of
// the service would fail then, and its plans for one machine can crash a coordinator (cluster/layout.ts). Meanwhile nothing else
// may use the tables. A table, `database_move`, says so: instances check it every 200 ms (availability.ts), close their
// connections and return 503. It goes with the commit. Instances then find a cluster, and end.
//
// When the command is killed, PostgreSQL undoes the transaction and the mark stays. Running the command again goes on.

import { setTimeout as sleep } from 'node:timers/promises'
import { bytes, secondsSince } from '../../lib/amounts.ts'
import type { OnProgress } from '../../lib/progress.ts'
import { repeat } from '../../lib/repeat.ts'
import { moveMark } from '../../db/layout.ts'
import { openSession, type Session } from '../../db/session.ts'
import { type Places, readPlaces } from './places.ts'
import { describePlan, makePlan, type Plan } from './plan.ts'

export interface DistributeOptions {
  databaseUrl: string
  /** Makes the copies of conversations that a cluster has. Returns their number. */
  fillCopies: (session: Pick<Session, 'query'>, signal?: AbortSignal) => Promise<number>
  /** Only prints what would be done. */
  dryRun?: boolean
  log?: (message: string) => void
  onProgress?: OnProgress
  /** Ends the command, and undoes what was done. */
  signal?: AbortSignal
}

/** This lock allows one move at a time. */
const lockKey = 7_102_394_828

/** Moves the database. Returns what was done. */
export async function distribute(options: DistributeOptions): Promise<string> {
  const { databaseUrl, dryRun = false, log = () => {} } = options
  await using session = await openSession(databaseUrl, 'parley distribute')
  await lockOut(session)
  const places = await readPlaces()
  const plan = await makePlan(session, places)
  for (const line of describePlan(plan, places)) log(line)
  if (dryRun) return 'Nothing is changed.'
  const began = performance.now()
  try {
    await session.query(`create table if not exists ${moveMark} ()`)
    await untilQuiet(session, options.signal)
    const rows = await move({ ...options, session, places, plan, log })
    return `The database is a cluster: ${places.moved.length} tables, ${rows} rows, ${bytes(plan.total)}; requests were answered with 503 for ${secondsSince(began)} s. Start the instances that have ended.`
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  } finally {
    // This fails when the connection is lost: then the command says so, and is run again.
    await session.query(`drop table if exists ${moveMark}`).catch((error: Error) => {
      log(`Requests are answered with 503 until the command is run again: ${error.message}`)
    })
  }
}

/** PostgreSQL undoes what a killed command has begun; the next one waits for that a while. */
async function lockOut({ query }: Session): Promise<void> {
  await query(`set lock_timeout = '15s'`)
  await query('select pg_advisory_lock($1)', [lockKey]).catch((error: Error & { code?: string }) => {
    throw error.code === '55P03' ? new Error('The database is being moved already.') : error
  })
  await query('set lock_timeout = 0')
}

/** Waits until no instance has a connection for requests: then each has seen the mark, or has none. */
async function untilQuiet({ query }: Session, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + 10_000
  for (;;) {
    signal?.throwIfAborted()
    const [left] = await query<{ sessions: number }>(
      `select count(*)::int as sessions from pg_stat_activity where datname = current_database() and application_name = 'parley'`,
    )
    if (left!.sessions === 0) return
    if (performance.now() > deadline)
      throw new Error(
        `Nothing is changed: ${left!.sessions} connections of the service do not close. An instance of an older version, or one that is stopped? End it first.`,
      )
    await sleep(100)
  }
}

interface Move extends DistributeOptions {
  session: Session
  places: Places
  plan: Plan
  log: (message: string) => void
}

/** Returns the number of moved rows. */
async function move(options: Move): Promise<number> {
  const { session, places, plan, log, signal } = options
  await using _watching = await watchProgress(options)
  await session.query('begin')
  try {
    await session.query(places.copies)
    await lockTables(session, places)
    await makeCopies(options)
    const before = await countRows(session, places, signal)
    log(`${before.reduce((sum, count) => sum + count, 0)} rows`)
    await session.query(places.ids)
    for (const { sql, table } of places.statements) {
      signal?.throwIfAborted()
      const began = performance.now()
      await session.query(sql)
      const size = plan.sizes.get(table ?? '') ?? 0
      if (size > 10e6) log(`${table}: ${bytes(size)} in ${secondsSince(began)} s`)
    }
    await removeCopied(session)
    const after = await countRows(session, places, signal)
    const wrong = places.moved.filter((_table, n) => before[n] !== after[n])
    if (wrong.length > 0) throw new Error(`Rows are missing or doubled in ${wrong.join(', ')}.`)
    await session.query(`drop table ${moveMark}`)
    await session.query('commit')
    return after.reduce((sum, count) => sum + count, 0)
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}

/** This comes before the tables are distributed: reading and writing are fast then. */
async function makeCopies({ session, fillCopies, log, signal }: Move): Promise<void> {
  const began = performance.now()
  // The time of day alone makes a number greater; this holds even when a clock is wrong.
  await session.query('update buckets set number = greatest(number, (select last_value from item_numbers))')
  const conversations = await fillCopies(session, signal)
  log(`copies of ${conversations} conversations by wallet in ${secondsSince(began)} s`)
}

/** Backups and other tools may be at work. */
async function lockTables({ query }: Session, { moved }: Places): Promise<void> {
  await query(`set local lock_timeout = '40s'`)
  await query(`lock table ${moved.join(', ')} in access exclusive mode`).catch((error: Error) => {
    throw (error as { code?: string }).code === '55P03'
      ? new Error(
          'Nothing is changed: something else uses the tables, such as a backup. Try again after its end.',
        )
      : error
  })
  await query(`set local lock_timeout = 0`)
}

async function countRows({ query }: Session, { moved }: Places, signal?: AbortSignal): Promise<number[]> {
  const counts: number[] = []
  for (const table of moved) {
    signal?.throwIfAborted()
    const [row] = await query<{ count: number }>(`select count(*) as count from ${table}`)
    counts.push(row!.count)
  }
  return counts
}

/** The rows that were copied from the coordinator's own tables stay there on disk, and nobody sees them. */
const removeCopied = ({ query }: Session) =>
  query(
    `select truncate_local_data_after_distributing_table(logicalrelid) from pg_dist_partition
     where partmethod = 'h' or repmodel = 't'`,
  )

/** Reports how much of the copy is on the workers, and ends the work when the signal is aborted. */
async function watchProgress({
  databaseUrl,
  session,
  plan,
  onProgress,
  signal,
}: Move): Promise<AsyncDisposable> {
  const [own] = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  await using stack = new AsyncDisposableStack()
  const watcher = stack.use(await openSession(databaseUrl, 'parley distribute, watching'))
  const onWorkers = async () => {
    const [row] = await watcher.query<{ size: number }>(
      `select coalesce(sum(result::float8), 0) as size from run_command_on_workers('select pg_database_size(current_database())') where success`,
    )
    return row!.size
  }
  const first = await onWorkers()
  stack.use(
    repeat(500, async () => {
      if (signal?.aborted) await watcher.query('select pg_cancel_backend($1)', [own!.pid])
      else if (onProgress) onProgress('moved', (await onWorkers()) - first, plan.total)
    }),
  )
  return stack.move()
}
