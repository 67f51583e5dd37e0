import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { filePartBytes } from '@parley/sdk'
import { leastPartBytes } from '@parley/sdk/contract/files.ts'
import { expect, test } from 'vitest'
import {
  begin,
  deleteBlobs,
  download,
  putNext,
  sha256,
  storedParts as stored,
  upload,
} from '../../../../testing/people/uploading.ts'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import { newToken, newWallet, type Service, useService } from '../../../../testing/service/service.ts'

const service = useService()

const person = async (on: Service = service) => {
  const address = newWallet()
  return { address, client: await on.as(address), toaddr: newWallet() }
}

/** Returns the paths of the parts of a file. */
const storedOf = async (id: string) => (await stored(service)).filter((path) => path.includes(id))

test('a file comes in parts, and is then what was sent; its uploader alone reads it before it is sent', async () => {
  const { client, toaddr } = await person()
  const bytes = randomBytes(filePartBytes + 1000)
  const begun = await begin(client, { toaddr, name: 'bytes.bin' }, bytes)
  expect(begun).toMatchObject({ size: bytes.length, offset: 0, part: filePartBytes, name: 'bytes.bin' })
  await expect(client.getFile({ file: begun.id })).rejects.toMatchObject({ code: 'not_found' })
  const half = await putNext(client, begun, bytes)
  expect(half.offset).toBe(filePartBytes)
  expect((await client.getFileState({ file: begun.id }))[0]).toEqual(half)
  const whole = await putNext(client, half, bytes)
  expect(whole.offset).toBe(bytes.length)
  expect(await download(client, begun.id)).toEqual(bytes)
  for (const other of [await person(), { client: await service.as(toaddr) }]) {
    await expect(other.client.getFile({ file: begun.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(other.client.getFileState({ file: begun.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(putNext(other.client, begun, bytes)).rejects.toMatchObject({ code: 'not_found' })
    await expect(other.client.deleteFile({ file: begun.id })).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await download(client, begun.id)).toHaveLength(bytes.length)
})

test('another offset than the next one is refused with the state; what is stored stays as it is', async () => {
  const { client, toaddr } = await person()
  const bytes = randomBytes(filePartBytes + 10)
  const begun = await begin(client, { toaddr }, bytes)
  const at = (offset: number) => putNext(client, { ...begun, offset }, bytes)
  for (const offset of [1, filePartBytes, bytes.length, Number.MAX_SAFE_INTEGER])
    await expect(at(offset)).rejects.toMatchObject({ code: 'conflict', current: begun })
  for (const offset of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1])
    await expect(at(offset)).rejects.toMatchObject({ code: 'bad_request' })
  await at(0)
  await expect(at(0)).rejects.toMatchObject({
    code: 'conflict',
    message: `The next part of this file begins at the offset ${filePartBytes}.`,
  })
  await at(filePartBytes)
  await expect(at(bytes.length)).rejects.toMatchObject({
    message: 'All bytes of this file are stored already.',
  })
  expect(await download(client, begun.id)).toEqual(bytes)
})

test('parts may be smaller, to a limit, so that a file has a few hundred at most; ranges lie across them', async () => {
  const { client, toaddr } = await person()
  const bytes = randomBytes(400_000)
  const begun = await begin(client, { toaddr }, bytes)
  expect(begun.least_part).toBe(64 * 1024)
  const put = (offset: number, end: number) =>
    client.putFilePart({ file: begun.id, query: { offset }, body: bytes.subarray(offset, end) })
  await expect(put(0, 64 * 1024 - 1)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('must have at least 65536 bytes in this part: it has 65535'),
  })
  await expect(put(0, 0)).rejects.toMatchObject({ code: 'bad_request' })
  let offset = 0
  for (const end of [64 * 1024, 64 * 1024 + 100_000, 399_999]) {
    const [state] = await put(offset, end)
    expect(state!.offset).toBe(end)
    offset = end
  }
  // All that are left may be one.
  expect((await put(offset, 400_000))[0]!.offset).toBe(400_000)
  expect(await download(client, begun.id)).toEqual(bytes)
  for (const [from, to] of [
    [0, 0],
    [65_535, 65_536],
    [60_000, 399_999],
    [165_536, 165_536],
  ] as const) {
    const headers = { range: `bytes=${from}-${to}` }
    const part = await client.getFile({ file: begun.id }, { headers })
    expect(Buffer.from(await new Response(part).arrayBuffer())).toEqual(bytes.subarray(from, to + 1))
  }
  // Larger files have larger parts.
  expect(leastPartBytes(100 * 2 ** 20)).toBe(256 * 1024)
  expect(leastPartBytes(2 ** 40)).toBe(filePartBytes)
})

test('of parallel parts at one offset one counts, and no bytes of the others are left', async () => {
  const { client, toaddr } = await person()
  const bytes = randomBytes(100_000)
  const begun = await begin(client, { toaddr }, bytes)
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => putNext(client, begun, bytes)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  expect(await download(client, begun.id)).toEqual(bytes)
  expect(await storedOf(begun.id)).toHaveLength(1)
})

test('a part of another length, an empty one, and one that breaks off are refused, and leave nothing', async () => {
  const { address, client, toaddr } = await person()
  const bytes = randomBytes(1000)
  const { id } = await begin(client, { toaddr }, bytes)
  const put = (body: Uint8Array<ArrayBuffer>) => client.putFilePart({ file: id, query: { offset: 0 }, body })
  await expect(put(bytes.subarray(1))).rejects.toMatchObject({ code: 'bad_request' })
  await expect(put(new Uint8Array())).rejects.toMatchObject({ code: 'bad_request' })
  await expect(put(Buffer.concat([bytes, bytes]))).rejects.toMatchObject({ code: 'payload_too_large' })

  const url = `${await service.listen()}/v1/files/${id}?offset=0`
  const authorization = `Bearer ${await newToken(service.ctx, address)}`
  const send = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'PUT',
      body,
      duplex: 'half',
      headers: { authorization, 'content-type': 'application/octet-stream', ...headers },
    } as RequestInit)
  const chunks = (...all: Buffer[]) => new Blob(all.map((one) => new Uint8Array(one))).stream()
  // A body in chunks has no length.
  expect((await send(chunks(bytes, bytes))).status).toBe(413)
  expect((await send(chunks(bytes.subarray(1)))).status).toBe(400)
  expect((await send(bytes, { 'content-encoding': 'gzip' })).status).toBe(415)
  expect((await send(bytes, { 'content-type': 'application/json' })).status).toBe(415)
  expect((await send(bytes, { 'content-type': 'multipart/form-data' })).status).toBe(415)
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(bytes.subarray(500))),
    pull: async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      controller.error(new Error('gone'))
    },
  })
  await expect(send(broken)).rejects.toThrow()
  await expect.poll(() => storedOf(id)).toEqual([])
  expect((await client.getFileState({ file: id }))[0]!.offset).toBe(0)
  expect((await send(chunks(bytes))).status).toBe(200)
  expect(await download(client, id)).toEqual(bytes)
})

test('bytes with another hash are refused and deleted', async () => {
  const { client, toaddr } = await person()
  const bytes = randomBytes(1000)
  const [file] = await client.createFile({ body: { toaddr, size: 1000, sha256: sha256(randomBytes(8)) } })
  await expect(putNext(client, file!, bytes)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(sha256(bytes)),
  })
  await expect(client.getFileState({ file: file!.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a file needs one place, a size, a hash and a plain name', async () => {
  const { client, toaddr } = await person()
  const good = { toaddr, size: 10, sha256: sha256(Buffer.alloc(10)) }
  const refused = async (more: object, code = 'bad_request') =>
    expect(client.createFile({ body: { ...good, ...more } })).rejects.toMatchObject({ code })
  await refused({ toaddr: undefined })
  await refused({ nftaddr: newWallet() })
  for (const size of [0, -1, 0.5, '10', 2 ** 60]) await refused({ size })
  for (const hash of ['', 'a'.repeat(63), good.sha256.toUpperCase() + 'A']) await refused({ sha256: hash })
  for (const name of ['', '../x', 'a/b', 'a\\b', 'a\nb', 'a\u202egnp.exe', 'x'.repeat(256)])
    await refused({ name })
  await refused({ sealed: true, name: 'secret.txt' })
  await refused({ size: 25 * 2 ** 20 + 1 }, 'payload_too_large')
  await refused({ toaddr: undefined, nftaddr: 'nowhere' }, 'not_found')
})

const strict = useService({
  beside: service,
  rateLimits: true,
  filesADay: 3,
  filesOfWallet: 1,
})

test('a wallet has a number of files a day and bytes in all; deleted files give their bytes back', async () => {
  const { client, toaddr } = await person(strict)
  const half = randomBytes(600_000)
  const first = await upload(client, { toaddr }, half)
  await expect(begin(client, { toaddr }, half)).rejects.toMatchObject({ code: 'limit_reached' })
  await client.deleteFile({ file: first.id })
  await deleteBlobs(strict)
  await upload(client, { toaddr }, half)
  await upload(client, { toaddr }, randomBytes(1000))
  await expect(begin(client, { toaddr }, randomBytes(1000))).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('upload 3 files a day'),
  })
})

const off = useService({ beside: service, fileSize: 0 })

const full = useService({ beside: service, diskReserve: 10 ** 9, dataDir: tmpdir() })

test('a service may take no files, and takes none on a full disk', async () => {
  const { client, toaddr } = await person(off)
  await expect(begin(client, { toaddr }, randomBytes(10))).rejects.toMatchObject({ code: 'forbidden' })
  const other = await person(full)
  await expect(begin(other.client, { toaddr }, randomBytes(10))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 60,
  })
})

test('an API key looks at a file and deletes it only where it may make one', async () => {
  const [owner, friend] = [newWallet(), newWallet()]
  const client = await service.as(owner)
  const allowed = async (method: 'GET' | 'DELETE', scope: string) => {
    const { id } = await begin(client, { toaddr: friend }, randomBytes(10))
    const secret = await newApiKeyOf(service, owner, [scope])
    const url = `/v1/files/${id}${method === 'GET' ? '/state' : ''}`
    return (await service.app.inject({ method, url, headers: { authorization: `Bearer ${secret}` } }))
      .statusCode
  }
  for (const scope of ['dm:send', `dm:send:${friend}`, 'dm:begin'])
    expect([await allowed('GET', scope), await allowed('DELETE', scope)], scope).toEqual([200, 204])
  for (const scope of ['inbox:read', 'chat:post', `dm:send:${newWallet()}`])
    expect([await allowed('GET', scope), await allowed('DELETE', scope)], scope).toEqual([403, 403])
})

test('an upload whose first part is gone from the disk, as after a restore, ends with 404', async () => {
  const { client, toaddr } = await person()
  const bytes = randomBytes(filePartBytes + 10)
  const half = await putNext(client, await begin(client, { toaddr }, bytes), bytes)
  for (const part of await storedOf(half.id)) await rm(part)
  await expect(putNext(client, half, bytes)).rejects.toMatchObject({ code: 'not_found' })
})
