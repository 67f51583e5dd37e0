import type { Drill } from '../drill.ts'
import { postmasterOf } from '../service.ts'

/** The embedded PostgreSQL is killed below a service that goes on. */
export const killDatabase: Drill = {
  name: 'kill-database',
  what: 'SIGKILL or SIGQUIT for the embedded PostgreSQL while the service runs; back within 10 s',
  seconds: 200,
  async play(stage) {
    await stage.startService()
    await stage.startLoad()
    while (stage.isTime()) {
      // Some are so close together that the service waits longer and longer before it starts PostgreSQL again.
      await stage.pause(2000, 14_000)
      const postmaster = await postmasterOf(stage.dataDir)
      if (postmaster === undefined) continue
      const since = performance.now()
      process.kill(postmaster, stage.random.pick(['SIGKILL', 'SIGQUIT']))
      await stage.recovered(since, 10)
    }
    await stage.finish()
  },
}
