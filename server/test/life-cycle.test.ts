// How the service starts and ends, and what it does while its database is away: processes, signals,
// a database behind a proxy.

import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@parley/sdk'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import pg from 'pg'
import { type ExpectStatic, test } from 'vitest'
import { newHookSecret } from '../src/auth/incoming-hooks.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { startDatabaseProxy } from '../../testing/service/proxies.ts'
import { requestOf } from '../../testing/cases/callers.ts'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { createServiceProcess, type ServiceProcess } from '../../testing/service/service-process.ts'
import { newWallet, startService, testSecret } from '../../testing/service/service.ts'
import { newBrowser } from '../../testing/people/push-browser.ts'
import { botToken, startTelegram } from '../../testing/outside/telegram-api.ts'
import { defaults } from '../src/messages/notification-policy.ts'

const alice = newWallet()

/** The services of one test, which end with it. */
async function openLives() {
  const stack = new AsyncDisposableStack()
  const { path: dataDir } = stack.use(await newFolder('life'))
  return {
    async launch(databaseUrl: string, env: Record<string, string> = {}) {
      const service = createServiceProcess({
        port: await freePort(),
        env: {
          DATABASE_URL: databaseUrl,
          DATA_DIR: dataDir,
          JWT_SECRET: testSecret,
          MAIL_FROM: 'parley@example.org',
          ...env,
        },
      })
      stack.defer(async () => void (await service.end('SIGKILL')))
      service.launch()
      return service
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const tokenFor = ({ url }: ServiceProcess) =>
  issueToken({ config: { publicUrl: url, jwtSecret: testSecret } }, alice)

const clientOf = async (service: ServiceProcess) =>
  createClient({ baseUrl: service.url, token: await tokenFor(service), retry: false })

const send = (client: Awaited<ReturnType<typeof clientOf>>, message: string, idempotencyKey?: string) =>
  client.sendDirectMessage(
    { body: { fromaddr: alice, toaddr: 'bob', message } },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

/** Locks all conversations, so that a send does not end. */
async function hold(databaseUrl: string) {
  const holder = new pg.Client({ connectionString: databaseUrl })
  // When the test ends early, its database is dropped while this connection is open.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('update conversations set last_ms = last_ms')
  return () => holder.end()
}

const exitCode = ({ child }: ServiceProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve))

test.concurrent('after SIGTERM it is no longer ready, answers what is under way, and ends with 0', async ({
  expect,
}) => {
  await using host = await startService()
  await using lives = await openLives()
  const service = await lives.launch(host.databaseUrl, { DRAIN_SECONDS: '1' })
  await service.ready()
  const client = await clientOf(service)
  await send(client, 'first')
  const letGo = await hold(host.databaseUrl)
  const underWay = send(client, 'under way')
  await sleep(200)
  const exit = exitCode(service)
  service.child.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503)
  // Clients that do not know it yet are still served.
  expect(await client.listConversation({ fromaddr: alice, toaddr: 'bob' })).toHaveLength(1)
  const isServed = () =>
    fetch(`${service.url}/healthz`).then(
      () => true,
      () => false,
    )
  await expect.poll(isServed).toBe(false)
  await letGo()
  const [sent] = await underWay
  expect(await exit).toBe(0)
  const [kept] = await host.ctx.db.query<{ id: number }>(
    `select id from direct_messages where message = 'under way'`,
  )
  expect(kept!.id).toBe(sent!.id)
})

test.concurrent('it waits for its database, says so, and stops waiting at a signal', async ({ expect }) => {
  await using host = await startService()
  await using lives = await openLives()
  await using proxy = await startDatabaseProxy(host.databaseUrl)
  await proxy.shut()
  const service = await lives.launch(proxy.url)
  await service.until('the database is not ready')
  const tired = await lives.launch(proxy.url)
  await tired.until('the database is not ready')
  expect(await tired.end('SIGTERM')).toBe(0)
  expect(tired.printed()).not.toContain('could not start')
  await proxy.open()
  await service.ready()
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)

  const wrong = new URL(proxy.url)
  wrong.pathname = '/no_such_database'
  const hopeless = await lives.launch(String(wrong))
  await hopeless.until('could not start')
  expect(hopeless.printed()).toMatch(/no_such_database.* does not exist/)
  await expect.poll(() => hopeless.child.exitCode).toBe(1)
})

// These measure times, so one at a time.
test('at a second signal it ends at once; what does not end in time is cut off', async ({ expect }) => {
  await using host = await startService()
  await using lives = await openLives()
  const patient = await lives.launch(host.databaseUrl, { DRAIN_SECONDS: '60' })
  await patient.ready()
  const exit = exitCode(patient)
  patient.child.kill('SIGTERM')
  // A process that is busy takes a signal late, and two within half a second are one.
  await expect.poll(async () => (await fetch(`${patient.url}/readyz`)).status).toBe(503)
  await sleep(600)
  const again = performance.now()
  patient.child.kill('SIGTERM')
  expect(await exit).toBe(1)
  expect(performance.now() - again).toBeLessThan(2_000)

  const hurried = await lives.launch(host.databaseUrl, { SHUTDOWN_SECONDS: '1' })
  await hurried.ready()
  const client = await clientOf(hurried)
  await send(client, 'first')
  const letGo = await hold(host.databaseUrl)
  const underWay = expect(send(client, 'held')).rejects.toThrow()
  await sleep(200)
  const asked = performance.now()
  const code = await hurried.end('SIGINT')
  expect(code, hurried.printed()).toBe(0)
  expect(performance.now() - asked).toBeLessThan(4_000)
  await underWay
  await letGo()
})

const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** In place of the examples, for all endpoints. Addresses that are no examples are those of the wallet. */
const values = {
  address: alice,
  addr: alice,
  walletaddr: alice,
  useraddress: alice,
  community: alice,
  name: 'zoe',
  toaddr: 'bob',
  peer: 'bob',
  nftaddr: 'town',
  id: '1',
  type: 'dm',
  secret: newHookSecret(alice),
  base64data: image,
  message: 'x',
}
/** For one, where the fields do not go together, or an example is not found to be right before the database is asked. */
const valuesOf: Partial<Record<keyof typeof contract, object>> = {
  signIn: { msg: 'x', sig: '0x00', nonce: undefined },
  setContact: { blocked: undefined },
  setDmPolicy: { who: 'requests', token: undefined },
  markDirectMessage: { fromaddr: 'bob', toaddr: alice, id: 1, message: '' },
  markReadTo: { id: 1, nftaddr: undefined, nftid: undefined, context_type: 'dm' },
  postGroupMessage: { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb' },
  createIncomingHook: { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb' },
  setNotificationRules: defaults,
  createWebhook: { url: 'https://example.org/', chat: undefined, peer: undefined },
  changeWebhook: { url: 'https://example.org/', chat: undefined, peer: undefined },
  putPushSubscription: {
    ...newBrowser('https://fcm.googleapis.com/x').subscription,
    replaces: undefined,
  },
  createReport: { chat: undefined, item_ids: undefined, keys: undefined },
  createDraft: { nftaddr: undefined },
  createFile: { nftaddr: undefined },
  updateSettings: { email: undefined },
}

/** Calls every endpoint with what would be valid, all at once. */
async function callAll(service: ServiceProcess) {
  const authorization = `Bearer ${await tokenFor(service)}`
  const calls = Object.entries<Endpoint>(contract).map(async ([name, endpoint]) => {
    const more = valuesOf[name as keyof typeof contract]
    const { method, url, payload } = requestOf(endpoint, [alice, 'bob'], { ...values, ...more })
    const started = performance.now()
    const answer = await fetch(service.url + url, {
      method,
      headers: { authorization, ...(payload && { 'content-type': 'application/json' }) },
      ...(payload && { body: JSON.stringify(payload) }),
    })
    const text = await answer.text()
    return {
      name,
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      text,
      ms: performance.now() - started,
    }
  })
  return Promise.all(calls)
}

// These send no query: no chain is configured here (so nothing is known of a token), a sign-in has no API key, a key's signature,
// the cookie of a session and the site of a page are checked first, and typing is never stored. Who is no operator is refused by what is in memory.
const independent = new Set([
  'isAlive',
  'getServiceInfo',
  'listOfficial',
  'getOfficial',
  'getApiKey',
  'getBot',
  'listBots',
  'listChainNames',
  'getNonce',
  'renewSession',
  'openHandover',
  'takeHandover',
  'checkOwnership',
  'verifyKey',
  'claimChat',
  'getNft',
  'getNftOwner',
  'getNftPicture',
  'publishKey',
  'listSanctions',
  'sendTyping',
])

type Answers = Awaited<ReturnType<typeof callAll>>

/** The milliseconds that this machine needs for all calls at once. */
const slowestOf = (answers: Answers) => Math.max(...answers.map(({ ms }) => ms))

/** A call that needs no database takes as long as this machine needs for all of them at once. */
const slowestIndependent = (answers: Answers) =>
  slowestOf(answers.filter(({ name }) => independent.has(name)))

function expectAllRefused(answers: Answers, longest: number, expect: ExpectStatic) {
  for (const { name, status, retryAfter, text, ms } of answers) {
    expect(ms, name).toBeLessThan(longest)
    if (independent.has(name) || contract[name as keyof typeof contract].access === 'operator') continue
    expect([name, status], text).toEqual([name, 503])
    expect(Number(retryAfter), name).toBeGreaterThan(0)
    expect(JSON.parse(text).detail, name).toMatch(/database/i)
  }
}

test('without its database every endpoint says 503 within two seconds, and all is well when it is back', async ({
  expect,
}) => {
  await using host = await startService()
  await using lives = await openLives()
  await using proxy = await startDatabaseProxy(host.databaseUrl)
  await using telegram = await startTelegram()
  const service = await lives.launch(proxy.url, {
    LIMIT_ACCOUNT: '500,1',
    TELEGRAM_BOT_TOKEN: botToken,
    TELEGRAM_API_URL: telegram.url,
  })
  await service.ready()
  const client = await clientOf(service)
  await send(client, 'before')
  const key = await newApiKeyOf(host, alice, ['inbox:read'])
  // Connections stay open and silent, as when a machine or a network fails.
  proxy.fallSilent()
  const silent = await callAll(service)
  const withKey = createClient({ baseUrl: service.url, token: key, retry: false })
  await expect(withKey.getInbox({ address: alice })).rejects.toMatchObject({ status: 503 })
  // By now the service knows that the database is away and waits for nothing.
  const known = await callAll(service)
  const machine = Math.max(slowestOf(known), ...[silent, known].map(slowestIndependent))
  expectAllRefused(known, 2_000 + machine, expect)
  expectAllRefused(silent, 2_000 + machine, expect)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  proxy.speak()
  await expect
    .poll(() => fetch(`${service.url}/readyz`).then(({ status }) => status), { timeout: 5_000 })
    .toBe(200)
  await send(client, 'between')
  // Connections break and new ones are refused, as when PostgreSQL is stopped.
  await proxy.shut()
  const refused = await callAll(service)
  expectAllRefused(refused, 2_000 + Math.max(machine, slowestIndependent(refused)), expect)
  await proxy.open()
  // Repeated with a key, because a request that was refused may have been stored.
  await expect
    .poll(() => send(client, 'after', 'once').then(() => 'sent', String), { timeout: 5_000 })
    .toBe('sent')
  const messages = await client.listConversation({ fromaddr: alice, toaddr: 'bob' })
  expect(messages.map(({ message }) => message).filter((message) => message !== 'x')).toEqual([
    'before',
    'between',
    'after',
  ])
  expect(service.printed()).toMatch(/the database is out of reach[\s\S]*the database is back/)
  expect(service.printed()).not.toMatch(/"level":(50|60)/)
  expect(await service.end('SIGTERM')).toBe(0)
})
