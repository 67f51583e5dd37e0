// What is special to a cluster. The other tests run on it too when TEST_CITUS_URL is set (docs/cluster.md).

import { expect } from 'vitest'
import { newMigratedDatabase, openPool } from '../../testing/service/database.ts'
import { onCluster } from '../../testing/service/engines.ts'
import { sending } from '../../testing/service/log.ts'
import { newWallet, startService } from '../../testing/service/service.ts'
import type { Db } from '../src/db/pool.ts'
import { clusterLog } from '../src/cluster/cluster-log.ts'
import { allBuckets, bucketOfId, numberAt, numberOfId } from '../src/values/bucket.ts'

onCluster(
  'every table with a bucket is distributed by it, and rows of a bucket lie on one node',
  async () => {
    await using t = await newMigratedDatabase()
    const columns = await t.db.query<{ name: string; column: string; expected: string; group: number }>(
      `select logicalrelid::text as name, column_to_column_name(logicalrelid, partkey) as column, colocationid as group,
       case when exists (select from information_schema.columns where table_name = logicalrelid::text and column_name = 'wbucket')
         then 'wbucket' else 'bucket' end as expected
     from pg_dist_partition where partmethod = 'h'`,
    )
    expect(columns.filter(({ column, expected }) => column !== expected)).toEqual([])
    expect(new Set(columns.map(({ group }) => group)).size).toBe(1)
    const missing = await t.db.query(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name in ('bucket', 'wbucket')
       and table_name not in (select logicalrelid::text from pg_dist_partition) and table_name !~ '_[0-9]+$'
       and table_name in (select relname from pg_class where relkind = 'r')`,
    )
    expect(missing).toEqual([])
    const nodes = await t.db.query(
      'select distinct nodeport from citus_shards where table_name = $1::regclass',
      ['direct_messages'],
    )
    expect(nodes.length).toBeGreaterThan(1)
  },
)

onCluster(
  'ids increase in each bucket, are never given twice, and are above those of one machine',
  async () => {
    await using t = await newMigratedDatabase()
    const before = numberAt(t.db.now())
    const draw = async (ms: number, buckets: number[]) =>
      (await t.db.query<{ id: number }>('select unnest(draw_ids_v1($1, $2)) as id', [ms, buckets])).map(
        ({ id }) => id,
      )
    const drawn = await Promise.all(
      Array.from({ length: 20 }, () => draw(t.db.now(), [...allBuckets, 5, 3, 5])),
    )
    for (const ids of drawn) {
      expect(ids.map(bucketOfId)).toEqual([...allBuckets, 5, 3, 5])
      expect([ids[5], ids[64], ids[66]].toSorted((x, y) => x! - y!)).toEqual([ids[5], ids[64], ids[66]])
    }
    expect(new Set(drawn.flat()).size).toBe(20 * 67)
    expect(Math.min(...drawn.flat().map(numberOfId))).toBeGreaterThan(before)
    // Also when the clock of an instance is behind.
    const [late] = await draw(0, [5])
    expect(late).toBeGreaterThan(Math.max(...drawn.flat().filter((id) => bucketOfId(id) === 5)))
  },
)

onCluster(
  'a reader finds all that is sent at once to many buckets, once, each conversation in order',
  async () => {
    await using t = await newMigratedDatabase()
    const tail = await clusterLog.openTail(t.db)
    const [begun, found, positions] = [tail.position!, [] as { id: number; one: string }[], [] as number[]]
    const senders = Array.from({ length: 12 }, newWallet)
    const state = { sending: true }
    const reading = (async () => {
      for (let again = true; again;) {
        again = state.sending
        for (let more = true; more;) {
          const batch = await tail.poll()
          for (const { item, position } of batch.found) {
            found.push(item)
            positions.push(position!)
            // From a position on, nothing comes that it says was found.
            expect(item.id).toBeGreaterThan(begun)
          }
          more = !batch.isComplete
        }
      }
    })()
    await Promise.all(
      senders.map(async (sender) => {
        for (let n = 0; n < 10; n++)
          await t.db.query(...sending(sender, [senders[n]!, newWallet(), newWallet()]))
      }),
    )
    state.sending = false
    await reading
    expect(found).toHaveLength(360)
    expect(new Set(found.map(({ id }) => id)).size).toBe(360)
    expect(positions).toEqual(positions.toSorted((x, y) => x - y))
  },
)

onCluster(
  'everything up to a position was found before it: a client that resumes there misses nothing',
  async () => {
    await using t = await newMigratedDatabase()
    const tail = await clusterLog.openTail(t.db)
    const alice = newWallet()
    const seen: number[] = []
    for (let n = 0; n < 30; n++) {
      const sent = await t.db.query<{ id: number }>(...sending(alice, [newWallet(), newWallet()]))
      const { found } = await tail.poll()
      seen.push(...found.map(({ item }) => item.id))
      expect(sent.every(({ id }) => seen.includes(id))).toBe(true)
      expect(sent.every(({ id }) => id > tail.position! || seen.includes(id))).toBe(true)
    }
    // Buckets in which nobody writes do not hold the position back.
    await expect
      .poll(async () => (await tail.poll(), tail.position!), { timeout: 10_000, interval: 200 })
      .toBeGreaterThan(Math.max(...seen))
  },
)

onCluster('what a poll found that failed in the middle is found by the next one', async () => {
  await using t = await newMigratedDatabase()
  let left = Infinity
  const failing: Db = {
    ...t.db,
    query: async (sql, values, as) => {
      if (left-- <= 0) throw new Error('the connection was lost')
      return t.db.query(sql, values, as)
    },
  }
  const tail = await clusterLog.openTail(failing)
  await t.db.query(...sending(newWallet(), Array.from({ length: 30 }, newWallet)))
  for (const statements of [1, 2, 5, 10]) {
    left = statements
    await expect(tail.poll()).rejects.toThrow('was lost')
  }
  left = Infinity
  expect((await tail.poll()).found).toHaveLength(30)
})

onCluster(
  'a statement that waits for a lock on another node gives up as soon as on one machine',
  async () => {
    await using t = await newMigratedDatabase()
    await using other = await openPool(t.databaseUrl, 1)
    await t.db.transaction(async (tx) => {
      await tx.query('select draw_ids_v1($1, $2) as ids', [t.db.now(), [7]])
      const since = performance.now()
      await expect(other.query('select draw_ids_v1($1, $2) as ids', [t.db.now(), [7]])).rejects.toMatchObject(
        { code: '55P03' },
      )
      expect(performance.now() - since).toBeLessThan(4000)
    })
  },
)

onCluster('messages that are sent at once are committed in one phase, as batches of a shard', async () => {
  await using service = await startService()
  const { db } = service.ctx
  // Asked for in the background, at the first message.
  await expect.poll(() => new Set(allBuckets.map(db.shardOf!)).size).toBe(16)
  const prepared = async () =>
    new Set((await db.query<{ gid: string }>('select gid from pg_dist_transaction')).map(({ gid }) => gid))
  const before = await prepared()
  const alice = newWallet()
  const asAlice = await service.as(alice)
  const peers = Array.from({ length: 200 }, newWallet)
  await Promise.all(
    peers.map((toaddr) => asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr, message: 'gm' } })),
  )
  expect((await prepared()).difference(before)).toEqual(new Set())
  // What changes several shards is committed in two.
  await db.query(...sending(alice, peers.slice(0, 40)))
  expect((await prepared()).difference(before).size).toBeGreaterThan(0)
})

onCluster('statements are planned by their values, with one connection to each node', async () => {
  await using t = await newMigratedDatabase()
  const shown = await t.db.query(
    `select current_setting('plan_cache_mode') as plans, current_setting('citus.max_adaptive_executor_pool_size') as connections`,
  )
  expect(shown).toEqual([{ plans: 'auto', connections: '1' }])
})
