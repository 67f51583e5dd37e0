// The bytes of pictures are in the store of files: what is there, and what is no longer.

import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { begin, deleteBlobs, putNext, storedParts, sweepFiles } from '../../../../testing/people/uploading.ts'
import { unzip } from '../../../../testing/service/files.ts'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'

const service = useService({ pictureSeconds: 20 })

const formats = ['png', 'jpeg', 'gif', 'webp', 'avif'] as const
let colour = 0
const newPicture = (format: (typeof formats)[number] = 'png') =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: { r: 200, g: 30, b: (colour += 1) } } })
    .toFormat(format)
    .toBuffer()

async function newPerson(on: Service, address = newWallet()) {
  const client = await on.as(address)
  return {
    address,
    client,
    put: (bytes: Buffer, options?: { idempotencyKey: string }) =>
      client.createImage({ body: { addr: address, base64data: bytes.toString('base64') } }, options),
    /** Returns the picture of an address, as this person reads it. */
    sees: async (addr: string) => (await client.getImage({ addr }))[0]?.base64data,
  }
}

/** What other tests have left. */
let before: string[] = []
beforeEach(async () => {
  await deleteBlobs(service)
  before = await storedParts(service)
})

/** Returns the paths of the objects that this test has stored. */
const ownParts = async () => (await storedParts(service)).filter((path) => !before.includes(path))

/** Returns the bytes of these objects, after the service has deleted what it deletes within a minute. */
async function stored(): Promise<Buffer[]> {
  await deleteBlobs(service)
  expect(await service.ctx.db.query('select 1 as one from blobs_gone')).toEqual([])
  return Promise.all((await ownParts()).map((path) => readFile(path)))
}

const age = async (paths: string[]) => {
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const path of paths) await utimes(path, old, old)
}

test('a picture is one object with its bytes; one that is replaced or deleted leaves nothing a minute later', async () => {
  const [alice, bob] = [await newPerson(service), await newPerson(service)]
  for (const format of formats)
    for (const prefix of ['', `data:image/${format};base64,`, `data:IMAGE/${format.toUpperCase()};BASE64,`]) {
      const bytes = await newPicture(format)
      const base64data = `${prefix}${bytes.toString('base64')}`
      await alice.client.createProfilePicture({ body: { addr: alice.address, base64data } })
      expect(await bob.sees(alice.address)).toBe(base64data)
      expect(await stored()).toEqual([bytes])
    }
  const other = await newPicture()
  await alice.client.updateImage({ body: { addr: alice.address, base64data: other.toString('base64') } })
  expect(await stored()).toEqual([other])
  await alice.client.deleteImage({ addr: alice.address })
  expect(await bob.sees(alice.address)).toBeUndefined()
  expect(await stored()).toEqual([])
})

test('the picture of a community is an object too; what an operator removes and what is erased leaves nothing', async () => {
  const town = newName('town')
  const [owner] = await newCommunity(service, town, 0)
  const [alice, operator] = [await newPerson(service), await newPerson(service)]
  await addOperator(service, operator.address)
  const pictures = [await newPicture(), await newPicture(), await newPicture()] as const
  await owner.client.createImage({ body: { addr: town, base64data: pictures[0].toString('base64') } })
  await owner.client.createImage({
    body: { addr: owner.address, base64data: pictures[1].toString('base64') },
  })
  await alice.put(pictures[2])
  expect(await alice.sees(town)).toBe(pictures[0].toString('base64'))
  expect(await stored()).toHaveLength(3)
  await operator.client.act({ body: { action: 'remove_picture', subject: town, reason: 'spam' } })
  expect(await alice.sees(town)).toBeUndefined()
  expect(await stored()).toHaveLength(2)
  await owner.client.eraseAccount({ address: owner.address })
  expect(await stored()).toEqual([pictures[2]])
  await operator.client.act({ body: { action: 'remove_picture', subject: alice.address, reason: 'spam' } })
  expect(await stored()).toEqual([])
})

test('of several pictures that are set at once one is there, and one object', async () => {
  const [alice, bob] = [await newPerson(service), await newPerson(service)]
  for (let round = 0; round < 5; round++) {
    const pictures = await Promise.all(Array.from({ length: 4 }, () => newPicture()))
    await Promise.all(pictures.map((picture) => alice.put(picture)))
    const [left, ...more] = await stored()
    expect(more).toEqual([])
    expect(pictures).toContainEqual(left)
    expect(await bob.sees(alice.address)).toBe(left!.toString('base64'))
    if (round % 2) await alice.client.deleteImage({ addr: alice.address })
  }
})

test('a request that stores no picture leaves no object', async () => {
  const alice = await newPerson(service)
  const [one, other] = [await newPicture(), await newPicture()]
  // Of two with one key, the second is a repetition, or refused.
  const repeated = await Promise.all([1, 2].map(() => alice.put(one, { idempotencyKey: 'same' })))
  expect(repeated[0]).toEqual(repeated[1])
  expect(await ownParts()).toHaveLength(1)
  const both = await Promise.allSettled(
    [one, other].map((picture) => alice.put(picture, { idempotencyKey: 'of-two' })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await stored()).toHaveLength(1)

  const parts = await ownParts()
  await service.ctx.db.query('alter table images rename column shown to drawn')
  await expect(alice.put(other)).rejects.toMatchObject({ code: 'internal' })
  await expect(
    alice.client.updateImage({ body: { addr: alice.address, base64data: other.toString('base64') } }),
  ).rejects.toMatchObject({ code: 'internal' })
  await service.ctx.db.query('alter table images rename column drawn to shown')
  expect(await ownParts()).toEqual(parts)
})

test('a picture of a wallet that is muted unseen is no object, and it alone reads it, as it was sent', async () => {
  const [alice, bob, operator] = [
    await newPerson(service),
    await newPerson(service),
    await newPerson(service),
  ]
  await addOperator(service, operator.address)
  const [shown, unseen] = [await newPicture(), await newPicture('avif')]
  await alice.put(shown)
  await operator.client.act({ body: { action: 'shadow_mute', subject: alice.address, reason: 'spam' } })
  await service.ctx.standing.refresh()
  await alice.put(unseen)
  expect(await alice.sees(alice.address)).toBe(unseen.toString('base64'))
  expect(await bob.sees(alice.address)).toBe(shown.toString('base64'))
  expect(await stored()).toEqual([shown])
})

test('the clean-up keeps pictures where there is no file, and deletes what a killed process has left', async () => {
  const [alice, bob] = [await newPerson(service), await newPerson(service)]
  const picture = await newPicture()
  await alice.put(picture)
  const [path] = await ownParts()
  const folder = join(service.ctx.config.dataDir, 'files', 'AA', 'A'.repeat(23))
  await mkdir(folder, { recursive: true })
  const left = [join(folder, 'none'), `${path}-other`]
  for (const one of left) await writeFile(one, 'left')
  await age([path!, ...left])
  const written = join(folder, 'being-written')
  await writeFile(written, 'now')
  await sweepFiles(service)
  expect((await ownParts()).toSorted()).toEqual([path!, written].toSorted())
  expect(await bob.sees(alice.address)).toBe(picture.toString('base64'))
})

test('where its object is missing, readers get what the service has drawn, and the log says so once, without the wallet', async () => {
  let log = ''
  await using own = await startService({
    beside: service,
    logLevel: 'info',
    logTo: { write: (line) => void (log += line) },
  })
  const [alice, bob] = [await newPerson(own), await newPerson(own)]
  await alice.put(await newPicture())
  const [shown] = await bob.client.getPicture({ addr: alice.address })
  for (const path of await storedParts(own)) await rm(path)
  for (let n = 0; n < 3; n++) expect(await bob.client.getImage({ addr: alice.address })).toEqual([shown])
  expect(await bob.client.getPicture({ addr: alice.address })).toEqual([shown])
  expect(log.match(/picture of a wallet or community are missing/g)).toHaveLength(1)
  expect(log).not.toContain(alice.address.slice(2))
  const archive = await alice.client.exportAccount({ address: alice.address })
  const files = await unzip(Buffer.from(await new Response(archive).arrayBuffer()))
  expect(files.get('picture.webp')!.toString('base64')).toBe(shown!.base64data.split(',')[1])
  const next = await newPicture()
  await alice.put(next)
  expect(await bob.sees(alice.address)).toBe(next.toString('base64'))
})

test('a picture that another one replaces while it is read is answered as the other one', async () => {
  const [alice, bob] = [await newPerson(service), await newPerson(service)]
  const next = await newPicture()
  await alice.put(await newPicture())
  const { fileStore } = service.ctx
  const { read } = fileStore
  fileStore.read = (...args) => {
    fileStore.read = read
    async function* bytes() {
      await alice.put(next)
      await deleteBlobs(service)
      yield* read(...args)
    }
    return Readable.from(bytes(), { objectMode: false })
  }
  expect(await bob.sees(alice.address)).toBe(next.toString('base64'))
})

test('a disk without room, and one that fails, refuse a picture as they refuse a file', async () => {
  for (const [fails, code] of [
    [false, 'unavailable'],
    [true, 'internal'],
  ] as const) {
    await using own = await startService({ beside: service, ...(!fails && { diskReserve: 1e9 }) })
    const alice = await newPerson(own)
    await mkdir(own.ctx.config.dataDir, { recursive: true })
    if (fails) await writeFile(join(own.ctx.config.dataDir, 'files'), 'no folder')
    const bytes = new Uint8Array(await newPicture())
    const ofFile = async () =>
      putNext(alice.client, await begin(alice.client, { toaddr: newWallet() }, bytes), bytes)
    const refusals = await Promise.all(
      [ofFile(), alice.put(Buffer.from(bytes))].map((request) =>
        request.then(
          () => 'none',
          ({ code: is, message }: { code: string; message: string }) => [is, message],
        ),
      ),
    )
    expect(refusals[0]).toEqual([code, expect.any(String)])
    expect(refusals[1]).toEqual(refusals[0])
    expect(await alice.sees(alice.address)).toBeUndefined()
  }
})
