import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Drill } from '../drill.ts'
import { CannotRun } from '../stage.ts'

const root = path.join(import.meta.dirname, '../..')

/** A backup that is made while the service serves holds all that was acknowledged before it began. */
export const restore: Drill = {
  name: 'restore',
  what: 'a backup is made under load, everything is lost, the backup is restored: all acknowledged before it is there',
  seconds: 20,
  async play() {
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    if (!manifest.scripts.parley) throw new CannotRun('there is no backup tool (npm run parley -- backup)')
    throw new CannotRun('the backup tool is not known to this drill yet')
  },
}
