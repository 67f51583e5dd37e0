import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startService, useService } from '../../../../testing/service/service.ts'

const service = useService({ rateLimits: true, readLimit: { burst: 1, perSecond: 1 } })

test('a service that runs is alive and ready, whatever the limit of reads', async () => {
  for (let i = 0; i < 5; i++) {
    expect(await service.anonymous.isAlive()).toEqual({ status: 'ok' })
    expect(await service.anonymous.isReady()).toEqual({ status: 'ok' })
  }
  expect((await service.app.inject('/readyz')).headers['cache-control']).toBe('no-store')
})

test('it is not ready before its database is migrated', async () => {
  const { db } = service.ctx
  const [last] = await db.query<{ name: string; timestamp: string }>(
    'delete from kysely_migration where name = (select max(name) from kysely_migration) returning *',
  )
  const answer = await service.app.inject('/readyz')
  await db.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [
    last!.name,
    last!.timestamp,
  ])
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().type]).toEqual([
    503,
    '5',
    '/docs/errors#unavailable',
  ])
  expect((await service.app.inject('/healthz')).statusCode).toBe(200)
})

test('a service that is about to end says so, still answers, and closes its connections', async () => {
  await using own = await startService({ beside: service })
  const baseUrl = await own.listen()
  const before = await fetch(`${baseUrl}/users/abc/nonce`)
  expect(before.headers.get('connection')).not.toBe('close')
  own.ctx.lifecycle.drain()
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(503)
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
  const after = await fetch(`${baseUrl}/users/abc/nonce`)
  expect([after.status, after.headers.get('connection')]).toEqual([200, 'close'])
  await sleep(50)
  const open = await new Promise<number>((resolve) =>
    own.app.server.getConnections((_error, count) => resolve(count)),
  )
  expect(open).toBe(0)
})
