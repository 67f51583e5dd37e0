// These tests show what follows from each response of Telegram, and how fast messages are sent.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { newId, startTelegramService } from '../../../../testing/people/telegram-people.ts'

let t: Awaited<ReturnType<typeof startTelegramService>>
beforeAll(async () => {
  t = await startTelegramService()
})
afterAll(() => t[Symbol.asyncDispose]())
beforeEach(() => {
  t.telegram.answerBy(() => undefined)
  t.telegram.failWith(undefined)
})

test.each([
  ['blocked by the person', { error_code: 403, description: 'Forbidden: bot was blocked by the user' }],
  ['a person who is gone', { error_code: 403, description: 'Forbidden: user is deactivated' }],
  ['a chat that is not there', { error_code: 400, description: 'Bad Request: chat not found' }],
  [
    'a chat that has become another',
    {
      error_code: 400,
      description: 'Bad Request: group chat was upgraded',
      parameters: { migrate_to_chat_id: -1001 },
    },
  ],
])('%s is unlinked', async (_, refusal) => {
  const [alice, bob] = await t.newPair()
  t.telegram.answerBy(() => refusal)
  await t.send(alice, bob)
  await t.work()
  expect(bob.got()).toHaveLength(1)
  expect(await bob.client.getTelegramLink()).toEqual({ linked: false })
  expect(await t.jobs()).toEqual([])
  expect(t.telegram.sent.some(({ chat_id: id }) => id === -1001)).toBe(false)
})

test('another refusal is logged and not tried again', async () => {
  const [alice, bob] = await t.newPair()
  t.telegram.answerBy(() => ({ error_code: 400, description: 'Bad Request: message is too long' }))
  await t.send(alice, bob)
  await t.work()
  expect([bob.got().length, (await bob.client.getTelegramLink()).linked, await t.jobs()]).toEqual([
    1,
    true,
    [],
  ])
  expect(t.logged.join('')).toContain('Telegram has refused a message')
})

test('429: nobody is told before the time that Telegram names', async () => {
  const [[alice, bob], [carol, dave]] = [await t.newPair(), await t.newPair()]
  t.telegram.answerBy((_, times) =>
    times === 1
      ? { error_code: 429, description: 'Too Many Requests: retry after 20', parameters: { retry_after: 20 } }
      : undefined,
  )
  await t.send(alice, bob)
  await t.service.runJobs()
  await t.workOnce()
  expect(bob.got()).toHaveLength(1)
  const [waiting] = await t.jobs()
  expect(waiting!.wait).toBeGreaterThan(15)
  await t.send(carol, dave)
  await t.service.runJobs()
  await t.workOnce()
  expect([bob.got().length, dave.got().length]).toEqual([1, 0])
  t.telegram.answerBy(() => undefined)
  await t.work()
  expect([bob.got().length, dave.got().length]).toEqual([2, 1])
})

test.each([
  ['5xx', { error_code: 502, description: 'Bad Gateway' }],
  ['something that is not documented', '<html>'],
  ['nothing', 'breaks off'],
] as const)('%s is tried again, for six hours at most', async (_, given) => {
  const [alice, bob] = await t.newPair()
  t.telegram.answerBy(() => given)
  await t.send(alice, bob)
  await t.work()
  const tried = bob.got().length
  expect(tried).toBeGreaterThan(1)
  const [waiting] = await t.jobs()
  expect(waiting!.wait).toBeGreaterThan(0)
  await t.service.ctx.db.query(
    `update graphile_worker._private_jobs set created_at = now() - interval '7 hours'`,
  )
  await t.work(1e9)
  expect(bob.got()).toHaveLength(tried)
  expect(await t.jobs()).toEqual([])
})

test('a chat gets one message a second, and all of them thirty', async () => {
  const [alice, bob] = await t.newPair()
  const carol = await t.newPerson()
  await t.befriend(carol, bob)
  for (const from of [alice, carol]) await t.send(from, bob)
  await t.service.runJobs()
  await t.workOnce()
  expect(bob.got()).toHaveLength(1)
  const waiting = await t.jobs()
  expect(waiting).toHaveLength(1)
  for (const until = Date.now() + 10_000; bob.got().length < 2 && Date.now() < until;)
    await t.service.runJobs()
  const [first, second] = bob.got()
  expect(second!.at - first!.at).toBeGreaterThan(990)

  // There are many chats: 40 take more than a second, on any number of workers.
  t.telegram.sent.length = 0
  const chats = Array.from({ length: 40 }, () => newId())
  for (const id of chats) t.telegram.write({ id, first_name: 'x' }, 'hello')
  await t.poll()
  await t.poll()
  await Promise.all([
    t.service.runJobs(),
    t.service.runJobs(),
    t.service.runJobs(),
    t.service.runJobs(),
    t.service.runJobs(),
  ])
  const times = t.telegram.sent.map(({ at }) => at).toSorted((a, b) => a - b)
  expect(times).toHaveLength(40)
  for (let n = 31; n < times.length; n++) expect(times[n]! - times[n - 31]!).toBeGreaterThan(950)
})

test('a token that Telegram refuses is said without the token, and ends nothing', async () => {
  const [alice, bob] = await t.newPair()
  t.telegram.failWith({ error_code: 401, description: 'Unauthorized' })
  await t.send(alice, bob)
  await t.work()
  await expect(t.poll()).rejects.toThrow('it refuses the token: set TELEGRAM_BOT_TOKEN again')
  const [waiting] = await t.jobs()
  expect(waiting!.wait).toBeGreaterThan(500)
  t.telegram.failWith(undefined)
  await t.work(1e9)
  expect(bob.got()).toHaveLength(1)
})

const other = useService(() => ({ beside: t.service, telegramApiUrl: t.telegram.url }))

test('without a token there is nothing: 503 that names the setting, no job, no poll', async () => {
  const polls = t.telegram.polls.length
  const client = await other.as(newWallet())
  for (const call of [client.createTelegramLink, client.getTelegramLink, client.deleteTelegramLink])
    await expect(call()).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('TELEGRAM_BOT_TOKEN'),
    })
  expect(await other.anonymous.getServiceInfo()).not.toHaveProperty('telegram')
  expect(await t.service.anonymous.getServiceInfo()).toMatchObject({ telegram: true })
  const [alice, bob] = await t.newPair()
  await t.send(alice, bob)
  await other.runJobs()
  await other.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
  await other.runJobs()
  expect(await t.jobs()).toEqual([])
  expect(t.telegram.sent).toEqual([])
  expect(t.telegram.polls).toHaveLength(polls + 1)
})
