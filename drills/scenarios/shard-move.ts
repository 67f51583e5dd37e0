import { newClient } from '../../server/src/db/client.ts'
import { citusUrl } from '../../testing/service/citus.ts'
import { CannotRun } from '../run.ts'
import type { Drill } from '../drill.ts'

/** SQL for a group of shards that lie together on one node: one of them names all. */
const shardsAndNodes = `
  select p.shardid as shard, n.nodename as host, n.nodeport as port
  from pg_dist_placement p join pg_dist_node n using (groupid)
  join pg_dist_shard s using (shardid) where s.logicalrelid = 'buckets'::regclass and n.groupid > 0 order by p.shardid`

interface Placed {
  shard: number
  host: string
  port: number
}

/** The buckets of a cluster move between its nodes while clients use two services. */
export const shardMove: Drill = {
  name: 'shard-move',
  summary: 'buckets move between the nodes of a cluster while clients use two services (TEST_CITUS_URL)',
  seconds: 60,
  async perform(run) {
    if (citusUrl === undefined) throw new CannotRun('it needs TEST_CITUS_URL (docs/cluster.md)')
    const { url } = await run.startDatabase()
    await run.startService({ DATABASE_URL: url })
    await run.startService({ DATABASE_URL: url })
    await run.startLoad()
    const client = newClient({ url, name: 'parley drill' })
    await client.connect()
    let moved = 0
    try {
      while (run.hasTime()) {
        await run.pause(500, 2000)
        const { rows } = await client.query<Placed>(shardsAndNodes)
        const from = run.random.pick(rows)
        const to = rows.find(({ host, port }) => host !== from.host || port !== from.port)
        if (!to) throw new CannotRun('it needs a cluster with two workers that hold shards')
        await client.query('select citus_move_shard_placement($1, $2, $3, $4, $5)', [
          from.shard,
          from.host,
          from.port,
          to.host,
          to.port,
        ])
        moved++
        await run.waitForRecovery(performance.now(), 10)
      }
    } finally {
      await client.end()
    }
    run.notes.push(`${moved} groups of shards moved`)
    await run.finish()
  },
}
