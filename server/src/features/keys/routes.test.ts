import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

const key = { public_key: 'x25519:AAAA', signature: '0xabcd', backup: '{"v":1}' }

test('a wallet publishes its key; others see the public part, it alone the backup', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  expect(await asBob.getKey({ address: alice })).toEqual([])
  const [published] = await asAlice.publishKey({ address: alice, body: { address: alice, ...key } })
  expect(published).toEqual({ address: alice, ...key, updated_at: expect.stringMatching(/^20.*Z$/) })
  const { backup: _hidden, ...publicPart } = published!
  expect(await asBob.getKey({ address: alice })).toEqual([publicPart])
  expect(await asAlice.getKey({ address: alice.toUpperCase().replace('0X', '0x') })).toEqual([published])
})

test('a new key replaces the old one, and an empty one says that encryption is off', async () => {
  const alice = newWallet()
  const asAlice = await service.as(alice)
  await asAlice.publishKey({ address: alice, body: { address: alice, ...key } })
  await asAlice.publishKey({
    address: alice,
    body: { address: alice, ...key, public_key: '', signature: '' },
  })
  expect(await asAlice.getKey({ address: alice })).toMatchObject([{ public_key: '', backup: key.backup }])
})

test('a device that says what it replaces does not overwrite what another has published since', async () => {
  const alice = newWallet()
  const asAlice = await service.as(alice)
  const publish = (backup: string, replaces: string) =>
    asAlice.publishKey({ address: alice, body: { address: alice, ...key, backup, replaces } })
  const first = await Promise.allSettled(['a', 'b', 'c'].map((backup) => publish(backup, '')))
  expect(first.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  const seen = (await asAlice.getKey({ address: alice }))[0]!.updated_at
  const both = await Promise.allSettled([publish('phone', seen), publish('laptop', seen)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const stale of [seen, '', '2020-01-01T00:00:00.000Z'])
    await expect(publish('stale', stale)).rejects.toMatchObject({ code: 'conflict' })
  const [now] = await asAlice.getKey({ address: alice })
  expect(['phone', 'laptop']).toContain(now!.backup)
  await expect(publish('newest', now!.updated_at)).resolves.toMatchObject([{ backup: 'newest' }])
  // Nothing was published, so there is nothing to replace.
  const bob = newWallet()
  const asBob = await service.as(bob)
  await expect(
    asBob.publishKey({ address: bob, body: { address: bob, ...key, replaces: seen } }),
  ).rejects.toMatchObject({ code: 'conflict' })
})

test('no one publishes a key for another wallet', async () => {
  const [alice, eve] = [newWallet(), newWallet()]
  const asEve = await service.as(eve)
  await expect(asEve.publishKey({ address: alice, body: { address: alice, ...key } })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(asEve.publishKey({ address: eve, body: { address: alice, ...key } })).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect(await asEve.getKey({ address: alice })).toEqual([])
})

test('a key is kept byte for byte, within its bounds', async () => {
  const alice = newWallet()
  const asAlice = await service.as(alice)
  const text = fc
    .string({ unit: 'binary', maxLength: 200 })
    // oxlint-disable-next-line no-control-regex
    .filter((value) => !/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(value) && value.isWellFormed())
  await fc.assert(
    fc.asyncProperty(text, text, text, async (public_key, signature, backup) => {
      const [kept] = await asAlice.publishKey({
        address: alice,
        body: { address: alice, public_key, signature, backup },
      })
      expect(kept).toMatchObject({ public_key, signature, backup })
    }),
    { numRuns: 30 },
  )
  for (const bad of [{ public_key: 'k'.repeat(1025) }, { backup: 'b'.repeat(32_769) }, { signature: 'a\0' }])
    await expect(
      asAlice.publishKey({ address: alice, body: { address: alice, ...key, ...bad } }),
    ).rejects.toMatchObject({ code: 'bad_request' })
})
