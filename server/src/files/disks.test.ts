import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addOperator } from '../../../testing/people/moderators.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { newWallet, startService } from '../../../testing/service/service.ts'
import { watchStore } from '../features/files/watch-store.ts'

test('hosts with a disk of their own are named in the log and in the status; with one disk nothing is said', async () => {
  await using one = await newFolder('disk-one')
  await using two = await newFolder('disk-two')
  await using service = await startService()
  const operator = newWallet()
  await addOperator(service, operator)
  const client = await service.as(operator)
  const warnings: string[] = []
  const log = { warn: (text: string) => warnings.push(text) }
  const start = async (dataDir: string, more: object = {}) => {
    const config = { ...service.ctx.config, databaseUrl: service.databaseUrl, dataDir, ...more }
    await watchStore({ ...service.ctx, config, log } as never)[Symbol.asyncDispose]()
  }
  const status = async () => (await client.getStatus()).checks.find(({ name }) => name === 'Files')
  // Several processes and hosts of one disk.
  await Promise.all([start(one.path), start(one.path), start(one.path)])
  await start(one.path)
  expect(warnings).toEqual([])
  expect(await status()).toEqual({ name: 'Files', state: 'ok', detail: 'They are in DATA_DIR/files.' })

  // One that takes no files stores pictures there.
  await start(two.path, { fileSize: 0 })
  expect(warnings).toEqual([expect.stringMatching(/stored on 2 disks.*share.*S3_URL/)])
  expect(await status()).toMatchObject({ state: 'late', detail: warnings[0] })
  await start(one.path)
  expect(warnings).toHaveLength(2)

  // The operator has put the files of both on one disk; the other one is forgotten in an hour.
  await service.ctx.db.query('update file_disks set seen_ms = seen_ms - 3600001')
  await start(one.path)
  expect(warnings).toHaveLength(2)
  expect(await status()).toMatchObject({ state: 'ok' })

  // A service with the embedded database is the only one, and marks nothing.
  await start(two.path, { databaseUrl: undefined })
  expect(await status()).toMatchObject({ state: 'ok' })
  await writeFile(join(two.path, 'files', 'disk-id'), 'a copy of the disk\n')
  await start(two.path)
  expect(warnings).toHaveLength(3)
})
