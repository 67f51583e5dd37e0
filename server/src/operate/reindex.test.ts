// The index of searches: `parley reindex` empties it while a service runs, and an archive leaves it out.

import path from 'node:path'
import { expect, test } from 'vitest'
import { twoWallets } from '../../../testing/people/two-wallets.ts'
import { newDatabase } from '../../../testing/service/database.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { followAll } from '../../../testing/service/log.ts'
import { parley } from '../../../testing/service/processes.ts'
import { type Service, startService } from '../../../testing/service/service.ts'
import { backUp } from '../backup/backup.ts'
import { restore } from '../backup/restore.ts'
import { searchReader } from '../features/search/reader.ts'

const rowsOf = async ({ ctx }: Service) =>
  (await ctx.db.query<{ id: number }>('select id from search_direct order by id, walletaddr')).map(
    ({ id }) => id,
  )

const found = async (service: Service, wallet: string) =>
  (await (await service.as(wallet)).search({ body: { q: 'invoice' } })).flatMap((one) =>
    'item' in one ? [one.item.message] : [],
  )

test('reindex makes the index again while the service runs, and deletes it where search is off', async () => {
  await using service = await startService()
  const { alice, send } = await twoWallets(service)
  for (const text of ['the invoice', 'another invoice']) await send(text)
  await followAll(service.ctx.db, searchReader)
  const before = await rowsOf(service)
  expect(before).toHaveLength(4)
  const env = { DATABASE_URL: service.databaseUrl }
  expect(await parley(['reindex'], env)).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect(await rowsOf(service)).toEqual(before)
  const running = parley(['reindex', '--yes', '--json'], env)
  // The service follows the log from its beginning.
  await expect.poll(() => rowsOf(service), { timeout: 20_000 }).toEqual([])
  expect(await found(service, alice)).toHaveLength(2)
  await followAll(service.ctx.db, searchReader)
  const { code, out } = await running
  expect([code, JSON.parse(out)]).toMatchObject([0, { isDone: true }])
  expect(await rowsOf(service)).toEqual(before)
  expect(await parley(['reindex', '--yes'], { ...env, SEARCH: 'off' })).toMatchObject({ code: 0 })
  expect(await rowsOf(service)).toEqual([])
}, 60_000)

test('an archive has no index, and a service makes it after a restore', async () => {
  await using service = await startService()
  await using folder = await newFolder('index')
  await using target = await newDatabase()
  const { alice, send } = await twoWallets(service)
  await send('the invoice')
  await followAll(service.ctx.db, searchReader)
  const file = path.join(folder.path, 'backup.zip')
  const { fileStore } = service.ctx
  const { tables } = await backUp({
    databaseUrl: service.databaseUrl,
    version: '0.0.0-test',
    to: file,
    fileStore,
  })
  expect(Object.keys(tables).filter((name) => name.startsWith('search'))).toEqual([])
  await restore({ databaseUrl: target.databaseUrl, file, fileStore })
  await using restored = await startService({ beside: target })
  expect(await rowsOf(restored)).toEqual([])
  await followAll(restored.ctx.db, searchReader)
  expect(await rowsOf(restored)).toHaveLength(2)
  expect(await found(restored, alice)).toEqual(['the invoice'])
})
