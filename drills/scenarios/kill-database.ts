import type { Drill } from '../drill.ts'
import path from 'node:path'
import { readPidFile } from '../../server/src/db/embedded/postmaster.ts'

/** The embedded PostgreSQL is killed under a service that keeps running. */
export const killDatabase: Drill = {
  name: 'kill-database',
  summary: 'SIGKILL or SIGQUIT for the embedded PostgreSQL while the service runs; back within 10 s',
  seconds: 200,
  async perform(run) {
    await run.startService()
    await run.startLoad()
    while (run.hasTime()) {
      // Some kills are so close together that the service backs off before it starts PostgreSQL again.
      await run.pause(2000, 14_000)
      const postmaster = (await readPidFile(path.join(run.dataDir, 'postgres')))?.pid
      if (postmaster === undefined) continue
      const since = performance.now()
      process.kill(postmaster, run.random.pick(['SIGKILL', 'SIGQUIT']))
      await run.waitForRecovery(since, 10)
    }
    await run.finish()
  },
}
