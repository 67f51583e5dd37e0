import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { filePartBytes } from '@parley/sdk'
import { expect, test } from 'vitest'
import { startS3 } from '../../../../testing/outside/s3.ts'
import {
  deleteBlobs,
  download,
  begin,
  putNext,
  sweepFiles,
  upload,
} from '../../../../testing/people/uploading.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newDatabase } from '../../../../testing/service/database.ts'
import { newFolder } from '../../../../testing/service/files.ts'
import { newToken, newWallet, startService } from '../../../../testing/service/service.ts'
import { backUp } from '../../backup/backup.ts'
import { restore, verify } from '../../backup/restore.ts'
import { openS3Store } from '../../files/s3.ts'

async function open() {
  const stack = new AsyncDisposableStack()
  const s3 = stack.use(await startS3())
  const service = stack.use(await startService({ s3Url: s3.access }))
  const address = newWallet()
  const toaddr = newWallet()
  const client = await service.as(address)
  return {
    s3,
    service,
    client,
    address,
    toaddr,
    /** Uploads some bytes, and sends them. */
    async send(bytes: Uint8Array<ArrayBuffer>) {
      const file = await upload(client, { toaddr }, bytes)
      const body = { fromaddr: address, toaddr, message: 'look', files: [file.id] }
      const [item] = await client.sendDirectMessage({ body })
      return { file: file.id, item: item!.id }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('files are sent, read in ranges and deleted in a bucket as on a disk', async () => {
  await using opened = await open()
  const { s3, service, client, toaddr } = opened
  const bytes = randomBytes(filePartBytes + 5000)
  const { file, item } = await opened.send(bytes)
  expect(s3.objects.size).toBe(2)
  const reader = await service.as(toaddr)
  expect((await download(reader, file)).equals(bytes)).toBe(true)
  const { rawPayload, statusCode } = await service.app.inject({
    url: `/v1/files/${file}`,
    headers: {
      authorization: `Bearer ${await newToken(service.ctx, toaddr)}`,
      range: `bytes=${filePartBytes - 10}-${filePartBytes + 9}`,
    },
  })
  expect(statusCode).toBe(206)
  expect(rawPayload.equals(bytes.subarray(filePartBytes - 10, filePartBytes + 10))).toBe(true)
  await client.deleteDirectMessage({ id: item })
  await expect(reader.getFile({ file })).rejects.toMatchObject({ code: 'not_found' })
  await deleteBlobs(service)
  expect([...s3.objects.keys()]).toEqual([])
})

test('while the bucket is away, files are 503 with a sentence, all else works, and the upload goes on afterwards', async () => {
  await using opened = await open()
  const { s3, service, client, address, toaddr } = opened
  const operator = newWallet()
  await addOperator(service, operator)
  const status = async () =>
    (await (await service.as(operator)).getStatus()).checks.find(({ name }) => name === 'Files')
  const bytes = randomBytes(filePartBytes + 5000)
  const { file } = await opened.send(bytes)
  const half = await putNext(client, await begin(client, { toaddr }, bytes), bytes)
  expect(await status()).toMatchObject({ state: 'ok' })

  s3.setRule(() => 503)
  const away = { code: 'unavailable', retryAfter: 5, message: expect.stringContaining('store of files') }
  await expect(putNext(client, half, bytes)).rejects.toMatchObject(away)
  await expect(client.getFile({ file })).rejects.toMatchObject(away)
  expect((await service.app.inject('/readyz')).statusCode).toBe(200)
  await client.sendDirectMessage({ body: { fromaddr: address, toaddr, message: 'without a file' } })
  expect(await status()).toMatchObject({ state: 'down', detail: expect.stringContaining('503') })

  s3.setRule(() => undefined)
  expect((await putNext(client, half, bytes)).offset).toBe(bytes.length)
  expect((await download(client, half.id)).equals(bytes)).toBe(true)
})

test('the bytes of a deleted file stay listed until the bucket has deleted them', async () => {
  await using opened = await open()
  const { s3, service, client } = opened
  const { item } = await opened.send(randomBytes(100))
  await client.deleteDirectMessage({ id: item })
  s3.setRule((method) => (method === 'DELETE' ? 'breaks off' : undefined))
  await expect(deleteBlobs(service)).rejects.toMatchObject({ code: 'unavailable' })
  expect(s3.objects.size).toBe(1)
  s3.setRule(() => undefined)
  await deleteBlobs(service)
  expect(s3.objects.size).toBe(0)
})

test('parts without a row are swept from the bucket when they are an hour old', async () => {
  await using opened = await open()
  const { s3, service } = opened
  await opened.send(randomBytes(100))
  const [key, stored] = [...s3.objects][0]!
  for (const [name, at] of [
    ['old', Date.now() - 2 * 3_600_000],
    ['new', Date.now()],
  ] as const)
    s3.objects.set(key.replace(/[^/]+$/, name), { bytes: randomBytes(5), at })
  s3.objects.set(key, { ...stored, at: Date.now() - 2 * 3_600_000 })
  await sweepFiles(service)
  expect([...s3.objects.keys()].toSorted()).toEqual([key, key.replace(/[^/]+$/, 'new')].toSorted())
})

test('a backup has the files of a bucket, and a restore puts them into another one that is busy now and then', async () => {
  await using opened = await open()
  const { s3, service, toaddr } = opened
  await using folder = await newFolder('backup-s3')
  await using target = await newDatabase()
  await using other = await startS3()
  const bytes = randomBytes(filePartBytes + 5000)
  const { file } = await opened.send(bytes)
  const archive = path.join(folder.path, 'backup.zip')
  const { databaseUrl } = service
  const manifest = await backUp({
    databaseUrl,
    version: '0.0.0-test',
    to: archive,
    fileStore: openS3Store(s3.access),
    withFiles: true,
  })
  expect(manifest.files).toMatchObject({ files: 1, stored: 1, stored_size: bytes.length })
  await verify(archive)
  other.setRule((_method, _key, times) => (times === 1 ? 503 : undefined))
  const missing: string[] = []
  await restore({
    databaseUrl: target.databaseUrl,
    file: archive,
    fileStore: openS3Store(other.access),
    onMissing: (id) => missing.push(id),
  })
  expect(missing).toEqual([])
  await using restored = await startService({ beside: target, s3Url: other.access })
  expect((await download(await restored.as(toaddr), file)).equals(bytes)).toBe(true)
})
