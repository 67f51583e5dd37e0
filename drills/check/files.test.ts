// As with the other checks: whatever is wrong with files is found.

import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDiskStore } from '../../server/src/files/disk.ts'
import { begin, sha256, storedParts, upload } from '../../testing/people/uploading.ts'
import { newWallet, startService } from '../../testing/service/service.ts'
import type { Wallets } from '../wallets.ts'
import type { Entry } from './ledger.ts'
import { checkUploads, compareStore, readFiles } from './files.ts'

test('a file that differs or is gone, a part without a row and a row without its bytes are found', async () => {
  await using service = await startService()
  const [alice, bob] = [newWallet(), newWallet()]
  const client = await service.as(alice)
  const asBob = await service.as(bob)
  const wallets: Wallets = {
    addresses: [alice, bob],
    rooms: [],
    client: (address) => (address === bob ? asBob : client),
    token: () => '',
  }
  const bytes = randomBytes(1000)
  const { id } = await upload(client, { toaddr: bob }, bytes)
  await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'k', files: [id] } })
  const entry: Entry = {
    key: 'k',
    room: `${alice} ${bob}`,
    from: alice,
    intended: 0,
    intendedAt: 0,
    files: [{ id, size: 1000, sha256: sha256(bytes) }],
  }
  const read = () => readFiles([entry], wallets, '')
  const lost = [{ kind: 'lost', detail: expect.stringContaining(id) }]
  const store = openDiskStore({ dataDir: service.ctx.config.dataDir, diskReserve: undefined })
  const compared = () => compareStore(service.ctx.db, store)
  const fine = { ids: new Set([id]), orphans: [], missing: [], loose: 0, waiting: 0 }
  expect(await read()).toEqual({ found: [], files: 1, bytes: 1000 })
  expect(await compared()).toEqual(fine)

  await store.write(id, 'another', Buffer.from('x'), 1)
  expect(await compared()).toEqual({ ...fine, orphans: [`${id}/another`] })
  await store.deletePart(id, 'another')
  const [part] = await storedParts(service)
  await writeFile(part!, randomBytes(1000))
  expect((await read()).found).toEqual(lost)
  await rm(part!)
  expect((await read()).found).toEqual(lost)
  expect(await compared()).toEqual({ ...fine, missing: [id] })

  const begun = await begin(client, { toaddr: bob }, bytes)
  expect(await compared()).toMatchObject({ loose: 1 })
  const uploads = (have: number) =>
    checkUploads({ unsent: new Set([{ id: begun.id, from: alice, have }]) }, wallets, '')
  expect(await uploads(0)).toEqual([])
  expect(await uploads(5)).toEqual([{ kind: 'lost', detail: expect.stringContaining(begun.id) }])
  await client.deleteFile({ file: begun.id })
  expect(await compared()).toMatchObject({ loose: 0, waiting: 1 })
  expect(await uploads(0)).toEqual([{ kind: 'lost', detail: expect.stringContaining(begun.id) }])
})
