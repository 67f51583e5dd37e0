// One of several instances reads the updates of the bot, the next one when it goes, and nothing is lost when it is killed.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../testing/service/files.ts'
import { freePort } from '../../../../testing/service/ports.ts'
import { testSecret } from '../../../../testing/service/service.ts'
import { createServiceProcess } from '../../../../testing/service/service-process.ts'
import { botToken } from '../../../../testing/outside/telegram-api.ts'
import { codeOf, startTelegramService } from '../../../../testing/people/telegram-people.ts'
import { followTelegram, pollOnce } from './telegram-poll.ts'

async function until(isSo: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await isSo());) {
    if (Date.now() > end) throw new Error('it is not so')
    await sleep(20)
  }
}

test('of two instances one polls, and the other takes over when it ends', async () => {
  await using t = await startTelegramService()
  const bob = await t.newPerson()
  const follow = () => followTelegram(t.service.ctx, { pause: 50, seconds: 1 })
  const isLinked = async () => (await bob.client.getTelegramLink()).linked
  const one = follow()
  await until(t.telegram.isPolled)
  const two = follow()
  const { url } = await bob.client.createTelegramLink()
  t.telegram.write(bob.user, `/start ${codeOf(url)}`)
  await until(isLinked)
  const polled = t.telegram.polls.length
  await until(() => t.telegram.polls.length >= polled + 2)
  expect(t.telegram.conflicts()).toBe(0)
  expect(t.telegram.polls.at(-1)).toMatchObject({ allowed_updates: ['message'] })
  await one[Symbol.asyncDispose]()
  t.telegram.write(bob.user, '/stop')
  await until(async () => !(await isLinked()))
  await until(() => t.telegram.unconfirmed() === 0)
  expect(t.telegram.conflicts()).toBe(0)
  await two[Symbol.asyncDispose]()
  const { length } = t.telegram.polls
  await sleep(300)
  expect(t.telegram.polls).toHaveLength(length)
})

test('a Telegram that fails is said once, without the token, and read again when it works', async () => {
  await using t = await startTelegramService()
  const bob = await t.newPerson()
  await bob.client.createTelegramLink()
  t.telegram.failWith({ error_code: 401, description: 'Unauthorized' })
  await using _following = followTelegram(t.service.ctx, { pause: 50, seconds: 1 })
  const said = () => t.logged.filter((line) => line.includes('Telegram is not read'))
  await until(() => said().length > 0)
  const before = t.telegram.failures()
  await until(() => t.telegram.failures() >= before + 2)
  expect(said()).toHaveLength(1)
  expect(said()[0]).toContain('TELEGRAM_BOT_TOKEN')
  expect(t.logged.join('')).not.toContain(botToken.slice(-20))
  t.telegram.failWith(undefined)
  await until(t.telegram.isPolled)
})

test('each answer of Telegram to a poll is said in words, and what it asks to wait is waited for', async () => {
  await using t = await startTelegramService()
  const poll = () => pollOnce(t.service.ctx, new AbortController().signal, 0)
  for (const [code, words] of [
    [401, 'it refuses the token: set TELEGRAM_BOT_TOKEN again'],
    [404, 'it does not know the token: set TELEGRAM_BOT_TOKEN again'],
    [409, 'somebody else reads the updates of this bot, or it has a webhook'],
    [502, 'it answers 502'],
  ] as const) {
    t.telegram.failWith({ error_code: code, description: 'as it is' })
    await expect(poll()).rejects.toThrow(new Error(words))
  }
  const started = performance.now()
  t.telegram.failWith({ error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } })
  await expect(poll()).rejects.toThrow(new Error('it answers 429'))
  expect(performance.now() - started).toBeGreaterThan(990)
  t.telegram.failWith(undefined)
  await poll()
  const away = { ...t.service.ctx, config: { ...t.service.ctx.config, telegramApiUrl: 'http://127.0.0.1:9' } }
  await expect(pollOnce(away, new AbortController().signal, 0)).rejects.toThrow(
    new Error('it does not answer'),
  )
})

test('an instance that is killed between an update and its commit loses nothing', async () => {
  await using t = await startTelegramService()
  await using folder = await newFolder('telegram')
  const bob = await t.newPerson()
  const port = await freePort()
  await using killed = createServiceProcess({
    port,
    env: {
      DATABASE_URL: t.service.databaseUrl,
      DATA_DIR: folder.path,
      JWT_SECRET: testSecret,
      INSTANCES: '1',
      PUBLIC_URL: 'https://chat.example.org',
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_API_URL: t.telegram.url,
    },
  })
  await killed.start()
  await until(t.telegram.isPolled)
  const { url } = await bob.client.createTelegramLink()
  const { db } = t.service.ctx
  await db.transaction(async (tx) => {
    // The process waits here in the middle of what the update requests.
    await tx.query('lock table telegram_links in exclusive mode')
    t.telegram.write(bob.user, `/start ${codeOf(url)}`)
    await until(async () => {
      const waiting = await db.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    })
    await killed.end('SIGKILL')
  })
  expect(await bob.client.getTelegramLink()).toEqual({ linked: false })
  expect(t.telegram.unconfirmed()).toBe(1)
  expect(killed.printed()).not.toContain(botToken.slice(-20))

  await using _following = followTelegram(t.service.ctx, { pause: 50, seconds: 1 })
  await until(async () => (await bob.client.getTelegramLink()).linked)
  await until(() => t.telegram.unconfirmed() === 0)
  await t.work()
  expect(bob.texts()).toEqual([expect.stringContaining('You get notifications')])
})
