import { execFile } from 'node:child_process'
import { access, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Drill } from '../drill.ts'
import { CannotRun } from '../run.ts'

const tool = path.join(import.meta.dirname, '../../server/src/parley.ts')

/** A backup that is made while the service serves holds all that was acknowledged before it began. */
export const restore: Drill = {
  name: 'restore',
  what: 'a backup is made under load, then all is lost and the backup restored: what was acknowledged before is there',
  seconds: 30,
  async play(stage) {
    await access(tool).catch(() => {
      throw new CannotRun('there is no backup tool (npm run parley -- backup)')
    })
    const service = await stage.startService()
    await stage.startLoad()
    await stage.pause(stage.seconds * 300, stage.seconds * 400)
    const since = stage.ledgerLength()
    const archive = path.join(stage.dataDir, '..', 'backup.zip')
    const backup = await parley(['backup', '--to', archive], stage.dataDir)
    while (stage.isTime()) await stage.pause(200)
    await stage.endLoad()

    const lost = performance.now()
    await service.end('SIGKILL')
    await rm(stage.dataDir, { recursive: true, maxRetries: 10, retryDelay: 200 })
    const restored = await parley(['restore', archive], stage.dataDir)
    stage.restored(since)
    await service.start()
    stage.note(`backup ${backup.toFixed(1)} s, restore ${restored.toFixed(1)} s`)

    // Life goes on, later than all that was kept.
    await stage.startLoad()
    await stage.recovered(lost, 60)
    await stage.pause(2000)
    await stage.finish()
  },
}

/** Runs the operator's tool; answers the seconds it took. */
async function parley(args: string[], dataDir: string): Promise<number> {
  const began = performance.now()
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  await promisify(execFile)(process.execPath, [tool, ...args], { env, timeout: 120_000 })
  return (performance.now() - began) / 1000
}
