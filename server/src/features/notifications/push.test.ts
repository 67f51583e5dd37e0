// These tests cover web push from the message to the browser: a push service of these tests accepts, decrypts and answers.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PushPerson as Person, startPushing } from '../../../../testing/people/push-people.ts'
import { startService, useService } from '../../../../testing/service/service.ts'
import { readConfig } from '../../config/settings.ts'
import { defaults } from '../../messages/notification-policy.ts'
import { mayPushTo } from './push-service.ts'
import { deleteOldProgress } from './progress.ts'

let t: Awaited<ReturnType<typeof startPushing>>
let { pushService, service, newPerson, work, later } = {} as typeof t
beforeAll(async () => {
  t = await startPushing()
  ;({ pushService, service, newPerson, work, later } = t)
})
afterAll(() => t[Symbol.asyncDispose]())
beforeEach(() => pushService.answerBy(() => ({ status: 201 })))

/** Makes two wallets that have accepted each other. */
async function newPair() {
  const [alice, bob] = [await newPerson({ subscribe: false }), await newPerson()]
  await send(bob, alice, 'hello')
  await alice.client.setContact({ peer: bob.address, body: { state: 'accepted' } })
  return [alice, bob] as const
}

const send = async (from: Person, to: Person, message = 'a secret text') =>
  (await from.client.sendDirectMessage({ body: { fromaddr: from.address, toaddr: to.address, message } }))[0]!

test('a message is one push: encrypted, signed, without its text, of a length that tells nothing', async () => {
  const [alice, bob] = await newPair()
  await alice.client.setName({ body: { address: alice.address, name: `Alice ${alice.address.slice(-5)}` } })
  await send(alice, bob)
  await work()
  expect(bob.pushes()).toHaveLength(1)
  const [{ push, headers, claims, size }] = bob.pushes() as [ReturnType<Person['pushes']>[0]]
  expect(push).toMatchObject({
    v: 1,
    kind: 'dm',
    title: `Alice ${alice.address.slice(-5)}`,
    body: 'New message',
    url: `/dm/${alice.address}`,
    badge: 1,
  })
  expect(headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' })
  expect(headers.topic).toBe(push.tag)
  expect(push.tag).toMatch(/^[\w-]{32}$/)
  expect(claims).toMatchObject({ aud: `https://${pushService.host}`, sub: 'https://chat.example.org' })
  expect(claims.exp - Date.now() / 1000).toBeLessThanOrEqual(86_400)
  expect(size).toBeGreaterThan(1024)
  expect(size).toBeLessThan(1200)
  const [listed] = await bob.client.listPushSubscriptions()
  expect(listed).toMatchObject({ host: pushService.host, answer: 201 })
  expect(listed).not.toHaveProperty('endpoint')
})

test('a push says in words who is on the team of the service, and who only has such a name', async () => {
  const [alice, bob] = await newPair()
  await service.ctx.db.query(
    `insert into officials (address, label, named_by, since_ms) values ($1, 'Support', 'a test', 1)`,
    [alice.address],
  )
  await service.ctx.officials.refresh()
  await alice.client.setName({ body: { name: 'Support' } })
  await send(alice, bob)
  await work()
  await service.ctx.db.query('delete from officials')
  await service.ctx.officials.refresh()
  await later()
  await send(alice, bob)
  await work()
  expect(bob.pushes().map(({ push }) => push.title)).toEqual(['Support (official)', 'Support (not official)'])
  await alice.client.deleteName()
})

test('what was read meanwhile, muted, blocked, a stranger’s or one’s own is none', async () => {
  const [alice, bob] = await newPair()
  const sent = await send(alice, bob)
  await service.runJobs()
  await bob.client.markReadTo({ addr: alice.address, body: { id: sent.id, context_type: 'dm' } })
  await work()
  expect(bob.pushes(), 'read').toHaveLength(0)

  await bob.client.setContact({ peer: alice.address, body: { muted_until: 'forever' } })
  await send(alice, bob)
  await work()
  expect(bob.pushes(), 'muted').toHaveLength(0)
  await bob.client.setContact({ peer: alice.address, body: { muted_until: null, blocked: true } })
  await send(alice, bob).catch(() => {})
  await work()
  expect(bob.pushes(), 'blocked').toHaveLength(0)

  const stranger = await newPerson({ subscribe: false })
  await bob.client.setDmPolicy({ body: { who: 'requests' } })
  await send(stranger, bob)
  await send(bob, bob)
  await work()
  expect(bob.pushes(), 'a stranger').toHaveLength(0)
  await bob.client.setNotificationRules({ body: { ...defaults, push: { dm: true, requests: true } } })
  await send(stranger, bob, 'click here')
  await work()
  expect(bob.pushes().map(({ push }) => [push.kind, push.body])).toEqual([
    ['request', 'Wants to write to you'],
  ])
})

test('at most one push in half a minute for a conversation; the next one tells of all since', async () => {
  const [alice, bob] = await newPair()
  for (let n = 0; n < 3; n++) await send(alice, bob)
  await work()
  expect(bob.pushes().map(({ push }) => push.body)).toEqual(['3 new messages'])
  await send(alice, bob)
  await work(10_000)
  expect(bob.pushes(), 'too early').toHaveLength(1)
  await later()
  await work()
  expect(bob.pushes().map(({ push }) => push.body)).toEqual(['3 new messages', '4 new messages'])
  await work()
  expect(bob.pushes(), 'nothing new').toHaveLength(2)
  expect(new Set(bob.pushes().map(({ push }) => push.tag)).size).toBe(1)
})

test.each([
  ['none', 'Parley', 'New message'],
  ['text', undefined, 'a secret text'],
] as const)('preview %s', async (preview, title, body) => {
  const [alice, bob] = await newPair()
  await bob.client.setNotificationRules({ body: { ...defaults, preview } })
  await send(alice, bob)
  await work()
  expect(bob.pushes()[0]!.push).toMatchObject({ ...(title && { title }), body })
})

test('a push has a text on one line without the markers of its formatting', async () => {
  const [alice, bob] = await newPair()
  await bob.client.setNotificationRules({ body: { ...defaults, preview: 'text' } })
  await send(alice, bob, '> *gm*\n**Good** `morning`, snake_case')
  await work()
  expect(bob.pushes()[0]!.push.body).toBe('gm Good morning, snake_case')
})

test('a text that is encrypted is never in a push', async () => {
  const [alice, bob] = await newPair()
  await bob.client.setNotificationRules({ body: { ...defaults, preview: 'text' } })
  const body = {
    fromaddr: alice.address,
    toaddr: bob.address,
    message: 'c2VjcmV0',
    encrypted_sym_x_key: 'a key',
  }
  await alice.client.sendDirectMessage({ body })
  await work()
  expect(bob.pushes()[0]!.push.body).toBe('Encrypted message')
})

test('in quiet hours nothing comes; their end tells once', async () => {
  const [alice, bob] = await newPair()
  const carol = await newPerson({ subscribe: false })
  await bob.client.setContact({ peer: carol.address, body: { state: 'accepted' } })
  const all = [1, 2, 3, 4, 5, 6, 7]
  const hour = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const quiet = [{ days: all, from: hour(Date.now() - 3_600_000), to: hour(Date.now() + 3_600_000) }]
  await bob.client.setNotificationRules({ body: { ...defaults, quiet } })
  await send(alice, bob)
  await send(alice, bob)
  await send(carol, bob)
  await work()
  expect(bob.pushes()).toHaveLength(0)
  await bob.client.setNotificationRules({ body: defaults })
  await work(2 * 3_600_000)
  expect(bob.pushes().map(({ push }) => [push.kind, push.body])).toEqual([
    ['summary', '3 unread messages in 2 conversations'],
  ])
})

test.each([404, 410])('%i ends a subscription', async (status) => {
  const [alice, bob] = await newPair()
  pushService.answerBy(() => ({ status }))
  await send(alice, bob)
  await work()
  expect(await bob.client.listPushSubscriptions()).toEqual([])
})

test('429 and 503 are tried again, 403 is not; what is too large goes without its text; old pushes are not sent', async () => {
  const [alice, bob] = await newPair()
  pushService.answerBy((_, times) => ({
    status: [429, 503, 201][times - 1]!,
    headers: { 'retry-after': '1' },
  }))
  await send(alice, bob)
  for (let n = 0; n < 4; n++) await work()
  expect(bob.pushes()).toHaveLength(3)

  const [, dave] = [alice, await newPerson()]
  await dave.client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  pushService.answerBy(() => ({ status: 403 }))
  await send(alice, dave)
  for (let n = 0; n < 3; n++) await work()
  expect(dave.pushes()).toHaveLength(1)
  expect((await dave.client.listPushSubscriptions())[0]!.answer).toBe(403)

  await later()
  await dave.client.setNotificationRules({ body: { ...defaults, preview: 'text' } })
  pushService.answerBy(({ push }) => ({ status: push.body.includes('secret') ? 413 : 201 }))
  await send(alice, dave)
  for (let n = 0; n < 3; n++) await work()
  expect(
    dave
      .pushes()
      .map(({ push }) => push.body)
      .slice(1),
  ).toEqual(['a secret text', '2 new messages'])

  await later()
  pushService.answerBy(() => ({ status: 503 }))
  await send(alice, dave)
  await work()
  const tried = dave.pushes().length
  await service.ctx.db.query(
    `update graphile_worker._private_jobs set created_at = now() - interval '7 hours'`,
  )
  await work(1e9)
  expect(dave.pushes()).toHaveLength(tried)
})

test('a subscription that is hostile is refused, and where it leads is not asked', async () => {
  const { client } = await newPerson({ subscribe: false })
  const keys = pushService.subscribe('hostile')
  for (const endpoint of [
    'https://127.0.0.1/x',
    'https://169.254.169.254/latest',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:22/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://user:pass@fcm.googleapis.com/x',
    'https://evil-push.apple.com.example/',
    'https://push.apple.com@127.0.0.1/',
    'no url',
  ])
    await expect(client.putPushSubscription({ body: { ...keys, endpoint } }), endpoint).rejects.toMatchObject(
      {
        code: 'bad_request',
      },
    )
  // These keys are no keys of a browser: the subscription ends at the first push.
  await client.putPushSubscription({ body: { ...keys, p256dh: 'A'.repeat(87) } })
  expect(await client.testPush()).toMatchObject([{ status: 0 }])
  expect(await client.listPushSubscriptions()).toEqual([])
})

test('ten browsers at most, one owner for each; a test push says what each push service answered', async () => {
  const [alice, bob] = [await newPerson({ subscribe: false }), await newPerson({ subscribe: false })]
  const browsers = Array.from({ length: 11 }, (_, n) => pushService.subscribe(`many-${n}-${alice.address}`))
  for (const body of browsers) await alice.client.putPushSubscription({ body })
  const listed = await alice.client.listPushSubscriptions()
  expect(listed).toHaveLength(10)
  expect(listed.map(({ label }) => label)).not.toContain(browsers[0]!.label)
  await bob.client.putPushSubscription({ body: browsers[10]! })
  expect(await alice.client.listPushSubscriptions()).toHaveLength(9)
  pushService.answerBy(({ endpoint }) => ({ status: endpoint.startsWith('many-1-') ? 503 : 201 }))
  const tested = await alice.client.testPush()
  expect(tested.filter(({ status }) => status === 201)).toHaveLength(8)
  expect(tested.find(({ status }) => status === 503)!.detail).toContain('tried again')
  const [first] = tested
  await alice.client.deletePushSubscription({ session: first!.id })
  await expect(alice.client.deletePushSubscription({ session: first!.id })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(bob.client.deletePushSubscription({ session: tested[1]!.id })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('rules are kept as they were set; a time zone that nobody knows is refused', async () => {
  const { client } = await newPerson({ subscribe: false })
  expect(await client.getNotificationRules()).toEqual(defaults)
  const rules = { ...defaults, tz: 'Asia/Kolkata', quiet: [{ days: [6, 7], from: '00:00', to: '00:00' }] }
  await client.setNotificationRules({ body: rules })
  expect(await client.getNotificationRules()).toEqual(rules)
  for (const wrong of [
    { tz: 'Mars/Base' },
    { tz: '+01:00' },
    { quiet: [{ days: [8], from: '1', to: '25:00' }] },
  ])
    await expect(client.setNotificationRules({ body: { ...rules, ...wrong } })).rejects.toMatchObject({
      status: 400,
    })
})

test('without an address that push services take there are no pushes, and it is said why', async () => {
  for (const address of [
    'parley@localhost',
    'parley@10.0.0.5',
    'no-reply@chat.invalid',
    'parley@mail.internal',
  ]) {
    const mailFrom = { name: 'Parley', address }
    await using other = await startService({ publicUrl: 'http://127.0.0.1:8080', mailFrom })
    const answer = await other.app.inject('/v1/push_key')
    expect(answer.statusCode).toBe(503)
    expect(answer.json().detail).toContain('PUBLIC_URL')
  }
})

test('push services of all browsers are taken, others are not', async () => {
  const endpoints = [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://jmt17.google.com/fcm/send/x',
    'https://android.googleapis.com/gcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=x',
  ]
  for (const endpoint of endpoints) expect(mayPushTo(readConfig({}), endpoint), endpoint).toBe(true)
  for (const host of ['google.com', 'evil.jmt17.google.com', 'jmt17.google.com.evil.example', 'push.example'])
    expect(mayPushTo(readConfig({}), `https://${host}/fcm/send/x`), host).toBe(false)
  // A host that other features may call in the operator's own network is no push service.
  const own = readConfig({ PRIVATE_FETCH_HOSTS: 'ipfs:5001', PRIVATE_WEBHOOK_HOSTS: 'ipfs:5001' })
  expect(mayPushTo(own, 'http://ipfs:5001/x')).toBe(false)
  expect(mayPushTo(readConfig({ PRIVATE_PUSH_HOSTS: 'ipfs:5001' }), 'http://ipfs:5001/x')).toBe(true)
})

const other = useService(() => ({ publicUrl: 'https://chat.example.org', beside: service }))

test('all instances have one key; export says what there is without the endpoint, erasing ends it', async () => {
  const bob = await newPerson()
  const key = (await service.anonymous.getPushKey()).public_key
  expect((await other.anonymous.getPushKey()).public_key).toBe(key)
  const zip = Buffer.from(
    await new Response(await bob.client.exportAccount({ address: bob.address })).arrayBuffer(),
  )
  expect(zip.includes('push_subscriptions.jsonl')).toBe(true)
  expect(zip.includes('notification_rules.jsonl')).toBe(true)
  await bob.client.eraseAccount({ address: bob.address })
  for (const table of ['push_subscriptions', 'push_marks', 'notification_rules'])
    expect(
      await service.ctx.db.query(`select walletaddr from ${table} where walletaddr = $1`, [bob.address]),
    ).toEqual([])
  await deleteOldProgress(service.ctx.db)
})

test('the calls of the docs, as they stand there', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/notifications.md'), 'utf8')
  const [, code] = /```js\n([\s\S]*?)```/.exec(page)!
  const { client } = await newPerson({ subscribe: false })
  const { endpoint, p256dh, auth } = pushService.subscribe('of-the-docs')
  const subscribed: unknown[] = []
  const pushManager = {
    subscribe: async (options: unknown) => {
      subscribed.push(options)
      return { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) }
    },
  }
  const navigator = { serviceWorker: { ready: Promise.resolve({ pushManager }) } }
  const printed: unknown[] = []
  const console = { log: (value: unknown) => void printed.push(value) }
  await runInNewContext(`(async () => {${code}})()`, { parley: client, navigator, console, Intl })
  expect(subscribed).toEqual([
    { userVisibleOnly: true, applicationServerKey: (await client.getPushKey()).public_key },
  ])
  expect(printed).toMatchObject([[{ label: 'Firefox on my phone', status: 201 }]])
  expect((await client.getNotificationRules()).quiet).toHaveLength(1)
})
