// Which shard of a cluster holds each bucket, so that what is written together can lie in one. Citus
// commits a statement that changes several shards in two phases, also where one node holds them all.
// Shards may be split, so an answer may be old. What was put together by it is then written in two
// phases, and is as right as before.

/** Asks for the shard of every bucket. */
type Ask = (sql: string) => Promise<{ rows: { bucket: number; shard: number }[] }>

/** Milliseconds after which the shards are asked for again. */
const asksAfter = 60_000

// All tables have the same shards (server/cluster/distribute.sql).
const shardsOfBuckets = `
  select bucket, get_shard_id_for_distribution_column('buckets', bucket) as shard from generate_series(0, 63) bucket`

/**
 * Makes a function that answers the shard of a bucket. It never waits: it answers what was found last,
 * and 0 before that.
 */
export function createShards(ask: Ask, clock: () => number = Date.now): (bucket: number) => number {
  let shards = new Map<number, number>()
  let askedAt = -Infinity
  return (bucket) => {
    if (clock() - askedAt >= asksAfter) {
      askedAt = clock()
      ask(shardsOfBuckets).then(
        ({ rows }) => void (shards = new Map(rows.map((row) => [row.bucket, row.shard]))),
        // What was found before holds until the next time.
        () => {},
      )
    }
    return shards.get(bucket) ?? 0
  }
}
