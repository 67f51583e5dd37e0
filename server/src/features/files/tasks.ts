// Deletes bytes of files and of pictures: each minute those of what was deleted or replaced, and each hour what a killed process or
// a message that was never sent has left. All of it may run twice, or end in the middle.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { portions } from '../../db/bucket-portions.ts'
import type { Db } from '../../db/pool.ts'
import type { Feature } from '../../feature.ts'
import { bucketOfFile } from '../../files/ids.ts'
import type { FileStore } from '../../files/store.ts'
import { hour } from '../../lib/times.ts'
import { deleteBlockedFiles } from '../../messages/blocked-files.ts'
import { allBuckets, walletBucket } from '../../values/bucket.ts'
import { enqueueScans, scanLater } from './scan.ts'
import { forgetLoose, giveBack } from './store.ts'

const atOnce = 200
/** This number of files is deleted together: a bucket takes a moment for each. */
const together = 8
/** A file that no message has is deleted after this time. */
const looseFor = 24 * hour
/** After this time no request that stores a part goes on. */
const longestUpload = hour

export const tasks = {
  'delete-blobs': ({ db, fileStore }, _payload, { signal }) => deleteGone(db, fileStore, signal),
  'scan-file': (ctx, { file }) => scanLater(ctx, file),
  async 'sweep-files'(ctx, _payload, { signal }) {
    await deleteBlockedFiles(ctx.db, ctx.standing.subjectsOf('hold'))
    await enqueueScans(ctx)
    await sweep(ctx, signal)
  },
} satisfies Feature['tasks']

type Stores = Pick<Context, 'db' | 'fileStore'>

/** Deletes what uploads have left: files that no message has, and parts without a row. */
export async function sweep(ctx: Stores, signal: AbortSignal): Promise<void> {
  await forgetOldLoose(ctx.db)
  await deleteGone(ctx.db, ctx.fileStore, signal)
  await deleteOrphans(ctx, signal)
  await recount(ctx.db, signal)
}

/** Deletes the bytes first and then the row, so that nothing is forgotten that is still there. */
async function deleteGone(db: Db, store: FileStore, signal: AbortSignal): Promise<void> {
  let found: { bucket: number; id: string }[]
  do {
    found = await db.query<{ bucket: number; id: string }>(
      `select bucket, id from blobs_gone order by bucket, id limit ${atOnce}`,
    )
    for (let n = 0; n < found.length; n += together)
      await Promise.all(found.slice(n, n + together).map(({ id }) => store.delete(id)))
    for (const [bucket, rows] of Map.groupBy(found, (row) => row.bucket)) {
      // Of two that do this at once, one gets the row.
      const gone = await db.query<{ walletaddr: string; size: number }>(
        'delete from blobs_gone where bucket = $1 and id = any($2::text[]) returning walletaddr, size',
        [bucket, rows.map(({ id }) => id)],
      )
      // A picture counts for no wallet.
      for (const { walletaddr, size } of gone) if (size > 0) await giveBack(db, walletaddr, size)
    }
  } while (found.length === atOnce && !signal.aborted)
}

async function forgetOldLoose(db: Db): Promise<void> {
  const before = db.now() - looseFor
  const loose = await portions<string>(
    db,
    `select bucket, id as key from files where item_id is null and created_ms < $1 order by bucket, id limit 10000`,
    [before],
  )
  for (const { bucket, keys } of loose) await forgetLoose(db, bucket, keys, { before })
}

/**
 * Deletes what is in the store and counts in no row. A database without any file or picture is perhaps not the one of this store:
 * then nothing is deleted.
 */
async function deleteOrphans({ db, fileStore }: Stores, signal: AbortSignal): Promise<void> {
  const hasRows = async (table: string) =>
    (await db.query(`select 1 as one from ${table} limit 1`)).length > 0
  if (!(await hasRows('files')) && !(await hasRows('images'))) return
  let some: { id: string; part: string }[] = []
  const deleteSome = async () => {
    for (const [bucket, stored] of Map.groupBy(some, ({ id }) => bucketOfFile(id))) {
      const parts = await findParts(db, bucket, [...new Set(stored.map(({ id }) => id))])
      for (const { id, part } of stored)
        if (!parts.get(id)?.includes(part)) await fileStore.deletePart(id, part)
    }
    some = []
  }
  for await (const one of fileStore.list(Date.now() - longestUpload)) {
    if (signal.aborted) return
    some.push(one)
    if (some.length === atOnce) await deleteSome()
  }
  await deleteSome()
}

/** Returns which parts of some files and pictures count. */
async function findParts(db: Db, bucket: number, ids: string[]): Promise<Map<string, string[]>> {
  const parts = new Map<string, string[]>()
  for (const sql of [
    'select id, parts from files where bucket = $1 and id = any($2::text[])',
    'select file as id, array[part] as parts from images where wbucket = $1 and file = any($2::text[])',
  ])
    for (const row of await db.query<{ id: string; parts: string[] }>(sql, [bucket, ids]))
      parts.set(row.id, row.parts)
  return parts
}

/** Counts the bytes of wallets again, where a request has ended between the count and the file. */
async function recount(db: Db, signal: AbortSignal): Promise<void> {
  for (const bucket of allBuckets)
    for (let after = ''; !signal.aborted;) {
      const wallets = await db.query<{ walletaddr: string; bytes: number }>(
        `select walletaddr, bytes from wallet_files where wbucket = $1 and walletaddr > $2 order by walletaddr limit ${atOnce}`,
        [bucket, after],
      )
      if (wallets.length === 0) break
      await recountSome(db, wallets, signal)
      after = wallets.at(-1)!.walletaddr
    }
}

/** Mostly a file has its row less than this time after it was counted. */
const untilStored = 2_000

async function recountSome(db: Db, all: Counted[], signal: AbortSignal): Promise<void> {
  const differs = (found: Map<string, number>) => (one: Counted) =>
    found.get(one.walletaddr) !== one.bytes || one.bytes === 0
  const wallets = all.filter(differs(await findSums(db, all)))
  if (wallets.length === 0) return
  // Some of these may be about to get a file that is counted already.
  await sleep(untilStored, undefined, { signal })
  const found = await findSums(db, wallets)
  for (const { walletaddr, bytes } of wallets.filter(differs(found))) {
    const real = found.get(walletaddr) ?? 0
    const key = [walletBucket(walletaddr), walletaddr, bytes]
    // One that has changed meanwhile is counted again in an hour.
    if (real === 0)
      await db.query('delete from wallet_files where wbucket = $1 and walletaddr = $2 and bytes = $3', key)
    else
      await db.query(
        'update wallet_files set bytes = $4 where wbucket = $1 and walletaddr = $2 and bytes = $3',
        [...key, real],
      )
  }
}

interface Counted {
  walletaddr: string
  bytes: number
}

/** Returns the bytes of the files of some wallets, also of those whose bytes are not deleted yet. */
async function findSums(db: Db, wallets: Counted[]): Promise<Map<string, number>> {
  const sums = await db.query<{ walletaddr: string; bytes: number }>(
    `select walletaddr, sum(size)::bigint as bytes from (
       select walletaddr, size from files where walletaddr = any($1::text[]) and blocked is distinct from 2
       union all select walletaddr, size from blobs_gone where walletaddr = any($1::text[])
     ) f group by walletaddr`,
    [wallets.map(({ walletaddr }) => walletaddr)],
  )
  return new Map(sums.map(({ walletaddr, bytes }) => [walletaddr, bytes]))
}
