import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { loadHistory } from '../../bench/data/history.ts'
import { layoutOf } from '../../bench/data/layout.ts'
import type { Drill } from '../drill.ts'
import { newArchivedDatabase } from '../archived-database.ts'
import { openPrograms } from '../programs.ts'

const tool = path.join(import.meta.dirname, '../../server/src/parley.ts')

/** A physical backup and the archive of the log restore a lost database to a moment, as docs/operations.md says. */
export const pointInTime: Drill = {
  name: 'point-in-time',
  summary:
    'a physical backup is made under load and the database lost: it comes back as of a moment between, with all that was acknowledged before',
  seconds: 30,
  async perform(run) {
    const programs = run.use(await openPrograms(run.log, ['postgres']))
    const database = await newArchivedDatabase(programs)
    const service = await run.startService({ DATABASE_URL: database.url })
    // Nine in ten messages of a history are direct.
    if (run.messages !== undefined)
      await loadHistory(database.url, layoutOf(Math.round(run.messages / 0.9)), () => {})
    await run.startLoad()
    await run.pause(run.seconds * 300, run.seconds * 400)
    const backup = await seconds(database.backUp)
    await run.pause(run.seconds * 200)
    const since = run.ledgerLength()
    const { moment } = await database.query<{ moment: string }>('select clock_timestamp()::text as moment')
    while (run.hasTime()) await run.pause(200)
    await run.endLoad()
    await database.isArchived(moment)

    const lost = performance.now()
    await service.end('SIGKILL')
    await database.lose()
    const restored = await seconds(() => database.restore(moment))
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
    await promisify(execFile)(process.execPath, [tool, 'recovered'], { env, timeout: 120_000 })
    run.restored(since)
    await service.start()
    run.note(`backup ${backup.toFixed(1)} s, restore ${restored.toFixed(1)} s`)

    // New messages must be later than everything restored.
    await run.startLoad()
    await run.waitForRecovery(lost, 120)
    await run.pause(2000)
    await run.finish()
  },
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
