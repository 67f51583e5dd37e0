import { randomBytes } from 'node:crypto'
import { cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../testing/people/chat-members.ts'
import { download, sha256 as hashOf, storedParts, upload } from '../../../testing/people/uploading.ts'
import { newDatabase } from '../../../testing/service/database.ts'
import { newFolder, unzip } from '../../../testing/service/files.ts'
import { newName, type Service, startService } from '../../../testing/service/service.ts'
import { openDiskStore } from '../files/disk.ts'
import { backUp } from './backup.ts'
import { restore, verify } from './restore.ts'

/** The first one has two parts. */
const contents = [randomBytes(5 * 2 ** 20), randomBytes(3000)] as const
const hashes = contents.map(hashOf)
const size = contents[0].length + contents[1].length

/** Sends one file, posts another, and leaves a third one that no message has. */
async function withFiles(service: Service) {
  const nftaddr = newName('town')
  const [alice, bob] = await newCommunity(service, nftaddr, 1)
  const sent = await upload(alice.client, { toaddr: bob.address }, contents[0], 1_500_000)
  const posted = await upload(alice.client, { nftaddr }, contents[1])
  await upload(alice.client, { nftaddr }, randomBytes(10))
  const message = { fromaddr: alice.address, message: 'look' }
  await alice.client.sendDirectMessage({ body: { ...message, toaddr: bob.address, files: [sent.id] } })
  await alice.client.postGroupMessage({ body: { ...message, nftaddr, files: [posted.id] } })
  return { bob: bob.address, ids: [sent.id, posted.id] as const }
}

/** A service with files, a folder for archives, and a place to restore them. */
async function setUp() {
  const stack = new AsyncDisposableStack()
  const service = stack.use(await startService())
  const folder = stack.use(await newFolder('backup'))
  const target = stack.use(await newDatabase())
  const { ids, bob } = await withFiles(service)
  const file = path.join(folder.path, 'backup.zip')
  const dataDir = path.join(folder.path, 'data')
  const store = (of: string) => openDiskStore({ dataDir: of, diskReserve: undefined })
  return {
    service,
    ids,
    file,
    dataDir,
    database: target,
    backUp: (fileStore = store(service.ctx.config.dataDir)) =>
      backUp({
        databaseUrl: service.databaseUrl,
        version: '0.0.0-test',
        to: file,
        fileStore,
        withFiles: true,
      }),
    backUpWithout: () =>
      backUp({
        databaseUrl: service.databaseUrl,
        version: '0.0.0-test',
        to: file,
        fileStore: service.ctx.fileStore,
      }),
    /** Restores the archive, and returns the ids of the files that are missing. */
    async restore() {
      const missing: string[] = []
      const onMissing = (id: string) => void missing.push(id)
      await restore({ databaseUrl: target.databaseUrl, file, fileStore: store(dataDir), onMissing })
      return missing.toSorted()
    },
    /** Reads the files as a recipient does, of a service on what was restored. */
    async read() {
      await using restored = await startService({ beside: target, dataDir })
      const client = await restored.as(bob)
      return await Promise.all(
        ids.map((id) => download(client, id).then(hashOf, ({ code }: { code: string }) => code)),
      )
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('files are in an archive where the operator wants that, and are back after a restore', async () => {
  await using t = await setUp()
  const manifest = await t.backUp()
  expect(manifest.files).toMatchObject({ files: 2, size, stored: 2, stored_size: size })
  const entries = await unzip(await readFile(t.file))
  expect(t.ids.map((id) => hashOf(entries.get(`files/${id}`)!))).toEqual(hashes)
  const sums = String(entries.get('SHA256SUMS')).trim().split('\n')
  expect(sums).toHaveLength(entries.size - 1)
  for (const line of sums) {
    const [sum, name] = line.split('  ')
    expect(hashOf(entries.get(name!)!), name).toBe(sum)
  }
  expect(await verify(t.file)).toEqual(manifest)
  expect(await t.restore()).toEqual([])
  expect(await t.read()).toEqual(hashes)
})

test('without them an archive lists their ids, and a restore says which are missing until their copy is back', async () => {
  await using t = await setUp()
  const manifest = await t.backUpWithout()
  expect(manifest.files).toMatchObject({ files: 2, size, stored: 0, stored_size: 0 })
  const entries = await unzip(await readFile(t.file))
  expect([...entries.keys()].filter((name) => name.startsWith('files/'))).toEqual([])
  const lines = String(entries.get('files.jsonl')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining(t.ids.map((id) => expect.objectContaining({ id, stored: false }))),
  )
  expect(lines).toHaveLength(2)
  expect(await t.restore()).toEqual(t.ids.toSorted())
  expect(await t.read()).toEqual(['not_found', 'not_found'])
  await cp(path.join(t.service.ctx.config.dataDir, 'files'), path.join(t.dataDir, 'files'), {
    recursive: true,
  })
  expect(await t.read()).toEqual(hashes)
})

test('files whose copy is there before the restore are not missing', async () => {
  await using t = await setUp()
  await t.backUpWithout()
  await cp(path.join(t.service.ctx.config.dataDir, 'files'), path.join(t.dataDir, 'files'), {
    recursive: true,
  })
  expect(await t.restore()).toEqual([])
})

test('an archive that is cut, or that has another byte in a file, is refused; the whole one is restored afterwards', async () => {
  await using t = await setUp()
  await t.backUp()
  const whole = await readFile(t.file)
  const { size: length } = await stat(t.file)
  const refused = async () => {
    await expect(verify(t.file)).rejects.toThrow(/is damaged/)
    await expect(t.restore()).rejects.toThrow(/is damaged/)
  }
  for (const at of [100, length / 2, length - 1000]) {
    await truncate(t.file, Math.floor(at))
    await refused()
    await writeFile(t.file, whole)
  }
  for (const content of contents) {
    const other = Buffer.from(whole)
    other[whole.indexOf(content.subarray(0, 100)) + content.length - 5]! ^= 1
    await writeFile(t.file, other)
    await refused()
  }
  await writeFile(t.file, whole)
  expect(await t.restore()).toEqual([])
  expect(await t.read()).toEqual(hashes)
})

test('a file whose bytes are missing or damaged is listed as such, and the others are in the archive', async () => {
  await using t = await setUp()
  const parts = await storedParts(t.service)
  const of = (id: string) => parts.filter((part) => part.includes(id))
  await writeFile(of(t.ids[0])[0]!, randomBytes(1_500_000))
  expect((await t.backUp()).files).toMatchObject({ files: 2, stored: 1, stored_size: 3000 })
  const lines = String((await unzip(await readFile(t.file))).get('files.jsonl'))
    .trim()
    .split('\n')
  const stored = lines.map((line) => JSON.parse(line) as { id: string; stored: boolean })
  expect(stored).toContainEqual(expect.objectContaining({ id: t.ids[0], stored: false }))
  await verify(t.file)
  await rm(t.file)
  await rm(of(t.ids[0])[1]!)
  expect((await t.backUp()).files).toMatchObject({ files: 2, stored: 1, stored_size: 3000 })
  expect(await t.restore()).toEqual([t.ids[0]])
  expect(await t.read()).toEqual(['not_found', hashes[1]])
})

test('a file that is deleted while it is read fails no backup', async () => {
  await using t = await setUp()
  const store = openDiskStore({ dataDir: t.service.ctx.config.dataDir, diskReserve: undefined })
  const read: typeof store.read = (id, part, start, end) => {
    const bytes = store.read(id, part, start, end)
    if (id !== t.ids[0]) return bytes
    bytes.destroy(Object.assign(new Error('gone'), { code: 'ENOENT' }))
    return bytes
  }
  expect((await t.backUp({ ...store, read })).files).toMatchObject({ files: 2, stored: 1 })
  expect(await t.restore()).toEqual([t.ids[0]])
})
