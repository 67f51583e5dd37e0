import { mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { findAbandoned } from '../../server/src/db/embedded/host.ts'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Makes a folder of a test's own, removed with it. It is in memory where there is room, since what tests write need not last. */
export async function newFolder(name: string) {
  const parent = await parentFolder()
  const prefix = `parley-${name}-`
  // A run that was killed could not remove its own.
  for (const abandoned of await findAbandoned(parent, prefix)) await remove(abandoned).catch(() => {})
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`))
  return { path: folder, [Symbol.asyncDispose]: () => remove(folder) }
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 })

/**
 * Returns the parent of temporary folders. Linux has `/dev/shm` in memory. Containers often have 64 MB of it, which is too little
 * for a PostgreSQL.
 */
async function parentFolder(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 2 * 2 ** 30 ? memory : os.tmpdir()
}

/** Returns the files of a ZIP archive by name. */
export async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const zip = await fromBufferPromise(archive)
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}
