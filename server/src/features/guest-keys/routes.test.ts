import { randomBytes } from 'node:crypto'
import { mostGuestKeys } from '@parley/sdk/contract/guest-keys.ts'
import { expect, test } from 'vitest'
import { unzip } from '../../../../testing/service/files.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService({ rateLimits: true, publicCountLimit: { burst: 30, perSecond: 0.01 } })

const newName = () => randomBytes(32).toString('base64url')
const newData = () => randomBytes(60).toString('base64url')

async function guest() {
  const address = newWallet()
  const client = await service.as(address)
  return {
    address,
    client,
    store: (guest_key: string, data: string) => client.storeGuestKey({ address, guest_key, body: { data } }),
  }
}

test('anyone with the name of an encrypted key reads it, and nobody learns anything without', async () => {
  const { address, store } = await guest()
  const [name, data] = [newName(), newData()]
  const [stored] = await store(name, data)
  expect(stored).toEqual({ data, created_at: expect.stringMatching(/^20.*Z$/) })
  expect(await service.anonymous.getGuestKey({ address, guest_key: name })).toEqual([stored])
  // A wrong name of a wallet that has keys, and any name of one that has none, give the same answer.
  for (const guess of [
    { address, guest_key: newName() },
    { address: newWallet(), guest_key: name },
  ])
    expect(await service.anonymous.getGuestKey(guess)).toEqual([])
  const { statusCode } = await service.app.inject(`/v1/guest_keys/${address}`)
  expect(statusCode).toBe(404)
})

test('what is stored is never replaced, also when two ask at once, and a repetition changes nothing', async () => {
  const { address, store } = await guest()
  const [name, one, other] = [newName(), newData(), newData()]
  const both = await Promise.allSettled([store(name, one), store(name, other)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [kept] = await service.anonymous.getGuestKey({ address, guest_key: name })
  const loser = kept!.data === one ? other : one
  await expect(store(name, loser)).rejects.toMatchObject({ code: 'conflict' })
  expect(await store(name, kept!.data)).toEqual([kept])
})

test('only the wallet itself stores, in one form, a few', async () => {
  const [alice, eve] = [await guest(), await guest()]
  const body = { data: newData() }
  await expect(
    eve.client.storeGuestKey({ address: alice.address, guest_key: newName(), body }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    service.anonymous.storeGuestKey({ address: alice.address, guest_key: newName(), body }),
  ).rejects.toMatchObject({ code: 'unauthorized' })
  for (const [name, data] of [
    [newName(), 'not encrypted'],
    [newName(), `${body.data}A`],
    [newName().slice(1), body.data],
    ['%00'.repeat(43), body.data],
  ] as const)
    await expect(alice.store(name, data)).rejects.toMatchObject({ code: 'bad_request' })
  const made = await Promise.allSettled(
    Array.from({ length: mostGuestKeys + 3 }, () => alice.store(newName(), newData())),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(mostGuestKeys)
  await expect(alice.store(newName(), newData())).rejects.toMatchObject({ code: 'limit_reached' })
})

test('the export has the encrypted key, and erasure deletes it', async () => {
  const { address, client, store } = await guest()
  const [name, data] = [newName(), newData()]
  const [stored] = await store(name, data)
  const archive = await new Response(await client.exportAccount({ address })).arrayBuffer()
  const files = await unzip(Buffer.from(archive))
  expect(JSON.parse(String(files.get('guest-keys.jsonl')))).toEqual({ name, ...stored })
  await client.eraseAccount({ address })
  expect(await service.anonymous.getGuestKey({ address, guest_key: name })).toEqual([])
})

test('one network address cannot try names without end', async () => {
  const { address } = await guest()
  const tries = Array.from({ length: 31 }, () =>
    service.anonymous.getGuestKey({ address, guest_key: newName() }).then(
      () => 'read',
      ({ code }: { code: string }) => code,
    ),
  )
  expect(await Promise.all(tries)).toContain('rate_limited')
})
