// Counts events of a key over a number of seconds, exactly and for all instances, in a table: one row for a key with the times of
// its events. With a limit of 3 in an hour and events at 9:00, 9:20 and 9:50, a fourth one is refused until 10:00. It is for rare
// events with a strict limit; the token buckets are for requests.

import type { Db } from '../db/pool.ts'

export interface Limit {
  most: number
  seconds: number
}

export interface SlidingWindow {
  /** Counts one more event, unless that would exceed the limit: then it returns false. */
  count: (db: Db, key: string | Buffer, limit: Limit) => Promise<boolean>
  /** Returns the seconds until one more event is possible, at least 1; undefined when it is possible now. */
  secondsToWait: (db: Db, key: string | Buffer, limit: Limit) => Promise<number | undefined>
  /** Deletes keys without an event that still counts. */
  deleteExpired: (db: Db) => Promise<unknown>
}

/**
 * `table` has the columns `key`, `expires_ms` and one array of times, which is named by `times`.
 */
export function slidingWindow(table: string, times: string): SlidingWindow {
  const recent = `unnest(w.${times}) t where t > $3 - $2`
  const count = `
    insert into ${table} as w (key, ${times}, expires_ms) values ($1, array[$3::bigint], $3 + $2::bigint)
    on conflict (key) do update
      set ${times} = array(select t from ${recent}) || $3, expires_ms = excluded.expires_ms
      where (select count(*) from ${recent}) < $4
    returning true as counted`
  const secondsToWait = `
    select greatest(1, ceil((min(t) + $2 - $3) / 1000.0))::int as seconds
    from ${table} w, ${recent} and w.key = $1 having count(*) >= $4`
  const values = (db: Db, key: string | Buffer, { most, seconds }: Limit) => [
    key,
    seconds * 1000,
    db.now(),
    most,
  ]
  return {
    async count(db, key, limit) {
      return (await db.query(count, values(db, key, limit))).length > 0
    },
    async secondsToWait(db, key, limit) {
      const [full] = await db.query<{ seconds: number }>(secondsToWait, values(db, key, limit))
      return full?.seconds
    },
    deleteExpired: (db) => db.query(`delete from ${table} where expires_ms < $1`, [db.now()]),
  }
}
