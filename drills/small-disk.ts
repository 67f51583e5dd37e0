// This is a small file system in memory for the data of a service. It exists only in a mount namespace, and ends with the process
// that holds that: `cat`, which ends when this process does.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { CannotRun } from './run.ts'

const runProgram = promisify(execFile)
const lastPart = 8 * 2 ** 20

/**
 * Mounts one at `directory`. A plain user mounts it as root of a user namespace, and the service returns to its own id in a
 * second one.
 */
export async function mountSmallDisk(directory: string, megabytes: number) {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const isRoot = uid === 0
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$1" && echo mounted && exec cat`
  const spaces = ['--mount', ...(isRoot ? [] : ['--user', '--map-root-user'])]
  const holder = spawn('unshare', [...spaces, 'sh', '-c', mount, 'sh', directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(holder, 'close').catch(() => {})
  let said = ''
  holder.stderr.on('data', (data: Buffer) => (said += data.toString()))
  await Promise.race([once(holder.stdout, 'data'), ended])
  const enter = [
    'nsenter',
    `--target=${holder.pid}`,
    '--mount',
    // The leash of the run finds there what runs in it.
    `--wd=${directory}`,
    ...(isRoot ? [] : ['--user', '--preserve-credentials']),
  ]
  const within = isRoot ? enter : [...enter, 'unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
  // The kernel of a container may allow the one and not the other.
  await runProgram(within[0]!, [...within.slice(1), 'fallocate', '--version']).catch((error: Error) => {
    holder.kill()
    throw new CannotRun(
      `it needs a small file system, by unshare, nsenter, mount and fallocate of Linux: ${(said || error.message).trim()}`,
    )
  })
  /** The directory as this process sees it. */
  const seen = `/proc/${holder.pid}/root${directory}`
  const free = () => {
    const { bavail, bsize } = statfsSync(seen)
    return bavail * bsize
  }
  const reserve = path.join(seen, 'reserve')
  const file = path.join(seen, 'of-another-program')

  return {
    /** A command that runs another one where the file system is. */
    within,
    seen,
    /** Fills it except for `left` bytes. What the service gives up of its reserve is not filled. */
    async fill(left: number): Promise<void> {
      const hadReserve = existsSync(reserve)
      for (let offset = 0; free() > left && existsSync(reserve) === hadReserve; offset += 2 ** 30) {
        const rest = free() - left
        // fallocate writes all of it at once, or nothing when less is free by then: so the last part is separate.
        const length = rest > 2 * lastPart ? rest - lastPart : rest
        await runProgram('fallocate', ['--length', String(length), '--offset', String(offset), file]).catch(
          () => {},
        )
      }
    },
    /** Returns true when the service holds room for a start. */
    hasReserve: () => existsSync(reserve),
    empty: () => rmSync(file, { force: true }),
    async [Symbol.asyncDispose]() {
      holder.stdin.end()
      await ended
    },
  }
}
