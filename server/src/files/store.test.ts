import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { startS3 } from '../../../testing/outside/s3.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { freePort } from '../../../testing/service/ports.ts'
import { newId } from '../lib/ids.ts'
import { openDiskStore } from './disk.ts'
import { openS3Store } from './s3.ts'
import type { FileStore } from './store.ts'

const stores: Record<string, () => Promise<AsyncDisposable & { store: FileStore }>> = {
  async disk() {
    const folder = await newFolder('store')
    const store = openDiskStore({ dataDir: folder.path, diskReserve: 0 })
    return { store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
  },
  async S3() {
    const s3 = await startS3()
    return { store: openS3Store(s3.access), [Symbol.asyncDispose]: () => s3[Symbol.asyncDispose]() }
  },
}

const id = 'q1vJ3mT8cK0yWz5uXb2RsAw'
const other = 'q1vJ3mT8cK0yWz5uXb2RsBw'
const soon = () => Date.now() + 10_000
const listed = async (store: FileStore, before = soon()) =>
  (await Array.fromAsync(store.list(before))).map((one) => `${one.id}/${one.part}`).toSorted()

async function* inPieces(bytes: Buffer, size = 10_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe.each(Object.entries(stores))('the store on %s', (_name, open) => {
  test('has what was written, as a whole and in ranges', async () => {
    await using opened = await open()
    const { store } = opened
    const bytes = randomBytes(300_001)
    await store.write(id, 'one', inPieces(bytes), bytes.length)
    await store.write(id, 'two', bytes, bytes.length)
    for (const part of ['one', 'two']) {
      expect(await store.sizeOf(id, part)).toBe(bytes.length)
      expect((await buffer(store.read(id, part, 0, bytes.length))).equals(bytes)).toBe(true)
    }
    for (const [start, end] of [
      [0, 1],
      [1, 70_000],
      [299_999, 300_001],
    ] as const)
      expect((await buffer(store.read(id, 'one', start, end))).equals(bytes.subarray(start, end))).toBe(true)
    const scanned: Buffer[] = []
    await store.scan(id, 'one', (piece) => scanned.push(Buffer.from(piece)))
    expect(Buffer.concat(scanned).equals(bytes)).toBe(true)
  })

  test('says that a part is missing', async () => {
    await using opened = await open()
    const { store } = opened
    expect(await store.sizeOf(id, 'none')).toBeUndefined()
    await expect(buffer(store.read(id, 'none', 0, 1))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(store.scan(id, 'none', () => {})).rejects.toMatchObject({ code: 'ENOENT' })
    await store.deletePart(id, 'none')
    await store.delete(id)
    expect(await listed(store)).toEqual([])
  })

  test('leaves nothing of a part whose sender fails, and throws what the sender did', async () => {
    await using opened = await open()
    const { store } = opened
    const failing = async function* () {
      yield randomBytes(1000)
      throw new Error('the sender is gone')
    }
    await expect(store.write(id, 'one', failing(), 2000)).rejects.toThrow('the sender is gone')
    // All bytes were there when this one failed.
    await expect(store.write(id, 'one', failing(), 1000)).rejects.toThrow('the sender is gone')
    expect(await listed(store)).toEqual([])
    expect(await store.sizeOf(id, 'one')).toBeUndefined()
    await store.write(id, 'one', Readable.from([randomBytes(2000)]), 2000)
    expect(await store.sizeOf(id, 'one')).toBe(2000)
  })

  test('deletes a part, or a file with all of its parts, and nothing else', async () => {
    await using opened = await open()
    const { store } = opened
    const parts = Array.from({ length: 7 }, newId)
    for (const part of parts) await store.write(id, part, randomBytes(10), 10)
    await store.write(other, 'one', randomBytes(10), 10)
    await store.deletePart(id, parts[3]!)
    expect(await listed(store)).toEqual(
      [
        ...parts.filter((part) => part !== parts[3]).map((part) => `${id}/${part}`),
        `${other}/one`,
      ].toSorted(),
    )
    await store.delete(id)
    expect(await listed(store)).toEqual([`${other}/one`])
  })

  test('lists the parts that were stored before a time', async () => {
    await using opened = await open()
    const { store } = opened
    await store.write(id, 'one', randomBytes(10), 10)
    expect(await listed(store, Date.now() - 10_000)).toEqual([])
    expect(await listed(store)).toEqual([`${id}/one`])
    expect(await store.hasRoom()).toBe(true)
    expect(await store.problem()).toBeUndefined()
  })
})

describe('the store on S3', () => {
  test('reads on where a response breaks off, and asks again where the service is busy', async () => {
    await using s3 = await startS3()
    const store = openS3Store(s3.access)
    const bytes = randomBytes(200_000)
    await store.write(id, 'one', bytes, bytes.length)
    s3.setRule((method, _key, times) => (method === 'GET' && times <= 2 ? 'is cut' : undefined))
    expect((await buffer(store.read(id, 'one', 0, 200_000))).equals(bytes)).toBe(true)
    for (const fault of [503, 'breaks off'] as const) {
      s3.calls.length = 0
      s3.setRule((_method, _key, times) => (times === 1 ? fault : undefined))
      expect(await store.sizeOf(id, 'one')).toBe(200_000)
      expect(await listed(store)).toEqual([`${id}/one`])
      await store.write(id, 'two', bytes, bytes.length)
      await store.deletePart(id, 'two')
      expect(await listed(store)).toEqual([`${id}/one`])
    }
  })

  test('leaves nothing of an upload that got no answer, also where the service has stored it', async () => {
    await using s3 = await startS3()
    const store = openS3Store(s3.access)
    for (const fault of ['is lost', 'is cut', 'breaks off', 503] as const) {
      s3.setRule((method) => (method === 'PUT' ? fault : undefined))
      await expect(store.write(id, 'one', inPieces(randomBytes(50_000)), 50_000)).rejects.toMatchObject({
        code: 'unavailable',
        retryAfter: 5,
      })
      expect([...s3.objects.keys()]).toEqual([])
    }
    // A stream is sent once: nobody has its bytes any more.
    expect(s3.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(4)
  })

  test('says what is wrong with the settings, without the secret', async () => {
    await using s3 = await startS3()
    for (const [change, reason] of [
      [{ secretAccessKey: 'another-secret' }, 'SignatureDoesNotMatch'],
      [{ accessKeyId: 'another' }, 'InvalidAccessKeyId'],
      [{ region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
      [{ endpoint: s3.access.endpoint.replace('the-bucket', 'none') }, 'bucket of S3_URL does not exist'],
      [{ endpoint: `http://127.0.0.1:${await freePort()}/the-bucket` }, 'ECONNREFUSED'],
    ] as const) {
      const problem = await openS3Store({ ...s3.access, ...change }).problem()
      expect(problem).toMatch(reason)
      expect(problem).not.toMatch(/another-secret|wJalr/)
    }
  })

  test('touches no object of others in its bucket', async () => {
    await using s3 = await startS3()
    const store = openS3Store(s3.access)
    await store.write(id, 'one', randomBytes(10), 10)
    const keys = [
      `files/${id}/one`,
      `parley/other/${id}`,
      `parley/files/readme.txt`,
      `parley/files/${id}/a/b`,
    ]
    for (const key of keys) s3.objects.set(key, { bytes: randomBytes(10), at: 0 })
    expect(await listed(store)).toEqual([`${id}/one`])
  })
})
