import { randomBytes } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import {
  begin,
  deleteBlobs,
  download,
  storedParts,
  sweepFiles,
  upload,
} from '../../../../testing/people/uploading.ts'
import { expireBefore, forgetReleased } from '../../../../testing/service/written-directly.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

const bytes = randomBytes(3000)

async function pair() {
  const [a, b] = [newWallet(), newWallet()]
  const people = await Promise.all(
    [
      [a, b],
      [b, a],
    ].map(async ([address, peer]) => {
      const client = await service.as(address!)
      return {
        address: address!,
        client,
        async sendFile() {
          const { id } = await upload(client, { toaddr: peer!, name: 'x' }, bytes)
          const body = { fromaddr: address!, toaddr: peer!, message: 'look', files: [id] }
          return { file: id, id: (await client.sendDirectMessage({ body }))[0]!.id }
        },
        reads: (file: string) =>
          download(client, file).then(
            (read) => read.equals(bytes),
            ({ code }: { code: string }) => code,
          ),
      }
    }),
  )
  return [people[0]!, people[1]!] as const
}

/** What other tests have left. */
let before: string[] = []
beforeEach(async () => {
  await deleteBlobs(service)
  await sweepFiles(service)
  before = [...(await storedParts(service)), ...(await rowsOf('files', 'wallet_files'))]
})

async function rowsOf(...tables: string[]): Promise<string[]> {
  const rows = tables.map((table) =>
    service.ctx.db.query<{ row: string }>(`select '${table} ' || r::text as row from ${table} r`),
  )
  return (await Promise.all(rows)).flat().map(({ row }) => row)
}

const ofThisTest = (all: string[]) => all.filter((one) => !before.includes(one))

/** Returns the paths of the parts that this test has stored. */
const ownParts = async () => ofThisTest(await storedParts(service))

/** Nothing of any file of this test is left: no row, and no bytes. */
async function expectNothing() {
  await deleteBlobs(service)
  expect(await ownParts()).toEqual([])
  expect(ofThisTest(await rowsOf('files', 'blobs_gone'))).toEqual([])
  await sweepFiles(service)
  expect(ofThisTest(await rowsOf('wallet_files'))).toEqual([])
}

test('what deletes a message for both ends deletes its files', async () => {
  const [alice, bob] = await pair()
  const [one, two, three] = [await alice.sendFile(), await alice.sendFile(), await bob.sendFile()]
  await alice.client.deleteDirectMessage({ id: one.id })
  expect([await alice.reads(one.file), await bob.reads(one.file), await bob.reads(two.file)]).toEqual([
    'not_found',
    'not_found',
    true,
  ])
  await deleteBlobs(service)
  expect(await ownParts()).toHaveLength(2)
  await bob.client.deleteConversation({ fromaddr: alice.address, toaddr: bob.address })
  expect(await bob.reads(three.file)).toBe('not_found')
  await expectNothing()
})

test('a message that one end deletes for itself has its files for the other end, until that deletes it too', async () => {
  const [alice, bob] = await pair()
  const [one, two] = [await alice.sendFile(), await alice.sendFile()]
  await alice.client.hideMessage({ id: one.id })
  await bob.client.hideConversation({ toaddr: alice.address })
  expect([await alice.reads(one.file), await bob.reads(one.file)]).toEqual(['not_found', 'not_found'])
  expect([await alice.reads(two.file), await bob.reads(two.file)]).toEqual([true, 'not_found'])
  await deleteBlobs(service)
  expect(await ownParts()).toHaveLength(1)
  await alice.client.hideConversation({ toaddr: bob.address })
  await expectNothing()
})

test('after both ends have erased their accounts nothing is left, nor of files that were never sent', async () => {
  const [alice, bob] = await pair()
  await alice.sendFile()
  const { file } = await bob.sendFile()
  await upload(alice.client, { toaddr: bob.address }, bytes)
  await begin(bob.client, { toaddr: alice.address }, bytes)
  await alice.client.eraseAccount({ address: alice.address })
  expect(await bob.reads(file)).toBe(true)
  await deleteBlobs(service)
  expect(await ownParts()).toHaveLength(2)
  await bob.client.eraseAccount({ address: bob.address })
  await expectNothing()
})

test('retention deletes files of conversations and of chats', async () => {
  const [alice] = await pair()
  await alice.sendFile()
  const town = newName('town')
  const [owner] = await newCommunity(service, town, 0)
  const { id } = await upload(owner.client, { nftaddr: town }, bytes)
  await owner.client.postGroupMessage({
    body: { fromaddr: owner.address, nftaddr: town, message: 'look', files: [id] },
  })
  await new Promise((resolve) => setTimeout(resolve, 3))
  await expireBefore(service, Date.now())
  await expectNothing()
})

test('files of a held message stay until the hold ends, and nobody reads them', async () => {
  const [alice, bob] = await pair()
  const operator = newWallet()
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  await asOperator.act({ body: { action: 'hold', subject: alice.address, reason: 'legal' } })
  const [one, two] = [await alice.sendFile(), await bob.sendFile()]
  await bob.client.hideConversation({ toaddr: alice.address })
  await alice.client.deleteDirectMessage({ id: one.id })
  await alice.client.deleteConversation({ fromaddr: alice.address, toaddr: bob.address })
  await deleteBlobs(service)
  for (const { file } of [one, two])
    expect([await alice.reads(file), await bob.reads(file)]).toEqual(['not_found', 'not_found'])
  expect(await ownParts()).toHaveLength(2)
  await asOperator.act({ body: { action: 'release', subject: alice.address, reason: 'over' } })
  await forgetReleased(service)
  await expectNothing()
})

test('a file that no message has is deleted after a day, and what a killed process left an hour later', async () => {
  const [alice, bob] = await pair()
  const sent = await alice.sendFile()
  const loose = await upload(alice.client, { toaddr: bob.address }, bytes)
  const kept = await ownParts()
  const folder = join(service.ctx.config.dataDir, 'files', 'AA', 'A'.repeat(23))
  await mkdir(folder, { recursive: true })
  const left = [join(folder, 'none'), `${kept[0]}-other`, `${kept[0]}-new`]
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const path of [...left.slice(0, 2), ...kept]) {
    if (left.includes(path)) await writeFile(path, 'left')
    await utimes(path, old, old)
  }
  await writeFile(left[2]!, 'being written')
  await sweepFiles(service, 23)
  expect((await ownParts()).toSorted()).toEqual([...kept, left[2]!].toSorted())
  expect(await alice.reads(loose.id)).toBe(true)
  await sweepFiles(service, 25)
  expect([await alice.reads(loose.id), await bob.reads(sent.file)]).toEqual(['not_found', true])
})

test('a task that is killed between bytes and rows goes on the next time', async () => {
  const [alice] = await pair()
  const { id } = await alice.sendFile()
  await alice.client.deleteDirectMessage({ id })
  const { db } = service.ctx
  const killed = {
    ...db,
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      if (sql.startsWith('delete from blobs_gone')) throw new Error('killed')
      return db.query<Row>(sql, values)
    },
  }
  await expect(deleteBlobs({ ...service, ctx: { ...service.ctx, db: killed } })).rejects.toThrow('killed')
  expect(await ownParts()).toEqual([])
  await expectNothing()
})

const forgetful = useService(() => ({ dataDir: service.ctx.config.dataDir }))

test('a store is not emptied by a service whose database knows no file', async () => {
  const [alice] = await pair()
  const { file } = await alice.sendFile()
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const path of await ownParts()) await utimes(path, old, old)
  await sweepFiles(forgetful, 48)
  expect(await alice.reads(file)).toBe(true)
})
