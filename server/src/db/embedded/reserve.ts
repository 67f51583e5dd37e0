// Reserves room on the disk of the embedded database. PostgreSQL needs some to start, to recover and for its log even when it
// only reads; on a disk that is full to the last byte it ends and cannot start again. So:
//
//   below the reserve    the service refuses writes (http/route.ts): its own data never fills the disk
//   below 16 MiB         other programs have filled it: the file `reserve` in DATA_DIR is deleted, so that PostgreSQL can go on,
//                        or start, and read
//
// The reserve is a file, because nothing else protects room from other programs. It holds random bytes, which no file system can
// compress. It is written again when there is room for it beside the reserve.

import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { mebibyte } from '../../lib/amounts.ts'
import { repeat } from '../../lib/repeat.ts'
import { diskBytes, writesRefused } from '../../telemetry/metrics.ts'

/** Says how full the disk is. */
export interface Disk {
  /** This is true when less than the reserve is free: then writes are refused. */
  readonly isShort: boolean
}

export interface Reserve extends Disk {
  /** Call this before PostgreSQL starts: it deletes the file when there is no room. */
  makeRoom: () => Promise<void>
  /** Checks the disk every second until disposed of. */
  watch: () => Promise<AsyncDisposable>
}

interface ReserveOptions {
  dataDir: string
  /** This is the reserve in bytes; when undefined, it is 500 MiB, or 5 % of a smaller disk. With 0 nothing is refused. */
  bytes: number | undefined
  log: (message: string) => void
}

const usualReserve = 500 * mebibyte
const leastReserve = 64 * mebibyte
const largestFile = 64 * mebibyte
/** This is one segment of PostgreSQL's log. */
const tooLittle = 16 * mebibyte

export function openReserve({ dataDir, bytes, log }: ReserveOptions): Reserve {
  const file = join(dataDir, 'reserve')
  let isShort = false

  async function makeRoom(): Promise<void> {
    if (((await readDisk(dataDir))?.free ?? Infinity) >= tooLittle || !(await exists(file))) return
    log(`The disk of ${dataDir} is full; its reserve is given up, so that the database can be read`)
    await rm(file, { force: true })
  }

  async function measure(): Promise<void> {
    await makeRoom()
    const disk = await measureDisk(dataDir, bytes)
    if (!disk) return
    const { free, reserve } = disk
    // Writes begin again only with a tenth above the reserve, so that the state does not flip back and forth.
    const isShortNow = free < (isShort ? reserve * 1.1 : reserve)
    if (isShortNow !== isShort)
      log(isShortNow ? shortMessage(dataDir, free) : `The disk of ${dataDir} has room again`)
    isShort = isShortNow
    diskBytes.set({ kind: 'free' }, free)
    diskBytes.set({ kind: 'reserve' }, reserve)
    writesRefused.set(isShort ? 1 : 0)
    const length = Math.floor(Math.min(largestFile, reserve / 2))
    if (length > 0 && free > reserve * 1.1 + length && !(await exists(file))) await fill(file, length)
  }

  return {
    get isShort() {
      return isShort
    },
    makeRoom,
    async watch() {
      const failed = (error: Error) => log(`The disk of ${dataDir} cannot be measured: ${error.message}`)
      await measure().catch(failed)
      return repeat(1_000, () => measure().catch(failed))
    },
  }
}

/** Returns the free bytes, and how many of them are the reserve. It returns undefined when there is no such directory yet. */
export async function measureDisk(
  dataDir: string,
  bytes: number | undefined,
): Promise<{ free: number; reserve: number } | undefined> {
  const disk = await readDisk(dataDir)
  return (
    disk && {
      free: disk.free,
      reserve: bytes ?? Math.min(usualReserve, Math.max(leastReserve, disk.size / 20)),
    }
  )
}

async function readDisk(dataDir: string): Promise<{ free: number; size: number } | undefined> {
  const disk = await statfs(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return disk && { free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

const shortMessage = (dataDir: string, free: number) =>
  `The disk of ${dataDir} has only ${Math.floor(free / mebibyte)} MiB left (DISK_RESERVE): writes are refused, reads go on`

/** Writes a file of random bytes, whole or not at all. */
async function fill(path: string, length: number): Promise<void> {
  const unfinished = `${path}.new`
  const block = randomBytes(mebibyte)
  try {
    await using file = await open(unfinished, 'w', 0o600)
    for (let written = 0; written < length; written += block.length)
      await file.write(block, 0, Math.min(block.length, length - written))
    await file.sync()
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await rename(unfinished, path)
}
