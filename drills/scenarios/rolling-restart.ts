import type { Drill } from '../drill.ts'

/** An update without an interruption: one service at a time is told to stop, and started again. */
export const rollingRestart: Drill = {
  name: 'rolling-restart',
  what: 'two services on one database, stopped (SIGTERM) and started in turn; each must end well within 15 s',
  seconds: 90,
  async play(stage) {
    const { url } = await stage.startDatabase()
    const services = [
      await stage.startService({ DATABASE_URL: url }),
      await stage.startService({ DATABASE_URL: url }),
    ]
    await stage.startLoad()
    for (let turn = 0; stage.isTime(); turn++) {
      const service = services[turn % 2]!
      const since = performance.now()
      const ended = service.end('SIGTERM')
      await stage.recovered(since, 3)
      const code = await ended
      const took = (performance.now() - since) / 1000
      if (code !== 0) stage.report({ kind: 'broken', detail: `SIGTERM ended a service with ${code}` })
      if (took > 15 * stage.patience)
        stage.report({ kind: 'slow', detail: `a service took ${took.toFixed(1)} s to stop` })
      await service.start()
      await stage.pause(300, 1500)
    }
    await stage.finish()
  },
}
