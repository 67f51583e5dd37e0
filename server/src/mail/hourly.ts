// Counts the mails of the whole service in the database, for all instances: by hours of the clock, so that one row for each kind
// is enough for any number of mails.

import type { Db } from '../db/pool.ts'
import { hour } from '../lib/times.ts'

/**
 * Counts one more mail of a kind in this hour. It returns undefined when that is done; at the limit it returns when the next hour
 * begins.
 */
export async function countMail(
  db: Db,
  kind: 'confirmation' | 'notification' | 'announcement',
  most: number,
): Promise<number | undefined> {
  const now = db.now()
  const begin = now - (now % hour)
  const counted = await db.query(
    `insert into mail_hours as h (kind, hour_ms, mails) values ($1, $2, 1)
     on conflict (kind) do update set
       mails = case when h.hour_ms < excluded.hour_ms then 1 else h.mails + 1 end,
       hour_ms = greatest(h.hour_ms, excluded.hour_ms)
     where h.hour_ms < excluded.hour_ms or h.mails < $3
     returning true as counted`,
    [kind, begin, most],
  )
  return counted.length > 0 ? undefined : begin + hour
}
