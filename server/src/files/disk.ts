// The store on a disk: DATA_DIR/files has a folder for each file, in one of 4096 folders, and a file for each part. Folders and
// files are synced, so that a part is still there after a power failure when the service has acknowledged it.

import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { measureDisk } from '../db/embedded/reserve.ts'
import { mebibyte } from '../lib/amounts.ts'
import type { FileStore } from './store.ts'

interface Options {
  dataDir: string
  /** This is DISK_RESERVE in MiB; undefined is the usual reserve. */
  diskReserve: number | undefined
}

export function openDiskStore({ dataDir, diskReserve }: Options): FileStore {
  const root = join(dataDir, 'files')
  // An id has no dots and no slashes: its form was checked.
  const folderOf = (id: string) => join(root, id.slice(-4, -2), id)
  const pathOf = (id: string, part: string) => join(folderOf(id), part)

  return {
    async write(id, part, bytes) {
      const path = pathOf(id, part)
      try {
        await using file = await openNew(path)
        for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : bytes) await writeAll(file, chunk)
        await file.sync()
        await syncFolder(dirname(path))
      } catch (error) {
        await unlink(path).catch(ignoreMissing)
        throw isFull(error) ? noRoom(error) : error
      }
    },
    read: (id, part, start, end) => createReadStream(pathOf(id, part), { start, end: end - 1 }),
    async scan(id, part, use) {
      await using file = await open(pathOf(id, part))
      const memory = Buffer.allocUnsafe(65_536)
      for (;;) {
        const { bytesRead } = await file.read(memory, 0, memory.length)
        if (bytesRead === 0) return
        use(memory.subarray(0, bytesRead))
      }
    },
    sizeOf: async (id, part) => (await stat(pathOf(id, part)).catch(ignoreMissing))?.size,
    async deletePart(id, part) {
      await unlink(pathOf(id, part)).catch(ignoreMissing)
      // It fails where other parts are in the folder.
      await rmdir(folderOf(id)).catch(() => {})
    },
    delete: (id) => rm(folderOf(id), { recursive: true, force: true }),
    async *list(before) {
      for (const shard of await foldersIn(root))
        for (const id of await foldersIn(join(root, shard)))
          for (const part of await foldersIn(join(root, shard, id))) {
            const found = await stat(join(root, shard, id, part)).catch(ignoreMissing)
            if (found && found.mtimeMs < before) yield { id, part }
          }
    },
    async hasRoom() {
      const disk = await measureDisk(dataDir, diskReserve === undefined ? undefined : diskReserve * mebibyte)
      return !disk || disk.free >= disk.reserve
    },
    problem: async () => undefined,
  }
}

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(ignoreMissing)) ?? []

/** Opens a new file in its folder. Another request may delete the folder between the two, while it is empty. */
async function openNew(path: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    await makeFolder(dirname(path))
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (attempt === 3 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** Makes a folder with those above it. What is new is synced in the folder that has it. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let path = folder; path.length >= first.length; path = dirname(path)) await syncFolder(dirname(path))
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path)
  await folder.sync()
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length;)
    written += (await file.write(chunk, written, chunk.length - written)).bytesWritten
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}

const isFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

/** Throws 503 while the disk of a store has less than its reserve. */
export async function requireRoom(store: FileStore): Promise<void> {
  if (!(await store.hasRoom())) throw noRoom()
}

/** Makes the error for a disk without room. */
const noRoom = (cause?: unknown) =>
  new ApiError(
    'unavailable',
    'The disk of this service has no room left for files. Nothing was stored. Try again when its operator has made room.',
    { retryAfter: 60, cause },
  )
