import { randomBytes } from 'node:crypto'
import { filePartBytes } from '@parley/sdk'
import { expect, test } from 'vitest'
import { infected, startClamd } from '../../../../testing/outside/clamd.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
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
import { newWallet, startService } from '../../../../testing/service/service.ts'

async function open() {
  const stack = new AsyncDisposableStack()
  const clamd = stack.use(await startClamd())
  const service = stack.use(await startService({ clamdUrl: clamd.url }))
  const [alice, bob, operator] = [newWallet(), newWallet(), newWallet()]
  await addOperator(service, operator)
  const client = await service.as(alice)
  return {
    clamd,
    service,
    client,
    toaddr: bob,
    reader: await service.as(bob),
    operator: await service.as(operator),
    /** Uploads and sends some bytes. */
    async send(bytes: Uint8Array<ArrayBuffer>) {
      const { id } = await upload(client, { toaddr: bob }, bytes)
      await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'look', files: [id] } })
      return id
    },
    status: async () =>
      (await (await service.as(operator)).getStatus()).checks.find(({ name }) => name === 'Scanner'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const bad = () => Buffer.concat([randomBytes(filePartBytes), Buffer.from(infected), randomBytes(100)])

test('a file is scanned as a whole before it is whole; one that is infected is refused, blocked and in the log', async () => {
  await using t = await open()
  const good = randomBytes(filePartBytes + 1000)
  const sent = await t.send(good)
  expect((await download(t.reader, sent)).equals(good)).toBe(true)
  expect(t.clamd.scanned).toEqual([good.length])

  const bytes = bad()
  const half = await putNext(t.client, await begin(t.client, { toaddr: t.toaddr }, bytes), bytes)
  await expect(putNext(t.client, half, bytes)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(t.client.getFileState({ file: half.id })).rejects.toMatchObject({ code: 'not_found' })
  await deleteBlobs(t.service)
  expect(await storedParts(t.service)).toHaveLength(2)
  expect(await t.operator.listBlockedFiles({})).toMatchObject([
    { sha256: sha256(bytes), operator: 'clamd', reason: 'clamd has found Parley.Test.UNOFFICIAL' },
  ])
  expect(await t.operator.listModerationLog({})).toMatchObject([
    { action: 'block_file', operator: 'clamd', reason: expect.stringContaining('Parley.Test.UNOFFICIAL') },
  ])
  // The next upload is refused by its hash.
  await expect(upload(t.client, { toaddr: t.toaddr }, bytes)).rejects.toMatchObject({ code: 'forbidden' })
  expect(t.clamd.scanned).toHaveLength(2)
  // The service does not know what is in a sealed one.
  await upload(t.client, { toaddr: t.toaddr, sealed: true }, bytes)
  expect(t.clamd.scanned).toHaveLength(2)
})

test('while clamd is away files wait: their uploader reads them, others later, and messages are sent', async () => {
  await using t = await open()
  expect(await t.status()).toMatchObject({ state: 'ok' })
  t.clamd.setFault('breaks off')
  const [good, bytes] = [randomBytes(2000), bad()]
  const [one, two] = [await t.send(good), await t.send(bytes)]
  expect((await download(t.client, one)).equals(good)).toBe(true)
  for (const file of [one, two])
    await expect(t.reader.getFile({ file })).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 10,
      message: expect.stringContaining('being checked'),
    })
  expect(await t.status()).toMatchObject({
    state: 'down',
    detail: expect.stringContaining('does not answer'),
  })
  await t.service.runJobs()
  await expect(t.reader.getFile({ file: one })).rejects.toMatchObject({ code: 'unavailable' })

  t.clamd.setFault(undefined)
  // The jobs that have failed wait; the hour begins them again.
  await sweepFiles(t.service)
  await t.service.runJobs()
  expect((await download(t.reader, one)).equals(good)).toBe(true)
  for (const client of [t.reader, t.client])
    await expect(client.getFile({ file: two })).rejects.toMatchObject({ code: 'not_found' })
  await deleteBlobs(t.service)
  expect(await storedParts(t.service)).toHaveLength(1)
  expect(await t.operator.listModerationLog({})).toMatchObject([{ action: 'block_file', operator: 'clamd' }])
})

test('a file that waits is shown when the service has no scanner any more', async () => {
  await using t = await open()
  t.clamd.setFault('breaks off')
  const file = await t.send(randomBytes(2000))
  await using without = await startService({
    beside: t.service,
    dataDir: t.service.ctx.config.dataDir,
  })
  expect(await download(await without.as(t.toaddr), file)).toHaveLength(2000)
})
