import type { Drill } from '../drill.ts'

/** Two services on one database: one always runs, the other is killed and started again. */
export const twoInstances: Drill = {
  name: 'two-instances',
  summary: 'two services on one database, killed in turn while clients use both',
  seconds: 120,
  async perform(run) {
    const { url } = await run.startDatabase()
    const services = [
      await run.startService({ DATABASE_URL: url }),
      await run.startService({ DATABASE_URL: url }),
    ]
    await run.startLoad()
    while (run.hasTime()) {
      await run.pause(500, 3000)
      const victim = run.random.pick(services)
      const since = performance.now()
      await victim.end('SIGKILL')
      const back = victim.start()
      await run.waitForRecovery(since, 3)
      await back
    }
    await run.finish()
  },
}
