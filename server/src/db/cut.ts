// Cuts the tables of messages into parts by id (`npm run parley -- partition`), so that each part is vacuumed by itself and an
// old one can lie on another disk. The first cut makes the table the first part of a partitioned one, later ones close the newest
// part. Then the next part begins, empty.
//
// The service goes on meanwhile: the long steps need no lock that it would wait for. A check constraint says that the part ends
// at an id some way ahead, all rows are checked while others are written, and because of it the short transaction at the end
// reads no row.
//
// The constraint would refuse messages from its id on. So it is not left behind: when a cut fails, it is dropped, and when the
// cut is killed, the service drops it within an hour, or the next cut goes on from it.

import { setTimeout as sleep } from 'node:timers/promises'
import { createBackoff } from '../lib/backoff.ts'
import { repeat } from '../lib/repeat.ts'
import { firstIdOf, numberOfId } from '../values/bucket.ts'
import { attachPart, closePart, findLast, findLimit, limitName, type Part } from './parts.ts'
import type { Db } from './pool.ts'
import { openSession, type Session } from './session.ts'

const tables = ['direct_messages', 'group_messages']

export interface CutOptions {
  databaseUrl: string
  /** A part ends this many item numbers ahead; the margin must last until all rows are checked. */
  margin?: number
  log?: (message: string) => void
  /** Ends the cut, which is undone. */
  signal?: AbortSignal
}

/** This lock allows one cut at a time. */
const lockKey = 7_102_394_827

/** Cuts each table whose newest part is in use. Returns a line for each table that says what was done. */
export async function cutTables({
  databaseUrl,
  margin,
  log = () => {},
  signal,
}: CutOptions): Promise<string[]> {
  await using session = await openSession(databaseUrl, 'parley partition')
  await using watcher = await openSession(databaseUrl, 'parley partition, watching')
  const [state] = await session.query<{ there: boolean; cluster: boolean; free: boolean }>(
    `select to_regclass('direct_messages') is not null as there, pg_try_advisory_lock($1) as free,
       exists (select 1 from pg_extension where extname = 'citus') as cluster`,
    [lockKey],
  )
  if (!state!.there) throw new Error('There is nothing to cut: no Parley has started on this database.')
  if (state!.cluster) throw new Error('A cluster spreads its tables over its nodes already.')
  if (!state!.free) throw new Error('The tables are being cut already.')
  const done: string[] = []
  for (const table of tables) done.push(await cutTable({ session, watcher, table, margin, log, signal }))
  return done
}

interface Cut {
  session: Session
  watcher: Session
  table: string
  margin: number | undefined
  log: (message: string) => void
  signal: AbortSignal | undefined
}

async function cutTable(cut: Cut): Promise<string> {
  const { session, table, log } = cut
  const last = await findLast(session, table)
  const head = await readHead(session)
  if (last.from !== null && head < numberOfId(last.from))
    return `${table}: nothing to cut, its newest part ${last.name} is not in use yet`
  const margin = cut.margin ?? (await usualMargin(session, last))
  const known = await findLimit(session, last)
  const limit = known ?? firstIdOf(head + margin)
  try {
    if (known === null)
      await inShortLock(cut, () =>
        session.query(
          `alter table ${last.name} add constraint ${limitName} ${checkOf(last, limit)} not valid`,
        ),
      )
    log(`${table}: checking that all ids are below ${limit}`)
    await validate(cut, last, limit, margin)
    const next = await inShortLock(cut, () =>
      last.isWhole ? attachPart(session, table, limit) : closePart(session, table, last, limit),
    )
    return `${table}: the next part, ${next}, begins with the id ${limit}`
  } catch (error) {
    await undo(cut, last.name)
    throw error
  }
}

const checkOf = ({ from }: Part, limit: number) =>
  `check (${from === null ? '' : `id >= ${from} and `}id < ${limit})`

/** At 10,000 numbers a second the margin lasts for 5 s a gigabyte, and for 17 minutes at least. */
async function usualMargin({ query }: Session, { name }: Part): Promise<number> {
  const [table] = await query<{ size: number }>('select pg_table_size($1::regclass)::float8 as size', [name])
  return 10_000_000 + Math.floor(table!.size / 20_000)
}

/** Returns the number of the newest item. */
async function readHead({ query }: Session): Promise<number> {
  const [row] = await query<{ number: number }>('select last_value::float8 as number from item_numbers')
  return row!.number
}

/** Checks all rows, unless the service comes near the limit before that is done. */
async function validate(
  { session, watcher, signal }: Cut,
  last: Part,
  limit: number,
  margin: number,
): Promise<void> {
  const [own] = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  let isNear = false
  const watching = repeat(1000, async () => {
    isNear ||= (await readHead(watcher)) > numberOfId(limit) - margin / 10
    if (isNear || signal?.aborted) await watcher.query('select pg_cancel_backend($1)', [own!.pid])
  })
  try {
    await session.query(`alter table ${last.name} validate constraint ${limitName}`)
  } catch (error) {
    signal?.throwIfAborted()
    throw isNear
      ? new Error(
          'More was written meanwhile than expected. Nothing is changed; cut again at a quieter time.',
        )
      : error
  } finally {
    await watching[Symbol.asyncDispose]()
  }
}

/**
 * Does the work in a transaction with a short lock timeout, because all others wait behind it, and retries until it gets the
 * locks.
 */
async function inShortLock<T>({ session, table, log, signal }: Cut, work: () => Promise<T>): Promise<T> {
  const pauses = createBackoff({ first: 200, longest: 5_000, random: true })
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted()
    await session.query('begin')
    try {
      await session.query(`set local lock_timeout = '500ms'`)
      // The work reads no table. If it ever does, it does not hold its lock for long.
      await session.query(`set local statement_timeout = '5s'`)
      const result = await work()
      await session.query('commit')
      return result
    } catch (error) {
      await session.query('rollback')
      if (!isLocked(error)) throw error
      if (tries === 5) log(`${table}: waiting for a long transaction to end, such as a backup`)
    }
    await sleep(pauses.next(), undefined, { ...(signal && { signal }) }).catch(() => {})
  }
}

/** No lock was free in time, or there was a deadlock. */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

/** Removes the constraint of a cut that failed. */
async function undo(cut: Cut, part: string): Promise<void> {
  const { session, log, table } = cut
  try {
    await inShortLock({ ...cut, signal: undefined }, () =>
      session.query(`alter table if exists ${part} drop constraint if exists ${limitName}`),
    )
  } catch (error) {
    log(
      `${table}: ${(error as Error).message}. Cut again, or start the service, which undoes this cut within an hour.`,
    )
  }
}

/** Removes the constraint of a cut that was killed. The service calls this from time to time. */
export const undoKilledCut = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const [lock] = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
      lockKey,
    ])
    if (!lock!.free) return
    const left = await tx.query<{ part: string }>(
      'select conrelid::regclass::text as part from pg_constraint where conname = $1 order by 1',
      [limitName],
    )
    for (const { part } of left) await tx.query(`alter table ${part} drop constraint ${limitName}`)
  })
