// The page /status gets this: numbers that grow with what happens, and sentences about what is wrong.

import { expect, test, vi } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'
import { measureLoad } from '../../http/load.ts'
import { quantile } from './minutes.ts'

async function open(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options)
  const operator = newWallet()
  await addOperator(service, operator)
  const client = await service.as(operator)
  const count = (of: { name: string; count: number }[], name: string) =>
    of.find((one) => one.name === name)?.count ?? 0
  return { service, client, count, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

test('requests, errors and refusals are counted by minute and by name', async () => {
  await using opened = await open({ rateLimits: true, accountLimit: { burst: 2, perSecond: 0.01 } })
  const { service, client, count } = opened
  const before = await client.getStatus()
  const wallet = newWallet()
  const as = await service.as(wallet)
  for (const name of ['one', 'two', 'three', 'four'])
    await as.setName({ body: { address: wallet, name: `${name} ${wallet.slice(-8)}` } }).catch(() => {})
  const after = await client.getStatus()
  expect(count(after.limits, 'account') - count(before.limits, 'account')).toBe(2)
  expect(count(after.problems, 'rate_limited') - count(before.problems, 'rate_limited')).toBe(2)
  const requests = (all: typeof after.minutes) => all.reduce((sum, one) => sum + one.requests, 0)
  expect(requests(after.minutes) - requests(before.minutes)).toBeGreaterThanOrEqual(5)
  const last = after.minutes.at(-1)!
  expect(last.memory_bytes).toBeGreaterThan(10_000_000)
  expect(last.p99_ms).toBeGreaterThanOrEqual(last.p50_ms)
  expect(after.processes).toBe(1)
  expect(JSON.stringify(after)).not.toContain(wallet)
})

test('jobs that failed, mails that nobody looks at and a database that is away are said', async () => {
  await using opened = await open()
  const { service, client } = opened
  const { db } = service.ctx
  const stateOf = async (name: string) => (await client.getStatus()).checks.find((one) => one.name === name)
  expect(await stateOf('Database')).toMatchObject({ state: 'ok' })
  expect(await stateOf('Jobs')).toEqual({ name: 'Jobs', state: 'ok', detail: 'None waits.' })
  await db.query(
    `select 1 as queued from graphile_worker.add_job('send-mail', '{}'::json, run_at => now() - interval '1 hour')`,
  )
  expect(await stateOf('Jobs')).toMatchObject({ state: 'late' })
  expect((await client.getStatus()).jobs).toMatchObject([{ task: 'send-mail', due: 1, failed: 0 }])

  const [alice, bob] = [newWallet(), newWallet()]
  await (await service.as(alice)).sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'hi' } })
  await db.query('update direct_messages set ms = ms - 120000')
  const late = (await measureLoad(db)).readers.map(({ name }) => name)
  // A cluster has another one.
  expect(late).toEqual(expect.arrayContaining(['chat-pushes', 'dm-mails', 'webhooks']))
  expect(await stateOf('Mails and pushes about messages')).toMatchObject({ state: 'late' })

  const away = vi.spyOn(db, 'query').mockRejectedValue(new Error('away'))
  try {
    const { checks, jobs } = await client.getStatus()
    expect(checks[0]).toMatchObject({ name: 'Database', state: 'down' })
    expect(jobs).toEqual([])
  } finally {
    away.mockRestore()
  }
})

test('a share of the requests took about so long', () => {
  const none = Array.from({ length: 12 }, () => 0)
  expect(quantile(none, 0.99)).toBe(0)
  // All of them are between 5 and 10 ms.
  expect(quantile(none.with(2, 100), 0.5)).toBe(7.5)
  // One of a hundred took longer than all bounds.
  expect(quantile(none.with(0, 98).with(11, 2), 0.5)).toBeLessThan(2)
  expect(quantile(none.with(0, 98).with(11, 2), 0.99)).toBe(10_000)
})
