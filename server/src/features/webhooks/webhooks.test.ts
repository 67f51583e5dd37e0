// These tests cover webhooks from the message to the receiver, which verifies what it gets by the library of Standard Webhooks
// and by the public key.

import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Webhook as Verifier } from 'standardwebhooks'
import { followAll } from '../../../../testing/service/log.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import {
  isSignedBy,
  type Received,
  startReceiver,
  toldBy,
} from '../../../../testing/outside/webhook-receiver.ts'
import { startSmtp } from '../../../../testing/outside/smtp.ts'
import { resumeDeliveries } from './deliver.ts'
import { webhookReader } from './reader.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => {
  receiver = await startReceiver()
  smtp = await startSmtp()
})
afterAll(async () => {
  await smtp[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
const service = useService(() => ({ privateWebhookHosts: [receiver.host], smtpUrl: smtp.url }))
const beside = useService(() => ({ privateWebhookHosts: [receiver.host], beside: service }))
beforeEach(() => {
  receiver.received.length = 0
  receiver.answerBy(() => 200)
})

const events = ['message.direct', 'request.new'] as const

async function newPerson() {
  const address = newWallet()
  return { address, client: await service.as(address) }
}
type Person = Awaited<ReturnType<typeof newPerson>>

/** Makes Bob, who has accepted Alice, and has a webhook. */
async function newPair() {
  const [alice, bob] = [await newPerson(), await newPerson()]
  await send(bob, alice)
  const [hook] = await bob.client.createWebhook({
    body: { url: `http://${receiver.host}/x`, events: [...events] },
  })
  return [alice, bob, hook!] as const
}

const send = async (from: Person, to: Person, message = 'a secret text') =>
  (await from.client.sendDirectMessage({ body: { fromaddr: from.address, toaddr: to.address, message } }))[0]!

/** Reads the log and does the jobs that are due; those that wait for up to `seconds` too. */
async function work(seconds = 0) {
  await followAll(service.ctx.db, webhookReader(service.ctx))
  await service.ctx.db.query(
    `update graphile_worker._private_jobs set run_at = now() where run_at < now() + $1 * interval '1 second'`,
    [seconds],
  )
  await service.runJobs()
}

const typesOf = (received: Received[]) =>
  received.map(({ body }) => (JSON.parse(body) as { type: string }).type)

test('a message is told without its text, and receivers can verify it by the secret and by the public key', async () => {
  const [alice, bob, hook] = await newPair()
  const sent = await send(alice, bob)
  await work()
  expect(receiver.received).toHaveLength(1)
  const { headers, body } = receiver.received[0]!
  expect(new Verifier(hook.secret!).verify(body, headers)).toEqual({
    type: 'message.direct',
    timestamp: sent.timestamp,
    data: { id: sent.id, fromaddr: alice.address, toaddr: bob.address },
  })
  expect(isSignedBy(hook.public_key, receiver.received[0]!)).toBe(true)
  expect(isSignedBy(hook.public_key, { headers, body: `${body} ` })).toBe(false)
  expect(() => new Verifier(hook.secret!).verify(body.replace('42', '43') + ' ', headers)).toThrow(
    'signature',
  )
  const [listed] = await bob.client.listWebhooks()
  expect(listed).not.toHaveProperty('secret')
  expect(JSON.stringify(listed)).not.toContain(hook.secret!.slice(6))
  expect(await bob.client.listDeliveries({ session: hook.id })).toMatchObject([
    {
      id: sent.id,
      event: 'message.direct',
      fromaddr: alice.address,
      attempts: 1,
      status: 200,
      is_done: true,
    },
  ])
})

test('after a rotation both secrets and both key pairs sign for a day, then the new ones alone', async () => {
  const [alice, bob, hook] = await newPair()
  const [rotated] = await bob.client.rotateWebhook({ session: hook.id })
  expect(rotated!.secret).not.toBe(hook.secret)
  expect(rotated!.public_key).not.toBe(hook.public_key)
  expect(Date.parse(rotated!.rotates_until!) - Date.now()).toBeGreaterThan(86_000_000)
  await send(alice, bob)
  await work()
  const [during] = receiver.received
  for (const { secret, public_key: key } of [hook, rotated!]) {
    expect(new Verifier(secret!).verify(during!.body, during!.headers)).toBeDefined()
    expect(isSignedBy(key, during!)).toBe(true)
  }
  await service.ctx.db.query('update webhooks set old_until_ms = $2 where id = $1', [hook.id, Date.now()])
  await send(alice, bob)
  await work()
  const after = receiver.received[1]!
  expect(new Verifier(rotated!.secret!).verify(after.body, after.headers)).toBeDefined()
  expect(() => new Verifier(hook.secret!).verify(after.body, after.headers)).toThrow('signature')
  expect(isSignedBy(hook.public_key, after)).toBe(false)
  expect((await bob.client.listWebhooks())[0]).not.toHaveProperty('rotates_until')
})

test('what waits is told also when its job is gone', async () => {
  const [alice, bob] = await newPair()
  receiver.answerBy((_, times) => (times === 1 ? 500 : 200))
  const { id } = await send(alice, bob)
  await work()
  await service.ctx.db.query(`delete from graphile_worker._private_jobs`)
  await resumeDeliveries(service.ctx.db)
  await work()
  expect(toldBy(receiver.received).map(({ data }) => data.id)).toEqual([id, id])
})

test('a stranger is a request; who is blocked or ignored, and oneself, is told of never; only what was asked for', async () => {
  const [alice, bob, hook] = await newPair()
  await bob.client.setDmPolicy({ body: { who: 'requests' } })
  const stranger = await newPerson()
  await send(stranger, bob)
  await send(bob, bob)
  await work()
  expect(typesOf(receiver.received)).toEqual(['request.new'])
  await bob.client.changeWebhook({ session: hook.id, body: { url: hook.url, events: ['message.direct'] } })
  await send(stranger, bob)
  await send(alice, bob)
  await work()
  expect(typesOf(receiver.received)).toEqual(['request.new', 'message.direct'])
  await bob.client.setContact({ peer: stranger.address, body: { state: 'ignored' } })
  await bob.client.setContact({ peer: alice.address, body: { blocked: true } })
  await send(stranger, bob).catch(() => {})
  await send(alice, bob).catch(() => {})
  await work()
  expect(receiver.received).toHaveLength(2)
})

test('who is muted or blocked before a delivery is told is not told, also when it waits', async () => {
  const [alice, bob] = await newPair()
  await bob.client.setContact({ peer: alice.address, body: { muted_until: 'forever' } })
  await send(alice, bob)
  await work()
  expect(receiver.received).toEqual([])
  await bob.client.setContact({ peer: alice.address, body: { muted_until: null } })
  receiver.answerBy(() => 500)
  await send(alice, bob)
  await work()
  expect(receiver.received).toHaveLength(1)
  receiver.answerBy(() => 200)
  await bob.client.setContact({ peer: alice.address, body: { blocked: true } })
  await service.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
  await work()
  expect(receiver.received).toHaveLength(1)
})

test('a failing delivery is tried again with the same id, and holds the later ones, so that their order is kept', async () => {
  const [alice, bob, hook] = await newPair()
  receiver.answerBy((_, times) => (times < 3 ? 503 : 200))
  const all = [await send(alice, bob), await send(alice, bob), await send(alice, bob)]
  await work()
  expect(receiver.received).toHaveLength(1)
  await work()
  expect(receiver.received, 'not before its time').toHaveLength(1)
  await work(10)
  await work(310)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual([0, 0, 0, 1, 1, 1].slice(0, ids.length).map((n) => `msg_${hook.id}_${all[n]!.id}`))
  receiver.answerBy(() => 200)
  await work(310)
  const taken = receiver.received
    .slice(-2)
    .map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id)
  expect(taken).toEqual([all[1]!.id, all[2]!.id])
  expect((await bob.client.listWebhooks())[0]).not.toHaveProperty('failing_since')
})

test('a redirect is a failure and is not followed; 410 turns a webhook off, with a mail; so do five days', async () => {
  const [alice, bob, hook] = await newPair()
  receiver.answerBy(() => 302)
  await send(alice, bob)
  await work()
  expect(await bob.client.listDeliveries({ session: hook.id })).toMatchObject([
    { status: 302, is_done: false },
  ])
  const email = `${bob.address}@example.org`
  await service.ctx.db.query(
    `insert into settings (wbucket, walletaddr, id, email, verified) select wbucket, walletaddr, 0, $2, true
     from webhooks where id = $1`,
    [hook.id, email],
  )
  receiver.answerBy(() => 410)
  await work(10)
  expect((await bob.client.listWebhooks())[0]).toMatchObject({ is_on: false })
  await service.runJobs()
  expect(smtp.inbox.map(({ mail }) => mail.subject)).toContain('A webhook was turned off')
  const before = receiver.received.length
  await send(alice, bob)
  await work(1e6)
  expect(receiver.received).toHaveLength(before)

  receiver.answerBy(() => 200)
  await bob.client.changeWebhook({
    session: hook.id,
    body: { url: hook.url, events: [...events], is_on: true },
  })
  await work(1e6)
  expect((await bob.client.listDeliveries({ session: hook.id })).every(({ is_done }) => is_done)).toBe(true)
  await service.ctx.db.query(`update webhooks set failing_ms = $2 where id = $1`, [
    hook.id,
    Date.now() - 6 * 86_400_000,
  ])
  receiver.answerBy(() => 500)
  await send(alice, bob)
  await work()
  expect((await bob.client.listWebhooks())[0]).toMatchObject({ is_on: false })
})

test('a delivery can be replayed with the same id, and a test says what the address answers', async () => {
  const [alice, bob, hook] = await newPair()
  const sent = await send(alice, bob)
  await work()
  await bob.client.replayDelivery({ session: hook.id, id: sent.id })
  await work()
  const [first, second] = receiver.received
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(second!.body).toBe(first!.body)
  receiver.answerBy(() => 418)
  await bob.client.testWebhook({ session: hook.id })
  await work()
  expect((await bob.client.listDeliveries({ session: hook.id }))[0]).toMatchObject({
    event: 'test',
    status: 418,
    is_done: true,
  })
  await expect(bob.client.replayDelivery({ session: hook.id, id: 1 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test.each([
  'http://example.org/',
  'https://127.0.0.1:22/',
  'https://127.0.0.1/',
  'https://[::ffff:7f00:1]/',
  'https://metadata.google.internal/',
  'https://user:password@example.org/',
  'ftp://example.org/',
  'example.org',
])('%s is refused', async (url) => {
  const { client } = await newPerson()
  await expect(client.createWebhook({ body: { url, events: ['message.direct'] } })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('what leads into a private network is not asked, and counts as no answer', async () => {
  const [alice, bob, hook] = await newPair()
  for (const url of ['https://127.0.0.1/', 'https://169.254.169.254/', 'https://[::ffff:7f00:1]/']) {
    // The URL is stored as if it had been allowed when the webhook was made.
    await service.ctx.db.query('update webhooks set url = $1 where walletaddr = $2', [url, bob.address])
    await bob.client.testWebhook({ session: hook.id })
    await work()
    const [latest] = await bob.client.listDeliveries({ session: hook.id })
    expect(latest, url).toMatchObject({ status: 0 })
  }
  expect(receiver.received).toEqual([])
  expect(alice.address).toBeDefined()
})

test('five for a wallet, each its owner’s alone; erasing ends them', async () => {
  const [[, bob, hook], eve] = [await newPair(), await newPerson()]
  const body = { url: `http://${receiver.host}/y`, events: [...events] }
  for (let n = 0; n < 4; n++) await bob.client.createWebhook({ body })
  await expect(bob.client.createWebhook({ body })).rejects.toMatchObject({ code: 'limit_reached' })
  for (const call of [
    () => eve.client.deleteWebhook({ session: hook.id }),
    () => eve.client.listDeliveries({ session: hook.id }),
    () => eve.client.changeWebhook({ session: hook.id, body }),
    () => eve.client.testWebhook({ session: hook.id }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  await bob.client.deleteWebhook({ session: hook.id })
  expect(await bob.client.listWebhooks()).toHaveLength(4)
  const zip = Buffer.from(
    await new Response(await bob.client.exportAccount({ address: bob.address })).arrayBuffer(),
  )
  expect(zip.includes('webhooks.jsonl')).toBe(true)
  await bob.client.eraseAccount({ address: bob.address })
  for (const table of ['webhooks', 'webhook_deliveries'])
    expect(
      await service.ctx.db.query(`select id from ${table} where walletaddr = $1`, [bob.address]),
    ).toEqual([])
})

test('two instances tell each message once, in order', async () => {
  const [alice, bob] = await newPair()
  for (let n = 0; n < 20; n++) await send(alice, bob)
  await followAll(service.ctx.db, webhookReader(service.ctx))
  await Promise.all([service.runJobs(), beside.runJobs()])
  await service.runJobs()
  const ids = receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id)
  expect(ids).toHaveLength(20)
  expect(ids).toEqual(ids.toSorted((one, next) => one - next))
})

test('a receiver that answers with a long page, or one without an end, has taken it', async () => {
  const [alice, bob, hook] = await newPair()
  const pages: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(70_000)),
    (response) => {
      const more = () => response.destroyed || (response.write('x'.repeat(10_000)), setTimeout(more, 1))
      response.writeHead(201)
      more()
    },
  ]
  for (const page of pages) {
    receiver.answerBy(() => page)
    await send(alice, bob)
    await work()
    const [delivery] = await bob.client.listDeliveries({ session: hook.id })
    expect(delivery).toMatchObject({ is_done: true, attempts: 1 })
    expect(delivery!.status).toBeGreaterThanOrEqual(200)
  }
  expect(receiver.received).toHaveLength(2)
})

const other = useService(() => ({
  beside: service,
  privateFetchHosts: [receiver.host],
  privatePushHosts: [receiver.host],
}))

test('hosts of the private network that other features may ask are closed to webhooks', async () => {
  const client = await other.as(newWallet())
  const body = { url: `http://${receiver.host}/api/v0/repo/gc?x=1`, events: [...events] }
  await expect(client.createWebhook({ body })).rejects.toMatchObject({ status: 400 })
  // One that was accepted before the operator closed its host is not called either.
  const [hook] = await (await service.as(newWallet())).createWebhook({ body })
  const owner = await service.ctx.db.query<{ walletaddr: string }>(
    'select walletaddr from webhooks where id = $1',
    [hook!.id],
  )
  const before = await other.as(owner[0]!.walletaddr)
  await before.testWebhook({ session: hook!.id })
  await other.runJobs()
  expect(receiver.received).toEqual([])
  expect(await before.listDeliveries({ session: hook!.id })).toMatchObject([{ status: 0 }])
})
