import { randomBytes } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
import { newName, newWallet, type Service, startService } from '../../../../testing/service/service.ts'

const bytes = randomBytes(3000)

async function pair(service: Service) {
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

/** Nothing of any file is left: no row, and no bytes. */
async function expectNothing(service: Service) {
  await deleteBlobs(service)
  expect(await storedParts(service)).toEqual([])
  for (const table of ['files', 'blobs_gone'])
    expect(await service.ctx.db.query(`select 1 as one from ${table}`), table).toEqual([])
  await sweepFiles(service)
  expect(await service.ctx.db.query('select 1 as one from wallet_files')).toEqual([])
}

test('what deletes a message for both ends deletes its files', async () => {
  await using service = await startService()
  const [alice, bob] = await pair(service)
  const [one, two, three] = [await alice.sendFile(), await alice.sendFile(), await bob.sendFile()]
  await alice.client.deleteDirectMessage({ id: one.id })
  expect([await alice.reads(one.file), await bob.reads(one.file), await bob.reads(two.file)]).toEqual([
    'not_found',
    'not_found',
    true,
  ])
  await deleteBlobs(service)
  expect(await storedParts(service)).toHaveLength(2)
  await bob.client.deleteConversation({ fromaddr: alice.address, toaddr: bob.address })
  expect(await bob.reads(three.file)).toBe('not_found')
  await expectNothing(service)
})

test('a message that one end deletes for itself has its files for the other end, until that deletes it too', async () => {
  await using service = await startService()
  const [alice, bob] = await pair(service)
  const [one, two] = [await alice.sendFile(), await alice.sendFile()]
  await alice.client.hideMessage({ id: one.id })
  await bob.client.hideConversation({ toaddr: alice.address })
  expect([await alice.reads(one.file), await bob.reads(one.file)]).toEqual(['not_found', 'not_found'])
  expect([await alice.reads(two.file), await bob.reads(two.file)]).toEqual([true, 'not_found'])
  await deleteBlobs(service)
  expect(await storedParts(service)).toHaveLength(1)
  await alice.client.hideConversation({ toaddr: bob.address })
  await expectNothing(service)
})

test('after both ends have erased their accounts nothing is left, nor of files that were never sent', async () => {
  await using service = await startService()
  const [alice, bob] = await pair(service)
  await alice.sendFile()
  const { file } = await bob.sendFile()
  await upload(alice.client, { toaddr: bob.address }, bytes)
  await begin(bob.client, { toaddr: alice.address }, bytes)
  await alice.client.eraseAccount({ address: alice.address })
  expect(await bob.reads(file)).toBe(true)
  await deleteBlobs(service)
  expect(await storedParts(service)).toHaveLength(2)
  await bob.client.eraseAccount({ address: bob.address })
  await expectNothing(service)
})

test('retention deletes files of conversations and of chats', async () => {
  await using service = await startService()
  const [alice] = await pair(service)
  await alice.sendFile()
  const town = newName('town')
  const [owner] = await newCommunity(service, town, 0)
  const { id } = await upload(owner.client, { nftaddr: town }, bytes)
  await owner.client.postGroupMessage({
    body: { fromaddr: owner.address, nftaddr: town, message: 'look', files: [id] },
  })
  await new Promise((resolve) => setTimeout(resolve, 3))
  await expireBefore(service, Date.now())
  await expectNothing(service)
})

test('files of a held message stay until the hold ends, and nobody reads them', async () => {
  await using service = await startService()
  const [alice, bob] = await pair(service)
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
  expect(await storedParts(service)).toHaveLength(2)
  await asOperator.act({ body: { action: 'release', subject: alice.address, reason: 'over' } })
  await forgetReleased(service)
  await expectNothing(service)
})

test('a file that no message has is deleted after a day, and what a killed process left an hour later', async () => {
  await using service = await startService()
  const [alice, bob] = await pair(service)
  const sent = await alice.sendFile()
  const loose = await upload(alice.client, { toaddr: bob.address }, bytes)
  const kept = await storedParts(service)
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
  expect((await storedParts(service)).toSorted()).toEqual([...kept, left[2]!].toSorted())
  expect(await alice.reads(loose.id)).toBe(true)
  await sweepFiles(service, 25)
  expect([await alice.reads(loose.id), await bob.reads(sent.file)]).toEqual(['not_found', true])
})

test('a task that is killed between bytes and rows goes on the next time', async () => {
  await using service = await startService()
  const [alice] = await pair(service)
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
  expect(await storedParts(service)).toEqual([])
  await expectNothing(service)
})

test('a store is not emptied by a service whose database knows no file', async () => {
  await using service = await startService()
  await using other = await startService({ dataDir: service.ctx.config.dataDir })
  const [alice] = await pair(service)
  const { file } = await alice.sendFile()
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const path of await storedParts(service)) await utimes(path, old, old)
  await sweepFiles(other, 48)
  expect(await alice.reads(file)).toBe(true)
})
