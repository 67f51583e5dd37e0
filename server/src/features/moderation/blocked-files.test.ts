import { randomBytes } from 'node:crypto'
import { filePartBytes } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { report } from '../../../../testing/people/report-people.ts'
import {
  begin,
  deleteBlobs,
  download,
  putNext,
  sha256,
  storedParts,
  sweepFiles,
  upload,
} from '../../../../testing/people/uploading.ts'
import { newName, newWallet, startService, useService } from '../../../../testing/service/service.ts'
import { check } from '../../check/check.ts'
import { changeBlockedFiles } from './commands.ts'

const shared = useService()

async function open(service = shared) {
  const nftaddr = newName('town')
  const [alice, bob] = await newCommunity(service, nftaddr, 1)
  const address = newWallet()
  await addOperator(service, address)
  const operator = { address, client: await service.as(address) }
  const { db } = service.ctx
  return {
    service,
    alice,
    bob,
    nftaddr,
    operator,
    block: async (bytes: Uint8Array, reason = 'a test') =>
      (await operator.client.blockFile({ body: { sha256: sha256(bytes), reason } }))[0]!,
    /** Uploads and sends some bytes to bob. */
    async send(bytes: Uint8Array<ArrayBuffer>) {
      const { id } = await upload(alice.client, { toaddr: bob.address }, bytes)
      const body = { fromaddr: alice.address, toaddr: bob.address, message: 'look', files: [id] }
      const [item] = await alice.client.sendDirectMessage({ body })
      return { file: id, item: item!.id }
    },
    bytesOf: async ({ address: wallet }: { address: string }) =>
      (await db.query<{ bytes: number }>('select bytes from wallet_files where walletaddr = $1', [wallet]))[0]
        ?.bytes ?? 0,
    /** Returns the paths of the parts of some files. */
    parts: async (...files: string[]) =>
      (await storedParts(service)).filter((path) => files.some((file) => path.includes(file))),
    async faults() {
      const found: string[] = []
      await check({
        databaseUrl: service.databaseUrl,
        onFault: ({ row, wrong }) => found.push(`${row} ${wrong.join()}`),
      })
      return found
    },
  }
}

const missing = { code: 'not_found' }

test('an upload of a blocked file is refused after its last part; a sealed one and other bytes are taken', async () => {
  const t = await open()
  const { client } = t.alice
  const bytes = randomBytes(filePartBytes + 100)
  const at = { toaddr: t.bob.address }
  const begun = await begin(client, at, bytes)
  await t.block(bytes)
  // Nothing says sooner that it is blocked.
  const both = [begun, await begin(client, at, bytes)]
  for (const file of both) {
    const half = await putNext(client, file, bytes)
    expect((await client.getFileState({ file: file.id }))[0]).toEqual(half)
    await expect(putNext(client, half, bytes)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('does not take this file'),
    })
    await expect(client.getFileState({ file: file.id })).rejects.toMatchObject(missing)
  }
  await deleteBlobs(t.service)
  expect(await t.parts(...both.map(({ id }) => id))).toEqual([])
  const sealed = await upload(client, { ...at, sealed: true }, bytes)
  expect((await download(client, sealed.id)).equals(bytes)).toBe(true)
  await upload(client, at, randomBytes(100))
})

test('the files that messages have are 404 at once for everybody, their bytes go, and their messages stay', async () => {
  const t = await open()
  const { alice, bob, service, nftaddr } = t
  const bytes = randomBytes(3000)
  const { file, item } = await t.send(bytes)
  const loose = await upload(alice.client, { nftaddr }, bytes)
  const posted = await upload(alice.client, { nftaddr }, bytes)
  await alice.client.postGroupMessage({
    body: { fromaddr: alice.address, nftaddr, message: 'look', files: [posted.id] },
  })
  const other = await t.send(randomBytes(500))
  expect(await t.bytesOf(alice)).toBe(9500)

  await t.block(bytes)
  for (const id of [file, posted.id, loose.id])
    for (const { client } of [alice, bob])
      await expect(client.getFile({ file: id })).rejects.toMatchObject(missing)
  await expect(alice.client.getFileState({ file })).rejects.toMatchObject(missing)
  const [shown] = await bob.client.listConversation({ fromaddr: alice.address, toaddr: bob.address })
  expect(shown).toMatchObject({ id: item, message: 'look', files: [{ id: file, size: 3000 }] })
  await deleteBlobs(service)
  expect(await t.parts(file, loose.id, posted.id, other.file)).toHaveLength(1)
  expect(await t.bytesOf(alice)).toBe(500)
  expect(await t.faults()).toEqual([])
  expect(await download(bob.client, other.file)).toHaveLength(500)

  // Their bytes are given back once.
  await alice.client.deleteDirectMessage({ id: item })
  await deleteBlobs(service)
  await sweepFiles(service)
  expect(await t.bytesOf(alice)).toBe(500)
  expect(await t.faults()).toEqual([])
})

test('under a legal hold nobody reads a blocked file, and its bytes stay until the hold ends', async () => {
  const t = await open()
  const { alice, bob, operator, service } = t
  const bytes = randomBytes(3000)
  const act = (action: 'hold' | 'release') =>
    operator.client.act({ body: { action, subject: bob.address, reason: 'a court' } })
  const { file } = await t.send(bytes)
  await act('hold')
  await t.block(bytes)
  for (const { client } of [alice, bob]) await expect(client.getFile({ file })).rejects.toMatchObject(missing)
  await deleteBlobs(service)
  await sweepFiles(service)
  expect(await t.parts(file)).toHaveLength(1)
  expect(await t.bytesOf(alice)).toBe(3000)
  await act('release')
  await sweepFiles(service)
  expect(await t.parts(file)).toEqual([])
  expect(await t.bytesOf(alice)).toBe(0)
  expect(await t.faults()).toEqual([])
})

test('a report has the hashes of the files of a message in the clear, in its order, and operators block them', async () => {
  const t = await open()
  const { alice, bob, operator, nftaddr } = t
  const place = { toaddr: bob.address }
  const [text, picture] = [randomBytes(300), Buffer.from('GIF89a and more')]
  const files = [
    await upload(alice.client, place, text),
    await upload(alice.client, { ...place, name: 'key.gif' }, new Uint8Array(picture)),
    await upload(alice.client, { ...place, sealed: true }, randomBytes(40)),
  ].map(({ id }) => id)
  const body = { fromaddr: alice.address, message: 'look', files }
  const [sent] = await alice.client.sendDirectMessage({ body: { ...body, ...place } })
  const inChat = await upload(alice.client, { nftaddr }, text)
  const [post] = await alice.client.postGroupMessage({
    body: { ...body, nftaddr, files: [inChat.id] },
  })
  const [made] = await report(bob.client, { item_ids: [sent!.id, post!.id] })
  const [{ evidence } = { evidence: [] }] = await operator.client.getReport({ id: made!.id })
  const [id, gif] = files
  expect(evidence.map(({ clear_files: all }) => all)).toEqual([
    [
      { id, sha256: sha256(text), size: 300 },
      { id: gif, sha256: sha256(picture), name: 'key.gif', type: 'image/gif', size: picture.length },
    ],
    [{ id: inChat.id, sha256: sha256(text), size: 300 }],
  ])
  await operator.client.blockFile({
    body: { sha256: evidence[0]!.clear_files![0]!.sha256, reason: 'illegal' },
  })
  for (const file of [id!, inChat.id])
    await expect(bob.client.getFile({ file })).rejects.toMatchObject(missing)
  expect(await download(bob.client, gif!)).toEqual(picture)
})

test('blocked files are listed, unblocked and in the log; others than operators do none of that', async () => {
  const t = await open()
  const { operator, alice, service } = t
  const all = Array.from({ length: 5 }, (_, n) => randomBytes(10 + n))
  for (const [n, bytes] of all.entries()) await t.block(bytes, `reason ${n}`)
  const first = await t.block(all[0]!, 'another reason')
  expect(first).toMatchObject({ reason: 'reason 0', operator: operator.address })
  const list = await operator.client.listBlockedFiles({ query: { limit: 3 } })
  expect(list.map(({ reason }) => reason)).toEqual(['reason 4', 'reason 3', 'reason 2'])
  const rest = await operator.client.listBlockedFiles({ query: { limit: 2, before: list.at(-1)!.id } })
  expect(rest.map(({ reason }) => reason)).toEqual(['reason 1', 'reason 0'])

  await operator.client.unblockFile({ sha256: sha256(all[1]!), query: { reason: 'a mistake' } })
  await expect(operator.client.unblockFile({ sha256: sha256(all[1]!) })).rejects.toMatchObject(missing)
  await upload(alice.client, { toaddr: newWallet() }, all[1]!)
  const log = (await operator.client.listModerationLog({})).filter((one) => one.operator === operator.address)
  expect(log).toHaveLength(6)
  expect(log[0]).toMatchObject({
    action: 'unblock_file',
    operator: operator.address,
    reason: `${sha256(all[1]!)}: a mistake`,
  })
  expect(log[1]).toMatchObject({ action: 'block_file', reason: `${sha256(all[4]!)}: reason 4` })

  const body = { sha256: sha256(all[2]!), reason: 'mine' }
  for (const call of [
    () => alice.client.blockFile({ body }),
    () => alice.client.unblockFile(body),
    () => alice.client.listBlockedFiles({}),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'forbidden' })
  for (const wrong of ['', 'x'.repeat(64), body.sha256.slice(1), `${body.sha256}0`])
    await expect(operator.client.blockFile({ body: { ...body, sha256: wrong } })).rejects.toMatchObject({
      code: 'bad_request',
    })
  expect(
    (await service.ctx.db.query('select 1 as one from blocked_files where operator = $1', [operator.address]))
      .length,
  ).toBe(4)
})

test('the command blocks, lists and unblocks, and the service then deletes what it has', async () => {
  await using own = await startService()
  const t = await open(own)
  const { alice, bob, operator, service } = t
  const bytes = randomBytes(3000)
  const { file } = await t.send(bytes)
  const command = (...given: [string, string?, string?]) =>
    changeBlockedFiles(service.databaseUrl, given[0], given[1], given[2])
  await expect(command('add', sha256(bytes))).rejects.toThrow(/Say why/)
  await expect(command('add', 'abc', 'a reason')).rejects.toThrow(/64 lower-case/)
  expect((await command('list')).text).toBe('No file is blocked.')
  expect((await command('add', sha256(bytes), 'a reason')).text).toMatch(/takes this file no longer/)
  await service.runJobs()
  await expect(bob.client.getFile({ file })).rejects.toMatchObject(missing)
  expect((await command('add', sha256(bytes), 'a reason')).text).toMatch(/was blocked already/)
  expect((await command('list')).text).toMatch(
    new RegExp(`^${sha256(bytes)} since .*, by command-line: a reason$`),
  )
  const [entry] = await operator.client.listModerationLog({})
  expect(entry).toMatchObject({ action: 'block_file', operator: 'command-line' })
  expect((await command('remove', sha256(bytes))).text).toMatch(/takes this file again/)
  expect((await operator.client.listModerationLog({}))[0]).toMatchObject({
    action: 'unblock_file',
    reason: sha256(bytes),
  })
  expect((await command('remove', sha256(bytes))).text).toMatch(/was not blocked/)
  await upload(alice.client, { toaddr: bob.address }, bytes)
})
