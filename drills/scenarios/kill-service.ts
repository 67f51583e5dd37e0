import type { Drill } from '../drill.ts'

/** The service is killed together with its embedded database, and started again, over and over. */
export const killService: Drill = {
  name: 'kill-service',
  what: 'SIGKILL for the service on its embedded database, again and again; back within 3 s',
  seconds: 260,
  async play(stage) {
    const service = await stage.startService()
    await stage.startLoad()
    while (stage.isTime()) {
      await stage.pause(1500, 4500)
      const since = performance.now()
      await service.end('SIGKILL')
      await service.start()
      await stage.recovered(since, 3)
    }
    await stage.finish()
  },
}
