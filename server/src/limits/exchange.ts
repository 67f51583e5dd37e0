// Makes the token buckets of all instances one, without a write per request. Every second each
// instance adds what it took from its busy buckets to sums in a table, and the same statement reads
// all sums that grew lately. What other instances took is the growth of a sum minus this instance's
// part, and is taken here too. So N instances together give about one budget; tokens given beyond it
// within a second must fill up again first.
//
// This example leaves out what fills up meanwhile: a wallet may make 300 requests at once. Instance
// A served 200 of them and instance B 150.
//
//   A adds 200, the sum is 200; others took 0; A's bucket holds 300 - 200 = 100
//   B adds 150, the sum is 350; others took 350 - 150 = 200; B's bucket holds 300 - 150 - 200 = -50
//   A adds nothing and knew 200; others took 350 - 200 = 150; A's bucket holds 100 - 150 = -50
//
// Both refuse the wallet until their buckets hold a token again.
//
// The table only carries these sums: it is unlogged, rows are deleted after ten minutes without
// growth (a sum smaller than before has begun again at 0), and no request ever waits for it.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { repeat } from '../lib/repeat.ts'
import { type Bucket, bucketOf, type Meter, takeElsewhere } from './token-buckets.ts'

const maxBuckets = 5_000

/** Exchanges every second, or after other milliseconds, until disposed of. */
export function exchangeRegularly(db: Db, log: Logger, meters: Meter[], every = 1_000): AsyncDisposable {
  const byName = new Map(meters.map((meter) => [meter.name, meter]))
  let rounds = 0
  let isAlone = false
  return repeat(every, async () => {
    try {
      await exchange(db, byName)
      if (rounds++ % 60 === 0) await deleteQuietBuckets(db)
      if (isAlone) log.info('rate limits are shared between instances again')
      isAlone = false
    } catch (error) {
      if (!isAlone) log.warn(`rate limits are not shared between instances: ${(error as Error).message}`)
      isAlone = true
    }
  })
}

interface Sum {
  meter: string
  who: string
  sum: number
  /** This is true when the sum began at 0 in the last seconds, so that all of it counts. */
  fresh: boolean
}

async function exchange(db: Db, meters: Map<string, Meter>): Promise<void> {
  const sent = takeUnsent(meters)
  let sums: Sum[]
  try {
    sums = await db.query<Sum>(addAndRead, [
      sent.map(({ meter }) => meter.name),
      sent.map(({ who }) => who),
      sent.map(({ count }) => count),
      db.now(),
    ])
  } catch (error) {
    for (const { meter, who, bucket, count } of sent) {
      bucket.unsent += count
      meter.busy.set(who, bucket)
    }
    throw error
  }
  const sentBy = new Map(sent.map(({ meter, who, count }) => [`${meter.name} ${who}`, count]))
  const now = performance.now()
  for (const { meter: name, who, sum, fresh } of sums) {
    const meter = meters.get(name)
    // Another release may have other meters.
    if (meter) takeByOthers(meter, who, { sum, fresh, sentNow: sentBy.get(`${name} ${who}`) ?? 0 }, now)
  }
}

interface Growth {
  sum: number
  fresh: boolean
  sentNow: number
}

function takeByOthers(meter: Meter, who: string, { sum, fresh, sentNow }: Growth, now: number): void {
  const bucket = bucketOf(meter, who, now)
  // For a sum that is read for the first time it is not known when it grew, so only a fresh one counts.
  const sumBefore = bucket.lastSum ?? (fresh ? 0 : sum - sentNow)
  const byOthers = sum - sentNow - (sum < sumBefore ? 0 : sumBefore)
  bucket.lastSum = sum
  if (byOthers > 0) takeElsewhere(meter, who, byOthers, now)
}

interface Unsent {
  meter: Meter
  who: string
  bucket: Bucket
  count: number
}

/** Returns what was taken from busy buckets since the last exchange; counting begins again. */
function takeUnsent(meters: Map<string, Meter>): Unsent[] {
  const unsent: Unsent[] = []
  for (const meter of meters.values())
    for (const [who, bucket] of meter.busy) {
      if (unsent.length === maxBuckets) return unsent
      unsent.push({ meter, who, bucket, count: bucket.unsent })
      bucket.unsent = 0
      bucket.unsentSince = bucket.at
      meter.busy.delete(who)
    }
  return unsent
}

// It follows the order of keys, so that two instances cannot wait for each other. It reads the sums of five seconds, because a
// row may become visible later than its time, and an instance may miss a round.
const addAndRead = `
  with mine as (
    insert into rate_limits as r (meter, who, taken, began_ms, ms)
    select meter, who, taken, $4::bigint, $4::bigint from unnest($1::text[] collate "C", $2::text[] collate "C", $3::int8[]) as t (meter, who, taken)
    order by meter, who
    on conflict (meter, who) do update set taken = r.taken + excluded.taken, ms = greatest(r.ms, excluded.ms)
    returning meter, who, taken, began_ms
  )
  select meter, who, taken as sum, began_ms > $4 - 5000 as fresh from mine
  union all
  select meter, who, taken, began_ms > $4 - 5000 from rate_limits r
  where ms > $4 - 5000 and not exists (select 1 from mine where mine.meter = r.meter and mine.who = r.who)`

const deleteQuietBuckets = (db: Db) => db.query('delete from rate_limits where ms < $1', [db.now() - 600_000])
