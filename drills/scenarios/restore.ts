import { execFile } from 'node:child_process'
import { access, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Drill } from '../drill.ts'
import { CannotRun } from '../run.ts'

const tool = path.join(import.meta.dirname, '../../server/src/parley.ts')

/** A backup that is made while the service runs holds everything acknowledged before it began. */
export const restore: Drill = {
  name: 'restore',
  summary:
    'a backup is made under load, all data is deleted and the backup restored: what was acknowledged before is there',
  seconds: 30,
  async perform(run) {
    await access(tool).catch(() => {
      throw new CannotRun('there is no backup tool (npm run parley -- backup)')
    })
    const service = await run.startService()
    await run.startLoad()
    await run.pause(run.seconds * 300, run.seconds * 400)
    const since = run.ledgerLength()
    const archive = path.join(run.dataDir, '..', 'backup.zip')
    const backup = await parley(['backup', '--to', archive], run.dataDir)
    while (run.hasTime()) await run.pause(200)
    await run.endLoad()

    const lost = performance.now()
    await service.end('SIGKILL')
    await rm(run.dataDir, { recursive: true, maxRetries: 10, retryDelay: 200 })
    const restored = await parley(['restore', archive], run.dataDir)
    run.restored(since)
    await service.start()
    run.note(`backup ${backup.toFixed(1)} s, restore ${restored.toFixed(1)} s`)

    // New messages must be later than everything restored.
    await run.startLoad()
    await run.waitForRecovery(lost, 60)
    await run.pause(2000)
    await run.finish()
  },
}

/** Runs the operator's tool; returns the seconds it took. */
async function parley(args: string[], dataDir: string): Promise<number> {
  const began = performance.now()
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  await promisify(execFile)(process.execPath, [tool, ...args], { env, timeout: 120_000 })
  return (performance.now() - began) / 1000
}
