import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startService } from '../../../../testing/service/service.ts'

test('a service that runs is alive and ready, whatever the limit of reads', async () => {
  await using service = await startService({ rateLimits: true, readLimit: { burst: 1, perSecond: 1 } })
  for (let i = 0; i < 5; i++) {
    expect(await service.anonymous.isAlive()).toEqual({ status: 'ok' })
    expect(await service.anonymous.isReady()).toEqual({ status: 'ok' })
  }
  expect((await service.app.inject('/readyz')).headers['cache-control']).toBe('no-store')
})

test('it is not ready before its database is migrated', async () => {
  await using service = await startService()
  await service.ctx.db.query(
    'delete from kysely_migration where name = (select max(name) from kysely_migration)',
  )
  const answer = await service.app.inject('/readyz')
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().type]).toEqual([
    503,
    '5',
    '/docs/errors#unavailable',
  ])
  expect((await service.app.inject('/healthz')).statusCode).toBe(200)
})

test('a service that is about to end says so, still answers, and closes its connections', async () => {
  await using service = await startService()
  const baseUrl = await service.listen()
  const before = await fetch(`${baseUrl}/users/abc/nonce`)
  expect(before.headers.get('connection')).not.toBe('close')
  service.ctx.lifecycle.drain()
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(503)
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
  const after = await fetch(`${baseUrl}/users/abc/nonce`)
  expect([after.status, after.headers.get('connection')]).toEqual([200, 'close'])
  await sleep(50)
  const open = await new Promise<number>((resolve) =>
    service.app.server.getConnections((_error, count) => resolve(count)),
  )
  expect(open).toBe(0)
})
