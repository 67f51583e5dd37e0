// Scans files that are not encrypted with the operator's clamd. A file is scanned when its last part is there, in that request. Where
// clamd does not answer in time it is stored as unscanned, and a job tries again: until then nobody but its uploader gets it.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Context } from '../../context.ts'
import { scanBytes } from '../../files/clamd.ts'
import { bytesOf, type StoredFile } from '../../files/read.ts'
import { enqueue } from '../../jobs/queue.ts'
import { block } from '../../messages/blocked-files.ts'
import * as store from './store.ts'

/** As many are scanned at once in requests; others wait for a job. clamd has ten threads. */
const mostAtOnce = 4
/** A request waits for clamd for this many milliseconds after each step, and a job longer. */
const [patience, patienceOfJob] = [10_000, 120_000]
let underWay = 0

type Scanning = Pick<Context, 'db' | 'config' | 'fileStore' | 'log'>

/** Scans a file before its last part counts: true when it is clean, false when nobody knows yet, and it throws where it is not. */
export async function scanNow(ctx: Scanning, file: StoredFile, sha256: string): Promise<boolean> {
  if (ctx.config.clamdUrl === undefined) return true
  if (underWay >= mostAtOnce) return false
  underWay++
  try {
    return await scan(ctx, file, sha256, patience)
  } catch (error) {
    if (error instanceof ApiError) throw error
    ctx.log.warn(`A file waits for the scanner: ${(error as Error).message}`)
    return false
  } finally {
    underWay--
  }
}

/** Scans a file that waits. It fails where clamd does not answer, and is then tried again. */
export async function scanLater(ctx: Scanning, id: string): Promise<void> {
  const file = await store.getFile(ctx.db, id)
  if (!file?.unscanned || file.have < file.size || ctx.config.clamdUrl === undefined) return
  if (await scan(ctx, file, file.sha256, patienceOfJob).catch(ignoreBlocked))
    await store.setScanned(ctx.db, id)
}

async function scan(
  { db, config, fileStore }: Scanning,
  file: StoredFile,
  sha256: string,
  milliseconds: number,
): Promise<boolean> {
  const found = await scanBytes(config.clamdUrl!, bytesOf(fileStore, file), milliseconds)
  if (found === undefined) return true
  await db.transaction((tx) =>
    block(tx, { operator: 'clamd', sha256, reason: `clamd has found ${found.slice(0, 400)}` }),
  )
  throw notTaken()
}

/** Adds a job for each file that waits and has none. */
export async function enqueueScans({ db, config }: Scanning): Promise<void> {
  if (config.clamdUrl === undefined) return
  for (const id of await store.findUnscanned(db)) await enqueueScan(db, id)
}

export const enqueueScan = (db: Context['db'], id: string) =>
  enqueue(db, 'scan-file', { file: id }, { key: `scan ${id}` })

/** Throws 503 for everybody but the uploader of a file that was not scanned yet. */
export function requireScanned(
  { config }: Pick<Context, 'config'>,
  wallet: string,
  file: store.FileRow,
): void {
  if (config.clamdUrl === undefined || !file.unscanned || file.walletaddr === wallet) return
  throw new ApiError(
    'unavailable',
    'This file is being checked for malware. Try again in a moment: it opens when it is clean.',
    { retryAfter: 10 },
  )
}

export const notTaken = () =>
  new ApiError('forbidden', 'The operator of this service does not take this file. It is deleted.')

export const isNotTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'forbidden'

function ignoreBlocked(error: unknown): false {
  if (isNotTaken(error)) return false
  throw error
}
