import { noNats, startNatsCluster } from '../../testing/nats-cluster.ts'
import { CannotRun } from '../run.ts'
import type { Drill } from '../drill.ts'

/** Two services run on one database and one bus, whose servers are killed, one and all in turn. */
export const busLoss: Drill = {
  name: 'bus-loss',
  summary: 'two services on one bus of three NATS servers, one or all of which are killed and come back',
  seconds: 120,
  async perform(run) {
    if (noNats !== undefined) throw new CannotRun(noNats)
    const bus = run.use(await startNatsCluster())
    const { url } = await run.startDatabase()
    const env = { DATABASE_URL: url, NATS_URL: bus.url }
    await run.startService(env)
    await run.startService(env)
    await run.startLoad()
    for (let turn = 0; run.hasTime(); turn++) {
      await run.pause(500, 2000)
      const since = performance.now()
      const all = Array.from({ length: bus.size }, (_, n) => n)
      const victims = turn % 2 === 0 ? all : [run.random.pick(all)]
      await Promise.all(victims.map(bus.kill))
      await run.waitForRecovery(since, 3)
      await run.pause(500, 2000)
      await Promise.all(victims.map(bus.start))
    }
    await run.finish()
  },
}
