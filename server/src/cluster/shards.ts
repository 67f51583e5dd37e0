// Says which shard of a cluster holds each bucket, so that rows that are written together can lie in one. Citus commits a
// statement that changes several shards in two phases, also where one node holds them all. Shards may be split, so a result may
// be old. A batch that was made by an old result is then written in two phases, and is as right as before.

import type { AskShards } from '../db/layout.ts'
import { minute } from '../lib/times.ts'

/** The shards are queried again after this many milliseconds. */
const refreshAfter = minute

// All tables have the same shards (server/cluster/distribute.sql).
const shardsOfBuckets = `
  select bucket, get_shard_id_for_distribution_column('buckets', bucket) as shard from generate_series(0, 63) bucket`

/** Makes a function that returns the shard of a bucket. It never waits: it returns the last result, and 0 before the first. */
export function createShards(ask: AskShards, clock: () => number = Date.now): (bucket: number) => number {
  let shards = new Map<number, number>()
  let queriedAt = -Infinity
  return (bucket) => {
    if (clock() - queriedAt >= refreshAfter) {
      queriedAt = clock()
      ask(shardsOfBuckets).then(
        ({ rows }) => void (shards = new Map(rows.map((row) => [row.bucket, row.shard]))),
        // The earlier result holds until the next time.
        () => {},
      )
    }
    return shards.get(bucket) ?? 0
  }
}
