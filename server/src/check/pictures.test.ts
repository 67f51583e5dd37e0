import { randomBytes } from 'node:crypto'
import { rm, truncate } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { deleteBlobs, storedParts } from '../../../testing/people/uploading.ts'
import { citusUrl } from '../../../testing/service/citus.ts'
import { newWallet, type Service, useService } from '../../../testing/service/service.ts'
import type { FileStore } from '../files/store.ts'
import { check } from './check.ts'

const service = useService()

const faultsIn = async ({ databaseUrl, ctx }: Service, fileStore: FileStore = ctx.fileStore) => {
  const lines: string[] = []
  await check({
    databaseUrl,
    fileStore,
    onFault: ({ row, wrong }) => lines.push(`${row}: ${wrong.join('; ')}`),
  })
  return lines
}

async function withPicture() {
  const addr = newWallet()
  const client = await service.as(addr)
  const put = async () => {
    const noise = sharp(randomBytes(60 ** 2 * 3), { raw: { width: 60, height: 60, channels: 3 } })
    const base64data = (await noise.png().toBuffer()).toString('base64')
    return (await client.createImage({ body: { addr, base64data } }))[0]!.id
  }
  return { addr, client, put, id: await put() }
}

test('pictures whose bytes the store does not have as a whole are found, by the id of the row', async () => {
  const [alice, bob, carol] = [await withPicture(), await withPicture(), await withPicture()]
  expect(await faultsIn(service)).toEqual([])
  const partOf = async ({ addr }: { addr: string }) => {
    const [row] = await service.ctx.db.query<{ file: string }>('select file from images where addr = $1', [
      addr,
    ])
    return (await storedParts(service)).find((path) => path.includes(row!.file))!
  }
  await rm(await partOf(alice))
  await truncate(await partOf(bob), 10)
  expect((await faultsIn(service)).toSorted()).toEqual(
    [alice, bob].map(({ id }) => `images ${id}: the store of files does not have its bytes`).toSorted(),
  )
  await alice.put()
  await bob.client.deleteImage({ addr: bob.addr })
  await deleteBlobs(service)
  expect(await faultsIn(service)).toEqual([])
  await carol.put()
  await deleteBlobs(service)
  expect(await faultsIn(service)).toEqual([])
})

test('a picture that is replaced or deleted during the check is no fault', async () => {
  const [alice, bob] = [await withPicture(), await withPicture()]
  const { fileStore } = service.ctx
  let isDone = false
  const sizeOf: FileStore['sizeOf'] = async (id, part) => {
    if (!isDone) {
      isDone = true
      await alice.put()
      await bob.client.deleteImage({ addr: bob.addr })
      await deleteBlobs(service)
    }
    return fileStore.sizeOf(id, part)
  }
  expect(await faultsIn(service, { ...fileStore, sizeOf })).toEqual([])
  expect(isDone).toBe(true)
})

test('bytes that are being deleted, or whose id names another bucket, are found', async () => {
  const { db } = service.ctx
  const { addr, id } = await withPicture()
  await db.query(`insert into blobs_gone select wbucket, file, '', 0 from images where addr = $1`, [addr])
  expect(await faultsIn(service)).toEqual([`images ${id}: its bytes are being deleted`])
  await db.query('delete from blobs_gone')
  // A cluster moves no row to another bucket.
  if (citusUrl !== undefined) return
  const move = `update images set wbucket = 63 - wbucket where addr = $1`
  await db.query(move, [addr])
  const faults = await faultsIn(service)
  await db.query(move, [addr])
  expect(faults).toContainEqual(
    expect.stringMatching(/^images \d+: it lies in bucket .*; the id of its bytes names another bucket$/),
  )
})
