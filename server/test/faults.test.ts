// What callers notice when the database fails in part. life-cycle.test.ts has the cases in which
// all of it is away.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newWallet, useService } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { onOneMachine } from '../../testing/service/engines.ts'

const service = useService()

/** Makes a wallet that writes to others. */
async function sender() {
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  const authorization = `Bearer ${await issueToken(service.ctx, alice)}`
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    service.app.inject({
      method,
      url,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
  return {
    bob,
    carol,
    send: (toaddr: string, message = 'hi') =>
      call('POST', '/v1/create_chatitem', { fromaddr: alice, toaddr, message }),
    list: (peer: string) => call('GET', `/v1/getall_chatitems/${alice}/${peer}`),
    removeAll: (peer: string) => call('DELETE', `/v1/deleteall_chatitems/${alice}/${peer}`),
  }
}

/** Makes every change of a table fail as PostgreSQL would. */
const failing = (when: string, table: string, code: string) => `
  create or replace function fail() returns trigger language plpgsql as
    $$ begin raise exception 'a secret path of the machine' using errcode = '${code}'; end $$;
  create trigger fail ${when} on ${table} for each row execute function fail()`

onOneMachine('when the disk is full, writes are 503 and reads go on', async () => {
  const { bob, send, list } = await sender()
  await send(bob)
  for (const sql of failing('before insert', 'direct_messages', '53100').split(';\n'))
    await service.ctx.db.query(sql)
  const refused = await send(bob)
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.json().detail).toMatch(/no room left.*Nothing was stored/)
  expect(refused.body).not.toContain('secret')
  expect((await list(bob)).json()).toHaveLength(1)
  await service.ctx.db.query('drop trigger fail on direct_messages')
  expect((await send(bob)).statusCode).toBe(200)
})

onOneMachine('a conversation that is too long to delete in time stays whole', async () => {
  const { bob, send, list, removeAll } = await sender()
  for (let i = 0; i < 5; i++) await send(bob, String(i))
  for (const sql of failing('after delete', 'direct_messages', '57014').split(';\n'))
    await service.ctx.db.query(sql)
  const refused = await removeAll(bob)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10'])
  expect(refused.json().detail).toMatch(/Nothing was done/)
  expect((await list(bob)).json()).toHaveLength(5)
  await service.ctx.db.query('drop trigger fail on direct_messages')
  expect((await removeAll(bob)).statusCode).toBe(204)
})

test('a conversation that is locked for long is refused in time, and other conversations go on', async () => {
  const { bob, carol, send, list } = await sender()
  await send(bob)
  const holder = new pg.Client({ connectionString: service.databaseUrl })
  // Should the test end early, its database is dropped with this connection open.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('update conversations set last_ms = last_ms')
  const started = performance.now()
  const held = Array.from({ length: 6 }, (_, i) => send(bob, `held ${i}`))
  const free = Array.from({ length: 20 }, (_, i) => send(carol, `free ${i}`))
  expect((await Promise.all(free)).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
  expect(performance.now() - started).toBeLessThan(5_000)
  const refused = await Promise.all(held)
  expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(503))
  expect(refused[0]!.headers['retry-after']).toBe('2')
  await holder.query('rollback')
  await holder.end()
  expect((await send(bob)).statusCode).toBe(200)
  expect((await list(bob)).json()).toHaveLength(2)
  expect((await list(carol)).json()).toHaveLength(20)
})

test('when all connections are in use, others wait two seconds at most and get a Retry-After', async () => {
  const { bob, send, list } = await sender()
  await send(bob)
  let free!: () => void
  const until = new Promise<void>((resolve) => (free = resolve))
  const inUse = Array.from({ length: 8 }, () => service.ctx.db.transaction(() => until))
  await sleep(100)
  const started = performance.now()
  const answers = await Promise.all([list(bob), send(bob), service.app.inject('/readyz')])
  expect(performance.now() - started).toBeLessThan(2_100)
  for (const answer of answers) {
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(answer.json().detail).toMatch(/Too many requests wait for the database. Nothing was done/)
  }
  free()
  await Promise.all(inUse)
  expect((await list(bob)).json()).toHaveLength(1)
})

test('a connection that breaks in the middle of a transaction fails that request alone', async () => {
  const { bob, send } = await sender()
  const { db } = service.ctx
  const work = db.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    await db.query('select pg_terminate_backend($1)', [own!.pid])
    // Nothing is asked of it while it breaks.
    await sleep(200)
    await tx.query('select')
  })
  await expect(work).rejects.toThrow()
  expect((await send(bob)).statusCode).toBe(200)
})
