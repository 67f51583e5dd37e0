// Makes the events of wallets besides messages: rows of the table `events`, which the live events deliver (live/README.md). They
// are built here alone, and their shape is checked against the contract.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import type { Db } from '../db/pool.ts'
import { day } from '../lib/times.ts'
import { chatBucket, walletBucket } from '../values/bucket.ts'
import type { Queries } from './operator-log.ts'

/** Typing and the team are never stored, and messages have tables of their own. What was edited is read when the event is delivered. */
type StoredEvent =
  | Exclude<ServiceEvent, { item: unknown } | { type: 'typing' | 'official' }>
  | Omit<Extract<ServiceEvent, { type: 'edited' }>, 'item'>

/** Makes a `p_event` for the functions of the database. */
export const eventJson = (event: StoredEvent): string => JSON.stringify(event)

/** An event is for a wallet, or for the members of a chat, or for one of them alone. */
type Announcement = { event: StoredEvent } & (
  | { wallet: string }
  | { chat: string; only?: string | undefined }
)

const placeOf = (to: Announcement): { bucket: number; reader: string } =>
  'wallet' in to
    ? { bucket: walletBucket(to.wallet), reader: to.wallet }
    : {
        bucket: chatBucket(to.chat),
        reader: `chat ${to.chat}${to.only === undefined ? '' : ` ${to.only}`}`,
      }

/**
 * Draws the numbers of some events, and one number in each of the buckets `others`. Call this before anything else in a
 * transaction that announces events (live/cursor.ts), and `announce` later in the same transaction.
 */
export async function drawEvents(
  tx: Queries & Pick<Db, 'now'>,
  events: Announcement[],
  others: number[] = [],
) {
  const places = events.map(placeOf)
  const [{ drawn } = {}] = await tx.query<{ drawn: string[] | null }>(
    'select draw_ids_v1($1, $2::integer[]) as drawn',
    [tx.now(), [...places.map(({ bucket }) => bucket), ...others]],
  )
  return {
    others: others.map((_, n) => drawn?.[events.length + n] ?? null),
    announce: async () => {
      for (const [n, { bucket, reader }] of places.entries())
        await tx.query('select announce_v1($1, $2, $3, array[$4::text], $5) as announced', [
          tx.now(),
          bucket,
          drawn && [drawn[n]],
          reader,
          eventJson(events[n]!.event),
        ])
    },
  }
}

/**
 * Deletes events that are a day old. It first stores up to which id: a client that resumes from an older position gets the event
 * that something is missing, whether or not the rows are deleted yet.
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
