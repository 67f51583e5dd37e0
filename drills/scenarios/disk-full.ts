import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ApiError } from '@parley/sdk'
import type { Drill } from '../drill.ts'
import { CannotRun } from '../run.ts'
import { nodeCommand } from '../../testing/service-process.ts'

// The data directory is a small file system in memory that exists only in the service's mount namespace. A plain user
// mounts it as root of a user namespace, then returns to its own id in a second user namespace.
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

/** The disk is full under a service that keeps running. */
export const diskFull: Drill = {
  name: 'disk-full',
  summary:
    'the disk of the embedded PostgreSQL is full: writes get a 503, reads continue; back within 5 s of free space',
  seconds: 60,
  async perform(run) {
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
    const within = uid === 0 ? asRoot : asUser
    const env = { DRILL_UID: String(uid), DRILL_GID: String(gid) }
    await probe(within, { ...env, DATA_DIR: run.dataDir })
    const service = await run.startService(env, { command: [...within, ...nodeCommand()] })
    const { wallets, writers } = await run.startLoad()
    const [address] = wallets.addresses
    const client = wallets.client(address!, service.url)
    let [reads, failed] = [0, 0]
    while (run.hasTime()) {
      await run.pause(1000, 3000)
      const ballast = `/proc/${service.pid}/root${run.dataDir}/ballast`
      fill(ballast)
      for (const full = performance.now(); performance.now() - full < 4000; await sleep(100)) {
        reads++
        await client.getInbox({ address: address! }).catch((error: unknown) => {
          failed++
          if (!(error instanceof ApiError && error.status === 503)) throw error
        })
      }
      rmSync(ballast)
      await run.waitForRecovery(performance.now(), 5)
    }
    if (!writers.failures.has('503')) run.report({ kind: 'broken', detail: 'no write got a 503' })
    run.note(`${reads} reads while full, ${failed} got a 503`)
    if (failed > reads / 2)
      run.report({ kind: 'broken', detail: `${failed} of ${reads} reads failed while full` })
    await run.finish()
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

/** Fills the disk to the last byte. */
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
