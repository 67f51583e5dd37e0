import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ApiError } from '@parley/sdk'
import type { Drill } from '../drill.ts'
import { CannotRun } from '../run.ts'

// The data directory is a small file system in memory that only the service's own mount namespace has. A plain user gets
// there through a user namespace, in which it is root for the moment of the mount, and itself again in one more.
const mount = 'mount -t tmpfs -o size=400m,mode=755 tmpfs "$DATA_DIR"'
const asRoot = ['unshare', '--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh']
const back = 'unshare --user --map-user="$DRILL_UID" --map-group="$DRILL_GID"'
const asUser = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `${mount} && exec ${back} "$@"`,
  'sh',
]

/** No room is left below a service that goes on. */
export const diskFull: Drill = {
  name: 'disk-full',
  what: 'the disk of the embedded PostgreSQL is full: writes are told 503, reads go on, back within 5 s of some room',
  seconds: 60,
  async play(stage) {
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
    const within = uid === 0 ? asRoot : asUser
    const env = { DRILL_UID: String(uid), DRILL_GID: String(gid) }
    await probe(within, { ...env, DATA_DIR: stage.dataDir })
    const service = await stage.startService(env, { within })
    const { world, writers } = await stage.startLoad()
    const [address] = world.addresses
    const client = world.client(address!, service.url)
    let [reads, failed] = [0, 0]
    while (stage.isTime()) {
      await stage.pause(1000, 3000)
      const ballast = `/proc/${service.pid}/root${stage.dataDir}/ballast`
      fill(ballast)
      for (const full = performance.now(); performance.now() - full < 4000; await sleep(100)) {
        reads++
        await client.getInbox({ address: address! }).catch((error: unknown) => {
          failed++
          if (!(error instanceof ApiError && error.status === 503)) throw error
        })
      }
      rmSync(ballast)
      await stage.recovered(performance.now(), 5)
    }
    if (!writers.failures.has('503')) stage.report({ kind: 'broken', detail: 'no write was told 503' })
    stage.note(`${reads} reads while full, ${failed} told 503`)
    if (failed > reads / 2)
      stage.report({ kind: 'broken', detail: `${failed} of ${reads} reads failed while full` })
    await stage.finish()
  },
}

async function probe([command = '', ...args]: string[], env: Record<string, string>): Promise<void> {
  await promisify(execFile)(command, [...args, 'true'], { env: { ...process.env, ...env } }).catch(
    (error: Error) => {
      throw new CannotRun(
        `it needs a small file system, by unshare and mount of Linux: ${error.message.trim()}`,
      )
    },
  )
}

/** Leaves not a byte. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  for (let size = 2 ** 20; size >= 1; size /= 4) while (hasRoom(file, size));
  closeSync(file)
}

function hasRoom(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOSPC') return false
    throw error
  }
}
