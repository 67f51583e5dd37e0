// These steps follow a restore of any kind. What was acknowledged after the restored moment is not there, but clients may have
// seen it. So new ids are far above the restored ones, and none is used twice; and clients that resume their event stream get an
// event that makes them read everything again.

import pg from 'pg'
import { readLayout } from '../db/layout.ts'
import { openSession, type Session } from '../db/session.ts'
import { lastIdOf, numberOfId } from '../values/bucket.ts'
import { findSequences, findTables, quoted } from './tables.ts'

/** This is more than the numbers a service can have used between a backup and its end. */
const idsAhead = 1_000_000_000

/**
 * Prepares a database that PostgreSQL's own tools have brought back to an earlier moment. A service may run on it only
 * afterwards. Sessions end: one that has ended since that moment must not be back.
 */
export async function moveOnAfterRecovery(databaseUrl: string): Promise<void> {
  await using session = await openSession(databaseUrl, 'parley recovered')
  if ((await readLayout(session.client)) === 'cluster')
    throw new Error(
      'This is a cluster: its nodes have no common moment, so Parley cannot tell what is missing.',
    )
  await session.query('begin')
  await moveOn(session, {})
  await session.query('truncate sessions')
  await session.query('commit')
}

/** `sequences` are the numbers that a backup has noted; those of the database count when they are greater. */
export async function moveOn(session: Session, sequences: Record<string, number>): Promise<void> {
  const used = { item_numbers: await findGreatestNumber(session) } as Record<string, number>
  for (const name of await findSequences(session)) {
    const [now] = await session.query<{ number: string }>(
      `select last_value as number from ${quoted([name])}`,
    )
    const next = Math.max(sequences[name] ?? 1, Number(now!.number), (used[name] ?? 0) + 1)
    await session.query(`select setval($1, $2)`, [pg.escapeIdentifier(name), next + idsAhead])
  }
  await beginLogAnew(session)
}

/** Returns the greatest number in an id of any item. Tables of items have a bucket. */
async function findGreatestNumber(session: Session): Promise<number> {
  let greatest = 0
  for (const { name, columns, isNumbered } of await findTables(session)) {
    if (!isNumbered || !(columns.includes('bucket') || columns.includes('wbucket'))) continue
    const [row] = await session.query<{ id: string | null }>(`select max(id) as id from ${quoted([name])}`)
    greatest = Math.max(greatest, numberOfId(Number(row!.id)))
  }
  return greatest
}

/**
 * Moves the log's beginning after all ids: clients that resume from before read everything again, and nobody gets mails about old
 * messages. Transactions of the other database count for nothing here.
 */
async function beginLogAnew({ query }: Session): Promise<void> {
  const [at] = await query<{ number: string }>('select last_value as number from item_numbers')
  const id = lastIdOf(Number(at!.number))
  await query('update events_forgotten set id = $1', [id])
  await query(`update log_readers set id = $1, seen_id = $1, seen_xid = 0 where name <> 'search'`, [id])
  // The index of searches goes on where it was; an archive has none.
  await query(`
    update log_readers set seen_id = 0, seen_xid = 0,
      id = case when exists (select from search_direct) or exists (select from search_posts) then id else 0 end
    where name = 'search'`)
}
