// The bytes of a picture are an object of one part in the store of files. A request writes it first and then its row, so a row
// without bytes is of a backup that was restored without them, or of another disk: then readers get what the service has drawn.

import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Context } from '../../context.ts'
import { databaseFailure } from '../../db/failures.ts'
import { requireRoom } from '../../files/disk.ts'
import { newFileId } from '../../files/ids.ts'
import { openBytes } from '../../files/read.ts'
import type { FileStore } from '../../files/store.ts'
import { newId } from '../../lib/ids.ts'
import { minute } from '../../lib/times.ts'
import { walletBucket } from '../../values/bucket.ts'

/** Where the bytes of a picture are. */
export interface Stored {
  file: string
  part: string
  size: number
}

/** Stores the bytes of a picture of an address; on a failure nothing is left of them. */
export async function writePicture(
  store: FileStore,
  addr: string,
  bytes: Buffer,
): Promise<Stored & { sha256: Buffer }> {
  await requireRoom(store)
  const [file, part] = [newFileId(walletBucket(addr)), newId()]
  await store.write(file, part, bytes, bytes.length)
  return { file, part, size: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}

/**
 * Deletes the bytes of a picture that was not stored. After a failure of the connection nobody knows that: then they stay, and are
 * swept where no row has them.
 */
export async function deletePicture(
  { fileStore, log }: Pick<Context, 'fileStore' | 'log'>,
  { file }: Stored,
  error?: unknown,
) {
  const failure = error instanceof Error ? databaseFailure(error) : undefined
  if (failure === 'away' || failure === 'silent') return
  await fileStore
    .delete(file)
    .catch((cause: Error) => log.warn(`A picture is deleted later: ${cause.message}`))
}

/** Returns the bytes of a picture; undefined where they are missing. */
export async function readPicture(
  store: FileStore,
  { file, part, size }: Stored,
): Promise<Buffer | undefined> {
  try {
    const bytes = await buffer(await openBytes(store, { id: file, size, parts: [part], part_ends: [size] }))
    return bytes.length === size ? bytes : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const between = 10 * minute
/** The log was warned at this time. */
const warned = new WeakMap<Context['log'], number>()

/** Says in the log that bytes are missing, at most once in ten minutes. */
export function warnOfMissing(log: Context['log']): void {
  const now = performance.now()
  if (now - (warned.get(log) ?? -between) < between) return
  warned.set(log, now)
  log.warn(
    'The bytes of a picture of a wallet or community are missing in the store of files: readers get what the service has drawn of it. `npm run parley -- check` finds all of these.',
  )
}
