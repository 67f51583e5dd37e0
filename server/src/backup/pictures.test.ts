import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startS3 } from '../../../testing/outside/s3.ts'
import { newCommunity } from '../../../testing/people/chat-members.ts'
import { deleteBlobs, sha256, storedParts } from '../../../testing/people/uploading.ts'
import { newDatabase } from '../../../testing/service/database.ts'
import { newFolder, unzip } from '../../../testing/service/files.ts'
import { newName, newWallet, startService } from '../../../testing/service/service.ts'
import { openDiskStore } from '../files/disk.ts'
import { openS3Store } from '../files/s3.ts'
import type { FileStore } from '../files/store.ts'
import { backUp } from './backup.ts'
import { restore, verify } from './restore.ts'

const noise = () => sharp(randomBytes(60 ** 2 * 3), { raw: { width: 60, height: 60, channels: 3 } })

/** A service with the pictures of a wallet and of a community, and a place to restore a backup of it. */
async function setUp() {
  const stack = new AsyncDisposableStack()
  const service = stack.use(await startService())
  const folder = stack.use(await newFolder('pictures'))
  const target = stack.use(await newDatabase())
  const town = newName('town')
  const [alice] = await newCommunity(service, town, 0)
  const bytes = [await noise().png().toBuffer(), await noise().webp().toBuffer()] as const
  const sent = [bytes[0].toString('base64'), `data:image/webp;base64,${bytes[1].toString('base64')}`] as const
  const owners = [alice.address, town] as const
  for (const [n, addr] of owners.entries())
    await alice.client.createImage({ body: { addr, base64data: sent[n]! } })
  const file = path.join(folder.path, 'backup.zip')
  const dataDir = path.join(folder.path, 'data')
  return {
    service,
    alice,
    bytes,
    sent,
    file,
    backUp: (fileStore: FileStore = service.ctx.fileStore) =>
      backUp({ databaseUrl: service.databaseUrl, version: '0.0.0-test', to: file, fileStore }),
    /** Restores the archive, and returns the ids of what is missing. */
    async restore(fileStore: FileStore = openDiskStore({ dataDir, diskReserve: undefined })) {
      const missing: string[] = []
      const onMissing = (id: string) => void missing.push(id)
      await restore({ databaseUrl: target.databaseUrl, file, fileStore, onMissing })
      return missing
    },
    /** Returns the pictures of some addresses, of a service on what was restored. */
    async seen(settings: Parameters<typeof startService>[0] = { dataDir }) {
      await using restored = await startService({ beside: target, ...settings })
      const reader = await restored.as(newWallet())
      return await Promise.all(owners.map(async (addr) => (await reader.getImage({ addr }))[0]!.base64data))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('pictures are in every archive, and are back after a restore as they were sent', async () => {
  await using t = await setUp()
  const manifest = await t.backUp()
  const size = t.bytes[0].length + t.bytes[1].length
  expect(manifest.pictures).toMatchObject({ files: 2, size, wanted: true, stored: 2, stored_size: size })
  const entries = await unzip(await readFile(t.file))
  const inArchive = [...entries].filter(([name]) => name.startsWith('pictures/'))
  expect(inArchive.map(([, bytes]) => sha256(bytes)).toSorted()).toEqual(t.bytes.map(sha256).toSorted())
  const sums = String(entries.get('SHA256SUMS')).trim().split('\n')
  expect(sums).toHaveLength(entries.size - 1)
  for (const line of sums) {
    const [sum, name] = line.split('  ')
    expect(sha256(entries.get(name!)!), name).toBe(sum)
  }
  expect(await verify(t.file)).toEqual(manifest)
  expect(await t.restore()).toEqual([])
  expect(await t.seen()).toEqual(t.sent)
})

test('a restore puts pictures into a bucket too, which is busy now and then, and a backup reads them there', async () => {
  await using t = await setUp()
  await using s3 = await startS3()
  await t.backUp()
  s3.setRule((_method, _key, times) => (times === 1 ? 503 : undefined))
  expect(await t.restore(openS3Store(s3.access))).toEqual([])
  expect(s3.objects.size).toBe(2)
  expect(await t.seen({ s3Url: s3.access })).toEqual(t.sent)
  await rm(t.file)
  expect((await t.backUp(openS3Store(s3.access))).pictures).toMatchObject({ files: 2, stored: 2 })
})

test('a picture whose bytes are missing or damaged is listed as such, and readers get what is drawn of it', async () => {
  await using t = await setUp()
  const parts = await storedParts(t.service)
  const stored = await Promise.all(parts.map((part) => readFile(part)))
  const ofAlice = parts[stored.findIndex((bytes) => bytes.equals(t.bytes[0]))]!
  await writeFile(ofAlice, randomBytes(t.bytes[0].length))
  expect((await t.backUp()).pictures).toMatchObject({ files: 2, stored: 1 })
  await verify(t.file)
  await rm(t.file)
  await rm(ofAlice)
  expect((await t.backUp()).pictures).toMatchObject({ files: 2, stored: 1, stored_size: t.bytes[1].length })
  expect(await t.restore()).toEqual([path.basename(path.dirname(ofAlice))])
  expect(await t.seen()).toEqual([expect.stringMatching(/^data:image\/webp;base64,/), t.sent[1]])
})

test('an archive with another byte in a picture is refused', async () => {
  await using t = await setUp()
  await t.backUp()
  const whole = await readFile(t.file)
  const other = Buffer.from(whole)
  other[whole.indexOf(t.bytes[1]) + t.bytes[1].length - 5]! ^= 1
  await writeFile(t.file, other)
  await expect(verify(t.file)).rejects.toThrow(/is damaged/)
  await expect(t.restore()).rejects.toThrow(/is damaged/)
  await writeFile(t.file, whole)
  expect(await t.restore()).toEqual([])
  expect(await t.seen()).toEqual(t.sent)
})

test('a picture that is replaced while a backup reads it fails no backup', async () => {
  await using t = await setUp()
  const { fileStore } = t.service.ctx
  let isReplaced = false
  const sizeOf: FileStore['sizeOf'] = async (id, part) => {
    if (!isReplaced) {
      isReplaced = true
      const base64data = (await noise().png().toBuffer()).toString('base64')
      await t.alice.client.createImage({ body: { addr: t.alice.address, base64data } })
      await deleteBlobs(t.service)
    }
    return fileStore.sizeOf(id, part)
  }
  expect((await t.backUp({ ...fileStore, sizeOf })).pictures).toMatchObject({ files: 2, stored: 1 })
  await verify(t.file)
  expect(await t.restore()).toHaveLength(1)
})
