// Makes the buckets of all instances one, without a write per request. Every second each instance adds what was taken from its
// busy buckets to a table, in one statement, and the same statement reads the sums of all buckets that moved lately. What
// others took is the growth of a sum that is not one's own, and is taken here too. So N instances together give about one
// budget, and what they gave beyond it within a second is waited for.
//
// The table is only a means of talking: it is unlogged, rows are deleted after ten quiet minutes (a sum that is smaller than before
// began anew), and nothing here is ever waited for by a request.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { type Bucket, bucketOf, type Meter, takeElsewhere } from './token-buckets.ts'
import { repeat } from '../lib/repeat.ts'

const every = 1_000
const bucketsAtMost = 5_000

/** Exchanges every second until disposed of. */
export function exchangeRegularly(db: Db, log: Logger, meters: Meter[]): AsyncDisposable {
  const byName = new Map(meters.map((meter) => [meter.name, meter]))
  let rounds = 0
  let away = false
  return repeat(every, async () => {
    try {
      await exchange(db, byName)
      if (rounds++ % 60 === 0) await deleteQuietBuckets(db)
      if (away) log.info('rate limits are shared between instances again')
      away = false
    } catch (error) {
      if (!away) log.warn(`rate limits are not shared between instances: ${(error as Error).message}`)
      away = true
    }
  })
}

interface Sum {
  meter: string
  who: string
  taken: number
  /** Whether the sum began so lately that all of it counts. */
  fresh: boolean
}

async function exchange(db: Db, meters: Map<string, Meter>): Promise<void> {
  const mine = busyOf(meters)
  let sums: Sum[]
  try {
    sums = await db.query<Sum>(addAndRead, [
      mine.map(({ meter }) => meter.name),
      mine.map(({ who }) => who),
      mine.map(({ taken }) => taken),
    ])
  } catch (error) {
    for (const { meter, who, bucket, taken } of mine) {
      bucket.taken += taken
      meter.busy.set(who, bucket)
    }
    throw error
  }
  const own = new Map(mine.map(({ meter, who, taken }) => [`${meter.name} ${who}`, taken]))
  const now = performance.now()
  for (const { meter: name, who, taken, fresh } of sums) {
    const meter = meters.get(name)
    // Another release may know other meters.
    if (!meter) continue
    const bucket = bucketOf(meter, who, now)
    const ours = own.get(`${name} ${who}`) ?? 0
    // Of a sum seen for the first time nobody knows when it came about.
    const known = bucket.told ?? (fresh ? 0 : taken - ours)
    const elsewhere = taken - ours - (taken < known ? 0 : known)
    bucket.told = taken
    if (elsewhere > 0) takeElsewhere(meter, who, elsewhere, now)
  }
}

interface Busy {
  meter: Meter
  who: string
  bucket: Bucket
  taken: number
}

function busyOf(meters: Map<string, Meter>): Busy[] {
  const busy: Busy[] = []
  for (const meter of meters.values())
    for (const [who, bucket] of meter.busy) {
      if (busy.length === bucketsAtMost) return busy
      busy.push({ meter, who, bucket, taken: bucket.taken })
      bucket.taken = 0
      bucket.since = bucket.at
      meter.busy.delete(who)
    }
  return busy
}

// In the order of keys, so that two instances cannot wait for each other. Five seconds, because a row may become visible
// later than its time, and a round may be missed.
const addAndRead = `
  with mine as (
    insert into rate_limits as r (meter, who, taken, began, at)
    select meter, who, taken, now(), now() from unnest($1::text[] collate "C", $2::text[] collate "C", $3::int8[]) as t (meter, who, taken)
    order by meter, who
    on conflict (meter, who) do update set taken = r.taken + excluded.taken, at = now()
    returning meter, who, taken, began
  )
  select meter, who, taken, began > now() - interval '5 s' as fresh from mine
  union all
  select meter, who, taken, began > now() - interval '5 s' from rate_limits r
  where at > now() - interval '5 s' and not exists (select from mine where mine.meter = r.meter and mine.who = r.who)`

const deleteQuietBuckets = (db: Db) =>
  db.query(`delete from rate_limits where at < now() - interval '10 minutes'`)
