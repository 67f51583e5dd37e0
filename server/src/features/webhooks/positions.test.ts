// An entry that waits for webhooks is stored once, where it is: however many webhooks get a post, and however long that takes.

import { expect, test } from 'vitest'
import { followAll } from '../../../../testing/service/log.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'
import { toldBy } from '../../../../testing/outside/webhook-receiver.ts'
import { useWebhookSite } from '../../../../testing/outside/webhook-receiver.ts'
import type { Webhook } from '@parley/sdk'
import { deleteOldOfWebhooks } from './deliver.ts'
import { bytesStored as deliveryBytes, mostStored } from './deliveries.ts'
import { openLine } from './line.ts'
import { webhookReader } from './reader.ts'

const site = useWebhookSite({ rateLimits: false })
type Person = Awaited<ReturnType<typeof site.newPerson>>

let towns = 0
/** Makes Alice, who owns a community that others have joined. */
async function newTown(members: number) {
  const all = await Promise.all(Array.from({ length: members + 1 }, site.newPerson))
  const [alice, ...others] = all
  const nftaddr = `Positions${process.pid}n${++towns}`
  await alice!.client.createCommunity({ body: { community: nftaddr, social: [] } })
  for (const one of all) await join(one, nftaddr)
  return { alice: alice!, others, nftaddr }
}

const join = ({ address, client }: Person, nftaddr: string) =>
  client.joinChat({ body: { walletaddr: address, nftaddr } })
const hookOf = async ({ client }: Person, events: Webhook['events'] = ['message.group'], narrow = {}) =>
  (await client.createWebhook({ body: { url: `http://${site.receiver.host}/x`, events, ...narrow } }))[0]!
const change = ({ client }: Person, { id, url }: Webhook, body: object) =>
  client.changeWebhook({ session: id, body: { url, events: ['message.group'], ...body } })
const post = async ({ address, client }: Person, nftaddr: string, message = 'x') =>
  (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!.id
const send = async (from: Person, to: Person) =>
  (
    await from.client.sendDirectMessage({
      body: { fromaddr: from.address, toaddr: to.address, message: 'gm' },
    })
  )[0]!.id

const read = () => followAll(site.service.ctx.db, webhookReader(site.service.ctx))
async function work() {
  await read()
  await site.service.ctx.db.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now()',
  )
  await site.service.runJobs()
}

/** Returns the bytes of all that is stored for webhooks, with indexes, beside the webhooks themselves. */
async function bytesKept(): Promise<number> {
  for (const table of tables) await site.service.ctx.db.query(`vacuum full ${table}`)
  const [row] = await site.service.ctx.db.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(name::regclass))::bigint as bytes from unnest($1::text[]) as t (name)`,
    [tables],
  )
  return row!.bytes
}
const tables = ['webhook_waiting', 'webhook_events', 'webhook_deliveries']

const rowsOf = async (table: string, hook: string) =>
  (await site.service.ctx.db.query(`select 1 as one from ${table} where hook = $1`, [hook])).length

/** Returns what a webhook received, in order and each once. */
const toldTo = ({ id }: Webhook) => [
  ...new Set(
    toldBy(
      site.receiver.received.filter(({ headers }) => headers['webhook-id']!.startsWith(`msg_${id}_`)),
    ).map(({ data }) => data.id),
  ),
]

test('200 posts of one byte that wait for 200 webhooks are kept once', async () => {
  const { alice, others, nftaddr } = await newTown(40)
  const hooks: Webhook[] = []
  for (const one of others) for (let n = 0; n < 5; n++) hooks.push(await hookOf(one))
  const before = await bytesKept()
  const ids: number[] = []
  for (let n = 0; n < 200; n++) ids.push(await post(alice, nftaddr))
  await read()
  // There is a row for each webhook, and nothing for each post.
  expect((await bytesKept()) - before).toBeLessThan(120_000)
  expect(await rowsOf('webhook_waiting', hooks[0]!.id)).toBe(1)

  // Sending to all of them takes minutes: here some get it, and the others have come to this in the same way.
  const told = new Set([hooks[0]!, hooks[1]!, hooks[199]!])
  await site.service.ctx.db.query('delete from webhook_waiting where hook <> all($1)', [
    [...told].map(({ id }) => id),
  ])
  while ((await jobsWaiting()) > 0) await work()
  for (const hook of told) {
    expect(toldTo(hook)).toEqual(ids)
    expect(await rowsOf('webhook_waiting', hook.id)).toBe(0)
    expect(await rowsOf('webhook_deliveries', hook.id)).toBe(mostStored)
  }
  expect(site.receiver.received).toHaveLength(told.size * ids.length)
})

async function jobsWaiting(): Promise<number> {
  const [row] = await site.service.ctx.db.query<{ n: number }>(
    `select count(*)::integer as n from graphile_worker.jobs where task_identifier = 'deliver-webhook'`,
  )
  return row!.n
}

test('a webhook is told nothing from before it wanted it, nor from while it was off', async () => {
  const { alice, others, nftaddr } = await newTown(1)
  const bob = others[0]!
  site.receiver.answerBy(() => 500)
  const hook = await hookOf(bob, ['message.deleted'])
  await post(alice, nftaddr, 'before')
  const removed = await post(alice, nftaddr, 'removed')
  await alice.client.removePost({ nftaddr, id: removed })
  await read()
  await change(bob, hook, { events: ['message.group', 'message.deleted'] })
  const wanted = await post(alice, nftaddr)
  await read()
  await change(bob, hook, { events: ['message.group', 'message.deleted'], is_on: false })
  await post(alice, nftaddr, 'while it was off')
  await read()
  await change(bob, hook, { events: ['message.group', 'message.deleted'] })
  const after = await post(alice, nftaddr)
  site.receiver.answerBy(() => 200)
  await work()
  expect(toldTo(hook)).toEqual([removed, wanted, after])
})

test('a wallet that joins while it is told of another chat is told nothing from before it joined', async () => {
  const [one, other] = [await newTown(1), await newTown(0)]
  const bob = one.others[0]!
  const hook = await hookOf(bob)
  site.receiver.answerBy(() => 500)
  const first = await post(one.alice, one.nftaddr)
  await post(other.alice, other.nftaddr, 'before')
  await work()
  await join(bob, other.nftaddr)
  const second = await post(other.alice, other.nftaddr)
  const third = await post(one.alice, one.nftaddr)
  site.receiver.answerBy(() => 200)
  await work()
  expect(toldTo(hook)).toEqual([first, second, third])
})

test('posts of many chats, direct messages and what was tried before come in the order of the log', async () => {
  const chats = [await newTown(1), await newTown(0), await newTown(0)]
  const bob = chats[0]!.others[0]!
  for (const { nftaddr } of chats) await join(bob, nftaddr)
  const hook = await hookOf(bob, ['message.group', 'message.direct', 'request.new'])
  site.receiver.answerBy((_, times) => (times === 1 ? 503 : 200))
  const ids: number[] = []
  for (let n = 0; n < 8; n++) {
    for (const { alice, nftaddr } of chats) ids.push(await post(alice, nftaddr))
    ids.push(await send(chats[n % 3]!.alice, bob))
    // Some are found while others wait.
    if (n % 3 === 0) await read()
  }
  for (let n = 0; n < 40 && site.receiver.received.length < 64; n++) await work()
  expect(toldTo(hook)).toEqual(ids)
  expect(site.receiver.received).toHaveLength(64)
})

test('what one may not be told any more costs nothing and is passed, also where a page has nothing else', async () => {
  const { alice, others, nftaddr } = await newTown(1)
  const bob = others[0]!
  const hook = await hookOf(bob, ['command'])
  await bob.client.becomeBot()
  await bob.client.setCommands({ nftaddr, body: { commands: [{ word: 'go', description: '' }] } })
  const first = await post(alice, nftaddr, '/go')
  await read()
  for (let n = 0; n < 120; n++) await post(alice, nftaddr)
  const last = await post(alice, nftaddr, '/go')
  await work()
  expect(toldTo(hook)).toEqual([first, last])
  expect(await rowsOf('webhook_waiting', hook.id)).toBe(0)
})

test('of a webhook the latest 100 deliveries are kept, and what waits for a month is dropped', async () => {
  const { alice, others, nftaddr } = await newTown(1)
  const bob = others[0]!
  const hook = await hookOf(bob)
  for (let n = 0; n < mostStored + 20; n++) await post(alice, nftaddr)
  await work()
  await work()
  await work()
  expect(toldTo(hook)).toHaveLength(mostStored + 20)
  expect(await bob.client.listDeliveries({ session: hook.id, query: { limit: 1000 } })).toHaveLength(
    mostStored,
  )
  await change(bob, hook, { is_on: false })
  await change(bob, hook, {})
  site.receiver.answerBy(() => 500)
  await post(alice, nftaddr)
  await post(alice, nftaddr)
  await work()
  const later = { ...site.service.ctx.db, now: () => Date.now() + 31 * 86_400_000 }
  await deleteOldOfWebhooks(later)
  for (const table of ['webhook_waiting', 'webhook_deliveries']) expect(await rowsOf(table, hook.id)).toBe(0)
})

test('what the deliveries of a webhook fill is counted to its wallet when it is made, and is no more than that', async () => {
  await using limited = await startService({ beside: site.service, rateLimits: true, storedADay: 1 })
  const bob = newWallet()
  const client = await limited.as(bob)
  const make = () =>
    client.createWebhook({
      body: { url: `https://example.org/${'x'.repeat(900)}`, events: ['message.group'] },
    })
  for (let n = 0; n < 8; n++) {
    const [hook] = await make()
    await client.deleteWebhook({ session: hook!.id })
  }
  await expect(make()).rejects.toMatchObject({ status: 429 })
  await site.service.ctx.db.query(
    `insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, chat, ms, status, tried_ms, is_done)
     select bucket_of($1), $1, 'q1vJ3mT8cK0yWz5u', n, 'message.deleted', $1, $1, $2, 200, $2, true from generate_series(1, 20000) n`,
    [bob, Date.now()],
  )
  const bytes = await bytesKept()
  await site.service.ctx.db.query('delete from webhook_deliveries where walletaddr = $1', [bob])
  expect(bytes / 20_000).toBeLessThan(deliveryBytes / mostStored / 2)
})

test('what waits in many chats is found with a few statements for each of its entries', async () => {
  const bob = await site.newPerson()
  const hook = await hookOf(bob, ['message.group', 'message.direct', 'request.new'])
  const places = await Promise.all(Array.from({ length: 12 }, () => newTown(0)))
  for (const { nftaddr } of places) await join(bob, nftaddr)
  const posted: number[] = []
  for (let round = 0; round < 2; round++)
    for (const { alice, nftaddr } of places) posted.push(await post(alice, nftaddr), await send(alice, bob))
  await read()
  let statements = 0
  const { db, config } = site.service.ctx
  const counting = Object.create(db, {
    query: { value: (...asked: Parameters<typeof db.query>) => (statements++, db.query(...asked)) },
  }) as typeof db
  const line = openLine({ db: counting, config }, bob.address, hook.id)
  const found: number[] = []
  for (let next = await line.next(true); next; next = await line.next(true)) {
    found.push(next.delivery.id)
    await line.pass(counting)
  }
  expect(found).toEqual(posted.toSorted((one, other) => one - other))
  expect(statements).toBeLessThan(16 * posted.length)
})
