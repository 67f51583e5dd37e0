import { nodeCommand } from '../../testing/service/service-process.ts'
import type { Drill } from '../drill.ts'
import { unpackReleaseBefore } from '../release-before.ts'

/** An update to this release and the way back, as docs/operations.md says. */
export const upgrade: Drill = {
  name: 'upgrade',
  summary:
    'two services of the release before (PARLEY_BEFORE, or the newest tag) are replaced by this one under load, and go back',
  seconds: 60,
  async perform(run) {
    const before = await unpackReleaseBefore(run.directory)
    const { url } = await run.startDatabase({ isEmpty: true })
    const releases = [nodeCommand(), nodeCommand([], before.main)]
    const services = [
      await run.startService({ DATABASE_URL: url }, { command: releases[1]! }),
      await run.startService({ DATABASE_URL: url }, { command: releases[1]! }),
    ]
    await run.startLoad()
    await run.pause(2000)
    let turns = 0
    // The drill goes at least once to this release, back and to it again: it then lists all that both have stored.
    for (; run.hasTime() || turns < 3 || turns % 2 === 0; turns++)
      for (const service of services) {
        await run.pause(500, 1500)
        const since = performance.now()
        const ended = service.end('SIGTERM')
        // The other one serves meanwhile.
        await run.waitForRecovery(since, 3)
        const code = await ended
        if (code !== 0) run.report({ kind: 'broken', detail: `SIGTERM ended a service with ${code}` })
        service.command = releases[turns % 2]!
        await service.start()
      }
    run.note(`${Math.ceil(turns / 2)} updates from ${before.name}, ${Math.floor(turns / 2)} times back`)
    await run.finish()
  },
}
