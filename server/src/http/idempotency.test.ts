import { expect, test } from 'vitest'
import { newWallet, startService } from '../../../testing/service.ts'
import { deleteExpiredKeys } from './idempotency.ts'

const alice = newWallet()
const send = (
  service: Awaited<ReturnType<typeof startService>>,
  message: string,
  idempotencyKey: string,
  from = alice,
) =>
  service
    .as(from)
    .then((client) =>
      client.sendDirectMessage({ body: { fromaddr: from, toaddr: 'bob', message } }, { idempotencyKey }),
    )
const stored = async (service: Awaited<ReturnType<typeof startService>>) =>
  (await service.as(alice)).listDirectMessages({ address: alice })

test('a repetition answers the first result and stores nothing, also on another instance', async () => {
  await using service = await startService()
  await using other = await startService({ beside: service })
  const first = await send(service, 'hi', 'k1')
  expect(await send(other, 'hi', 'k1')).toEqual(first)
  expect(await stored(service)).toHaveLength(1)
  expect(await send(service, 'hi', 'k2')).not.toEqual(first)
})

test('a repetition is marked as one', async () => {
  await using service = await startService()
  const { authorization } = {
    authorization: `Bearer ${await (await import('../auth/tokens.ts')).issueToken(service.ctx, alice)}`,
  }
  const call = () =>
    service.app.inject({
      method: 'POST',
      url: '/v1/create_chatitem',
      headers: { authorization, 'idempotency-key': 'k' },
      payload: { fromaddr: alice, toaddr: 'bob', message: 'hi' },
    })
  const [first, second] = [await call(), await call()]
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(second.body).toBe(first.body)
})

test('of many at once exactly one takes effect', async () => {
  await using service = await startService()
  await using other = await startService({ beside: service })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => send(i % 2 ? service : other, 'hi', 'k')),
  )
  expect(new Set(answers.map((items) => items[0]!.id)).size).toBe(1)
  expect(await stored(service)).toHaveLength(1)
})

test('the same key with another body is refused; of another wallet it is another key', async () => {
  await using service = await startService()
  await send(service, 'hi', 'k')
  await expect(send(service, 'bye', 'k')).rejects.toMatchObject({ code: 'idempotency_mismatch', status: 422 })
  const carol = newWallet()
  expect(await send(service, 'bye', 'k', carol)).toMatchObject([{ fromaddr: carol, message: 'bye' }])
  expect(await stored(service)).toHaveLength(1)
})

test('a request that failed leaves no key behind', async () => {
  await using service = await startService()
  await service.ctx.db.query(
    `insert into conversations (a, b, last_time) values ($1, 'bob', now() + interval '3 s')`,
    [alice],
  )
  await expect(send(service, 'hi', 'k')).rejects.toMatchObject({ code: 'rate_limited' })
  await service.ctx.db.query(`update conversations set last_time = now()`)
  expect(await send(service, 'hi', 'k')).toHaveLength(1)
})

test('after its day a key is new again, and is forgotten', async () => {
  await using service = await startService()
  const first = await send(service, 'hi', 'k')
  await service.ctx.db.query(`update idempotency_keys set expires_at = now() - interval '1 s'`)
  expect(await send(service, 'bye', 'k')).not.toEqual(first)
  await service.ctx.db.query(`update idempotency_keys set expires_at = now() - interval '1 s'`)
  await deleteExpiredKeys(service.ctx.db)
  expect(await service.ctx.db.query('select 1 as one from idempotency_keys')).toEqual([])
})

test('a key that is no key is refused', async () => {
  await using service = await startService()
  for (const key of ['with space', 'x'.repeat(256), 'é'])
    await expect(send(service, 'hi', key)).rejects.toMatchObject({ code: 'bad_request' })
})
