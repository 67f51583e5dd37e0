import type { Drill } from '../drill.ts'

/** Two services on one database; one of them is always there, the other is killed and comes back. */
export const twoInstances: Drill = {
  name: 'two-instances',
  what: 'two services on one database, killed in turn while clients use both',
  seconds: 120,
  async play(stage) {
    const { url } = await stage.startDatabase()
    const services = [
      await stage.startService({ DATABASE_URL: url }),
      await stage.startService({ DATABASE_URL: url }),
    ]
    await stage.startLoad()
    while (stage.isTime()) {
      await stage.pause(500, 3000)
      const victim = stage.random.pick(services)
      const since = performance.now()
      await victim.end('SIGKILL')
      const back = victim.start()
      await stage.recovered(since, 3)
      await back
    }
    await stage.finish()
  },
}
