import type { Drill } from '../drill.ts'

/** The service and its embedded database are killed and started again, over and over. */
export const killService: Drill = {
  name: 'kill-service',
  summary:
    'SIGKILL for the service and its embedded database, again and again, while wallets also edit, reply and react; back within 3 s',
  seconds: 260,
  async perform(run) {
    const service = await run.startService()
    await run.startLoad(undefined, { changes: true })
    while (run.hasTime()) {
      await run.pause(1500, 4500)
      const since = performance.now()
      await service.end('SIGKILL')
      await service.start()
      await run.waitForRecovery(since, 3)
    }
    await run.finish()
  },
}
