import type { Drill } from '../drill.ts'

/** An update without interruption: one service at a time is stopped and started again. */
export const rollingRestart: Drill = {
  name: 'rolling-restart',
  summary:
    'two services on one database, stopped (SIGTERM) and started in turn; each must end well within 15 s',
  seconds: 90,
  async perform(run) {
    const { url } = await run.startDatabase()
    const services = [
      await run.startService({ DATABASE_URL: url }),
      await run.startService({ DATABASE_URL: url }),
    ]
    await run.startLoad()
    for (let turn = 0; run.hasTime(); turn++) {
      const service = services[turn % 2]!
      const since = performance.now()
      const ended = service.end('SIGTERM')
      await run.waitForRecovery(since, 3)
      const code = await ended
      const took = (performance.now() - since) / 1000
      if (code !== 0) run.report({ kind: 'broken', detail: `SIGTERM ended a service with ${code}` })
      if (took > 15 * run.patience)
        run.report({ kind: 'slow', detail: `a service took ${took.toFixed(1)} s to stop` })
      await service.start()
      await run.pause(300, 1500)
    }
    await run.finish()
  },
}
