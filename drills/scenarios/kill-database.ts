import path from 'node:path'
import { readPidFile } from '../../server/src/db/embedded/postmaster.ts'
import { citusUrl } from '../../testing/service/citus.ts'
import { findNodes } from '../cluster-nodes.ts'
import type { Drill } from '../drill.ts'
import type { Run } from '../run.ts'

/** PostgreSQL is killed under a running service. */
export const killDatabase: Drill = {
  name: 'kill-database',
  summary:
    'SIGKILL or SIGQUIT for the embedded PostgreSQL, or for a node of the cluster of TEST_CITUS_URL, while the service runs',
  seconds: 200,
  async perform(run) {
    const kill = citusUrl === undefined ? await overEmbedded(run) : await overCluster(run)
    await run.startLoad()
    while (run.hasTime()) {
      // Some kills are so close together that the service backs off before it starts PostgreSQL again.
      await run.pause(2000, 14_000)
      await kill(run.random.pick(['SIGKILL', 'SIGQUIT']))
    }
    await run.finish()
  },
}

type Kill = (signal: NodeJS.Signals) => Promise<void>

async function overEmbedded(run: Run): Promise<Kill> {
  await run.startService()
  return async (signal) => {
    const postmaster = (await readPidFile(path.join(run.dataDir, 'postgres')))?.pid
    if (postmaster === undefined) return
    const since = performance.now()
    process.kill(postmaster, signal)
    await run.waitForRecovery(since, 10)
  }
}

/** Runs two services on one cluster. A node is away for some seconds, as when its machine starts again. */
async function overCluster(run: Run): Promise<Kill> {
  const { url } = await run.startDatabase()
  await run.startService({ DATABASE_URL: url })
  await run.startService({ DATABASE_URL: url })
  const nodes = await findNodes(url)
  return async (signal) => {
    const node = run.random.pick(nodes)
    run.log(`${signal} for ${node.name}`)
    try {
      await node.kill(signal)
      await run.pause(0, 3000)
    } finally {
      await node.start()
    }
    await run.waitForRecovery(performance.now(), 10)
  }
}
