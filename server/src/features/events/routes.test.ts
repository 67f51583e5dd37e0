import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { issueToken } from '../../auth/tokens.ts'
import { chatMember } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, type Service, startService, useService } from '../../../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })
const fast = useService({ beside: service, tickEvery: 50 })
const limited = useService({
  beside: service,
  rateLimits: true,
  bytesLimit: { burst: 300, perSecond: 1 },
  tickEvery: 50,
})

const dm = async (on: Service, fromaddr: string, toaddr: string, message: string) =>
  (await (await on.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } }))[0]!
const post = async (on: Service, fromaddr: string, nftaddr: string, message: string) =>
  (await (await on.as(fromaddr)).postGroupMessage({ body: { fromaddr, nftaddr, message } }))[0]!
test('a direct message reaches both ends, on every device and instance, as it was answered; nobody else', async () => {
  const [alice, bob, eve] = [newWallet(), newWallet(), newWallet()]
  await using sender = await listenTo(service, alice)
  await using recipient = await listenTo(service, bob)
  await using phone = await listenTo(other, bob)
  await using stranger = await listenTo(other, eve)
  expect(sender.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(sender.response.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(sender.response.headers.get('x-accel-buffering')).toBe('no')
  expect(sender.response.headers.get('access-control-allow-origin')).toBe('*')
  await expect.poll(() => sender.state.lastId).toMatch(/^\d+$/)

  const item = await dm(service, alice, bob, 'gm "bob"\n\n👋')
  for (const stream of [sender, recipient, phone]) {
    await stream.receives(1)
    expect(stream.events()).toEqual([{ type: 'direct-message', item }])
  }
  await sleep(50)
  expect(stranger.received).toEqual([])
})

test('what one writes to oneself comes once', async () => {
  const alice = newWallet()
  await using stream = await listenTo(service, alice)
  await dm(service, alice, alice, 'note')
  const { id } = await dm(service, alice, alice, 'another')
  await stream.receives(2)
  await (await service.as(alice)).deleteDirectMessage({ id })
  await stream.receives(3)
  expect(stream.events()).toMatchObject([
    { item: { message: 'note' } },
    { item: { message: 'another' } },
    { type: 'deleted', id },
  ])
})

const acme = useService({ beside: service, encryptionVendor: 'acme' })

test('the vendor of the encryption fields has its name in events too', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  await using stream = await listenTo(acme, bob)
  const body = {
    fromaddr: alice,
    toaddr: bob,
    message: '"encrypted_sym_x_key":',
    encrypted_sym_acme_key: 'k',
  }
  await (await acme.as(alice)).sendDirectMessage({ body })
  await stream.receives(1)
  expect(stream.events()).toMatchObject([
    { item: { message: '"encrypted_sym_x_key":', encrypted_sym_acme_key: 'k' } },
  ])
})

test('a group message reaches those who have joined, from when they join until they leave', async () => {
  const punks = newWallet()
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  await chatMember(service, punks, alice)
  await using before = await listenTo(service, alice)
  await using later = await listenTo(other, bob)
  await using never = await listenTo(service, carol)

  await post(other, carol, punks, 'one')
  await chatMember(service, punks.toUpperCase().replace('0X', '0x'), bob)
  const item = await post(service, carol, punks, 'two')
  await (await other.as(bob)).leaveChat({ body: { walletaddr: bob, nftaddr: punks } })
  await post(service, carol, punks, 'three')

  await before.receives(3)
  expect(before.messages()).toEqual(['one', 'two', 'three'])
  await later.receives(3)
  await sleep(50)
  expect(later.events()).toEqual([
    { type: 'inbox', change: 'joined', nftaddr: punks },
    { type: 'group-message', item },
    { type: 'inbox', change: 'left', nftaddr: punks },
  ])
  expect(never.received).toEqual([])
})

test('read flags, deletions and what the wallet does elsewhere are delivered to the wallets they concern', async () => {
  const punks = newWallet()
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  await using sender = await listenTo(service, alice)
  await using recipient = await listenTo(service, bob)
  const { id } = await dm(service, alice, bob, 'one')
  await recipient.receives(1)
  const mark = (read: boolean) =>
    asBob.markDirectMessage({
      fromaddr: alice,
      toaddr: bob,
      body: { id, fromaddr: alice, toaddr: bob, message: '', read },
    })
  await mark(true)
  await mark(true)
  await mark(false)
  await asAlice.deleteDirectMessage({ id })
  await asAlice.deleteConversation({ fromaddr: alice, toaddr: bob })
  await dm(service, bob, alice, 'two')
  await recipient.receives(5)
  await asAlice.deleteConversation({ fromaddr: alice, toaddr: bob })
  await asAlice.deleteConversation({ fromaddr: alice, toaddr: bob })
  const three = await post(service, alice, punks, 'three')
  await asBob.listGroupMessages({ address: punks, useraddress: bob })
  await asBob.listGroupMessages({ address: punks, useraddress: bob })

  const ends = { fromaddr: alice, toaddr: bob }
  const both = [
    { type: 'direct-message', item: expect.objectContaining({ id }) },
    { type: 'read', id, ...ends, read: true },
    { type: 'read', id, ...ends, read: false },
    { type: 'deleted', id, ...ends },
    { type: 'direct-message', item: expect.objectContaining({ message: 'two' }) },
    { type: 'conversation-deleted', ...ends },
  ]
  await recipient.receives(7)
  await sleep(50)
  expect(sender.events()).toEqual(both)
  const entered = { type: 'inbox', change: 'entered', nftaddr: punks, id: three.id }
  expect(recipient.events()).toEqual([...both, entered])
})

test('a stream ends when its token expires, and shows signs of life until then', async () => {
  await using stream = await listenTo(fast, newWallet(), { lifetime: 3 })
  await expect.poll(() => stream.state.comments, { timeout: 2500 }).toBeGreaterThan(1)
  expect(stream.state.ended).toBe(false)
  await stream.ends()
})

test('signing out everywhere ends the streams of the wallet, on every instance, and no others', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  await using here = await listenTo(service, alice)
  await using there = await listenTo(other, alice)
  await using bobs = await listenTo(other, bob)
  const client = await service.as(alice)
  const asked = performance.now()
  await client.signOutEverywhere()
  await Promise.all([here.ends(), there.ends()])
  expect(performance.now() - asked).toBeLessThan(5_000)
  expect(bobs.state.ended).toBe(false)
})

test('HEAD answers the head alone, and a wallet may not open streams without end', async () => {
  const alice = newWallet()
  const headers = { authorization: `Bearer ${await issueToken(limited.ctx, alice)}` }
  const head = await fetch(`${await limited.listen()}/v1/events`, { method: 'HEAD', headers })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const anonymous = await fetch(`${await limited.listen()}/v1/events?token=${headers.authorization}`)
  expect(anonymous.status).toBe(401)
  expect(anonymous.headers.get('content-type')).toBe('application/problem+json')
  const streams = await Promise.all(Array.from({ length: 20 }, () => listenTo(limited, alice)))
  await using oneMore = await listenTo(limited, alice)
  expect(oneMore.response.status).toBe(429)
  expect(oneMore.response.headers.get('retry-after')).toBe('10')
  expect(oneMore.detail).toMatch(/^A wallet may have 20 event streams open\./)
  await streams[0]![Symbol.asyncDispose]()
  await expect
    .poll(async () => {
      await using again = await listenTo(limited, alice)
      return again.response.status
    })
    .toBe(200)
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()))
})

const few = useService({ beside: service, rateLimits: true, streamsOfAddress: 3 })

const unlimited = useService({
  beside: service,
  rateLimits: false,
  streamsOfAddress: 3,
  streamsOfWallet: 1,
})

test('the wallets of a network address may not open streams without end, and RATE_LIMITS=off counts none', async () => {
  const open = () => Promise.all(Array.from({ length: 4 }, () => listenTo(few, newWallet())))
  const streams = await open()
  const refused = streams.filter(({ response }) => response.status === 429)
  expect(refused).toHaveLength(1)
  expect(refused[0]!.response.headers.get('retry-after')).toBe('10')
  expect(refused[0]!.detail).toMatch(/^All wallets of your network address may have 3 event streams/)
  await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()))
  await expect
    .poll(async () => {
      await using again = await listenTo(few, newWallet())
      return again.response.status
    })
    .toBe(200)

  const many = await Promise.all(['a', 'a', 'b', 'c', 'd'].map((wallet) => listenTo(unlimited, wallet)))
  expect(many.map(({ response }) => response.status)).toEqual(Array(5).fill(200))
  await Promise.all(many.map((stream) => stream[Symbol.asyncDispose]()))
})

test('a stream that cannot be opened is a problem like any other, and the next one opens', async () => {
  const token = await issueToken(service.ctx, newWallet())
  const url = `${await service.listen()}/v1/events`
  await service.ctx.db.query('alter table bookmarks rename to gone')
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await service.ctx.db.query('alter table gone rename to bookmarks')
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  await using stream = await listenTo(service, newWallet())
  expect(stream.response.status).toBe(200)
})

test('a stream is the last response of its connection: it needs no parser, ignores what comes, and ends with its client', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const accepted = once(service.app.server, 'connection') as Promise<[net.Socket]>
  const { port } = new URL(await service.listen())
  const client = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  client.setEncoding('utf8').on('data', (text: string) => (received += text))
  const token = await issueToken(service.ctx, bob)
  client.write(`GET /v1/events HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await expect.poll(() => received).toContain('\nid: ')
  const [connection] = await accepted
  expect(Reflect.get(connection, 'parser')).toBeNull()
  client.write('GET /livez HTTP/1.1\r\nHost: parley\r\n\r\n\0\0no HTTP')
  await dm(service, alice, bob, 'still here')
  await expect.poll(() => received).toContain('still here')
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
  client.end()
  await once(client, 'close')
  expect(connection.destroyed).toBe(true)
})

test('closing the service ends its streams at once, also those of clients that do not read', async () => {
  const own = await startService()
  const stream = await listenTo(own, newWallet())
  const { port } = new URL(await own.listen())
  const stuck = net.connect(Number(port), '127.0.0.1')
  const token = await issueToken(own.ctx, newWallet())
  stuck.write(`GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(stuck, 'readable')
  const begun = Date.now()
  await own[Symbol.asyncDispose]()
  expect(Date.now() - begun).toBeLessThan(2500)
  await stream.ends()
  expect(Number(stream.state.retries.at(-1))).toBeGreaterThanOrEqual(500)
  stuck.destroy()
})

const severed = useService()

const besideSevered = useService({ beside: severed, tickEvery: 300 })

test('when the listening connection is cut, messages still come, and soon as fast as before', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  await using stream = await listenTo(besideSevered, bob)
  const cut = () =>
    severed.ctx.db.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'parley events'`,
    )
  const listeners = async () =>
    (
      await severed.ctx.db.query(
        `select 1 as one from pg_stat_activity where datname = current_database() and query like 'listen%'`,
      )
    ).length
  await dm(severed, alice, bob, 'before')
  await stream.receives(1)
  expect((await cut()).length).toBeGreaterThan(0)
  await dm(severed, alice, bob, 'meanwhile')
  await stream.receives(2)
  await expect.poll(listeners, { timeout: 5000 }).toBeGreaterThan(0)
  await dm(severed, alice, bob, 'after')
  await stream.receives(3)
  expect(stream.messages()).toEqual(['before', 'meanwhile', 'after'])
})

test('streams stay open while the database is away, and get what was committed when it is back', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  await using stream = await listenTo(fast, bob)
  await dm(fast, alice, bob, 'before')
  await stream.receives(1)
  // Sending does without this table, reading the log does not.
  await service.ctx.db.query('alter table events rename to away')
  await dm(fast, alice, bob, 'meanwhile')
  await sleep(200)
  expect(stream.state.ended).toBe(false)
  await service.ctx.db.query('alter table away rename to events')
  await stream.receives(2)
  expect(stream.messages()).toEqual(['before', 'meanwhile'])
})

const sleepy = useService({ beside: service, tickEvery: 3_600_000 })

test('another instance is woken by a signal, not by its clock', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  await using stream = await listenTo(sleepy, bob)
  for (let i = 1; i <= 5; i++) {
    const begun = performance.now()
    await dm(service, alice, bob, String(i))
    await stream.receives(i)
    expect(performance.now() - begun).toBeLessThan(1000)
  }
})

test('a stream that was sent more than its bytes is ended, and its wallet must wait; others go on', async () => {
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  await using much = await listenTo(limited, bob)
  await using little = await listenTo(limited, carol)
  const asAlice = await limited.as(alice)
  for (let i = 0; i < 6; i++)
    await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'x'.repeat(60_000) } })
  await much.ends()
  await using again = await listenTo(limited, bob)
  expect(again.response.status).toBe(429)
  expect(again.detail).toMatch(/^Download limit of your wallet reached: 300 KiB at once and 1 KiB a second/)
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: carol, message: 'gm' } })
  await little.receives(1)
  expect(little.state.ended).toBe(false)
})
