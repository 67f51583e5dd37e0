// How many mails the whole service sends, counted in the database for all instances: by hours of
// the clock, so that a row for each kind is enough however many mails there are.

import type { Db } from '../db/pool.ts'

const hour = 3_600_000

/**
 * Counts one more mail of a kind in this hour. Undefined when that is done; when it would be one too
 * many, the time at which the next hour begins.
 */
export async function countMail(
  db: Db,
  kind: 'confirmation' | 'notification',
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
