// The events of wallets besides messages: rows of the table `events`, which the live events deliver
// (live/README.md). They are built here alone, and their shape is checked against the contract.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import type { Db } from '../db/pool.ts'

/** Typing is never stored, and messages have tables of their own. */
type StoredEvent = Exclude<ServiceEvent, { item: unknown } | { type: 'typing' }>

/** A `p_event` for the functions of the database. */
export const eventJson = (event: StoredEvent): string => JSON.stringify(event)

const day = 24 * 3_600_000

/**
 * Deletes events that are a day old. First it is stored up to which id: a client that resumes from
 * before it gets the event that something is missing, whether or not it is deleted yet.
 */
export async function deleteOldEvents(db: Db): Promise<void> {
  const before = db.now() - day
  // The sum makes PostgreSQL use the index on times, not walk the index on ids.
  const [{ id: upTo } = { id: null }] = await db.query<{ id: number | null }>(
    'select max(id + 0) as id from events where ms < $1',
    [before],
  )
  if (upTo === null) return
  await db.query('update events_forgotten set id = greatest(id, $1)', [upTo])
  await db.query('delete from events where ms < $1 and id <= $2', [before, upTo])
}
