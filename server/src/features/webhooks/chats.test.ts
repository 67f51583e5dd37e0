// Webhooks about chats, deletions and joins: these tests check which are sent, and which are not, at the moment of delivery.

import { expect, test } from 'vitest'
import { followAll } from '../../../../testing/service/log.ts'
import { toldBy } from '../../../../testing/outside/webhook-receiver.ts'
import { useWebhookSite } from '../../../../testing/outside/webhook-receiver.ts'
import type { Webhook } from '@parley/sdk'
import { webhookReader } from './reader.ts'

const site = useWebhookSite()
type Person = Awaited<ReturnType<typeof site.newPerson>>

let towns = 0
/** Makes Alice, who owns a community that Bob has joined. */
async function newTown() {
  const [alice, bob] = [await site.newPerson(), await site.newPerson()]
  const nftaddr = `Town${process.pid}n${++towns}`
  await alice.client.createCommunity({ body: { community: nftaddr, social: [] } })
  for (const { address, client } of [alice, bob])
    await client.joinChat({ body: { walletaddr: address, nftaddr } })
  return { alice, bob, nftaddr }
}

const hookOf = async ({ client }: Person, events: Webhook['events'], narrow = {}) =>
  (await client.createWebhook({ body: { url: `http://${site.receiver.host}/x`, events, ...narrow } }))[0]!

const post = async ({ address, client }: Person, nftaddr: string, message = 'a secret text') =>
  (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!

const send = async (from: Person, to: Person) =>
  (
    await from.client.sendDirectMessage({
      body: { fromaddr: from.address, toaddr: to.address, message: 'gm' },
    })
  )[0]!

const read = () => followAll(site.service.ctx.db, webhookReader(site.service.ctx))
async function work() {
  await read()
  await site.service.runJobs()
}
const told = () => toldBy(site.receiver.received)

test('a post is told to a member without its text; not to its author, nor to one that has left', async () => {
  const { alice, bob, nftaddr } = await newTown()
  const [carol] = [await site.newPerson()]
  await carol.client.joinChat({ body: { walletaddr: carol.address, nftaddr } })
  await carol.client.leaveChat({ body: { walletaddr: carol.address, nftaddr } })
  for (const one of [alice, bob, carol]) await hookOf(one, ['message.group'])
  const { id, timestamp } = await post(alice, nftaddr)
  await work()
  expect(told()).toEqual([{ type: 'message.group', data: { id, fromaddr: alice.address, nftaddr } }])
  expect(site.receiver.received[0]!.body).not.toContain('secret')
  expect(JSON.parse(site.receiver.received[0]!.body)).toMatchObject({ timestamp })
})

test('what happens between the reading and the delivery counts: removed, left, muted, blocked, banned, taken down', async () => {
  const cases: [string, (of: Awaited<ReturnType<typeof newTown>> & { id: number }) => Promise<unknown>][] = [
    ['removed', ({ alice, nftaddr, id }) => alice.client.removePost({ nftaddr, id })],
    ['left', ({ bob, nftaddr }) => bob.client.leaveChat({ body: { walletaddr: bob.address, nftaddr } })],
    ['muted', ({ bob, nftaddr }) => bob.client.muteChat({ nftaddr, body: { muted_until: 'forever' } })],
    [
      'blocked',
      ({ bob, alice }) => bob.client.setContact({ peer: alice.address, body: { state: 'blocked' } }),
    ],
    [
      'banned in the chat',
      ({ alice, bob, nftaddr }) =>
        alice.client.restrictMember({ nftaddr, walletaddr: bob.address, body: { banned_until: 'forever' } }),
    ],
    ['banned', ({ bob }) => sanction('ban', bob.address)],
    ['taken down', ({ nftaddr }) => sanction('takedown', nftaddr.toLowerCase())],
  ]
  for (const [name, change] of cases) {
    const town = await newTown()
    await hookOf(town.bob, ['message.group'])
    const { id } = await post(town.alice, town.nftaddr)
    await read()
    await change({ ...town, id })
    await site.service.runJobs()
    expect(told(), name).toEqual([])
  }
})

async function sanction(kind: string, subject: string): Promise<void> {
  await site.service.ctx.db.query(
    `insert into sanctions (subject, kind, ms, reason) values ($1, $2, $3, 'a test')`,
    [subject, kind, site.service.ctx.db.now()],
  )
  await site.service.ctx.standing.refresh()
}

test('a post that is held or withheld is not told; when it is approved it is', async () => {
  const { alice, bob, nftaddr } = await newTown()
  await hookOf(alice, ['message.group'])
  await alice.client.setChatRules({ nftaddr, body: { words: ['casino'] } })
  await post(bob, nftaddr, 'casino')
  const shadowed = await site.newPerson()
  await shadowed.client.joinChat({ body: { walletaddr: shadowed.address, nftaddr } })
  await sanction('shadow_mute', shadowed.address)
  await post(shadowed, nftaddr)
  await work()
  expect(told()).toEqual([])
  const [held] = await alice.client.listHeldPosts({ nftaddr })
  await alice.client.decideHeldPost({ nftaddr, id: held!.id, body: { approve: true } })
  await work()
  expect(told()).toMatchObject([{ type: 'message.group', data: { fromaddr: bob.address } }])
})

test('a message that is deleted for both is told to its recipient, with a conversation as a whole, and a post that is removed to members', async () => {
  const { alice, bob, nftaddr } = await newTown()
  await hookOf(alice, ['message.deleted'])
  await hookOf(bob, ['message.deleted'])
  await send(bob, alice)
  const { id } = await send(alice, bob)
  await alice.client.deleteDirectMessage({ id })
  await send(alice, bob)
  await alice.client.deleteConversation({ fromaddr: alice.address, toaddr: bob.address })
  const theirs = await post(alice, nftaddr)
  await alice.client.removePost({ nftaddr, id: theirs.id })
  await work()
  const fromaddr = alice.address
  expect(told()).toEqual([
    { type: 'message.deleted', data: { id, fromaddr, toaddr: bob.address } },
    { type: 'message.deleted', data: { fromaddr, toaddr: bob.address } },
    { type: 'message.deleted', data: { id: theirs.id, fromaddr, nftaddr } },
  ])
})

test('a message that is edited is sent to its recipient, and a post to members; a text that a bot makes is sent once', async () => {
  const { alice, bob, nftaddr } = await newTown()
  for (const one of [alice, bob]) await hookOf(one, ['message.edited'])
  await send(bob, alice)
  const { id } = await send(alice, bob)
  await alice.client.editMessage({ id, body: { message: 'better', revision: 0 } })
  const theirs = await post(alice, nftaddr)
  await alice.client.editMessage({ id: theirs.id, body: { message: 'better', revision: 0 } })
  await work()
  const fromaddr = alice.address
  expect(told()).toEqual([
    { type: 'message.edited', data: { id, fromaddr, toaddr: bob.address } },
    { type: 'message.edited', data: { id: theirs.id, fromaddr, nftaddr } },
  ])
  await alice.client.becomeBot()
  const draft = await send(alice, bob)
  for (const [message, writing] of [
    ['The', true],
    ['The answer', false],
  ] as const)
    await alice.client.editMessage({ id: draft.id, body: { message, revision: 0, writing } })
  await work()
  expect(told().slice(2)).toEqual([
    { type: 'message.edited', data: { id: draft.id, fromaddr, toaddr: bob.address } },
  ])
})

test('an edit of a message that is gone when it is sent is not sent', async () => {
  const { alice, bob, nftaddr } = await newTown()
  await hookOf(bob, ['message.edited'])
  await send(bob, alice)
  const [gone, hidden] = [await send(alice, bob), await send(alice, bob)]
  const theirs = await post(alice, nftaddr)
  for (const { id } of [gone, hidden, theirs])
    await alice.client.editMessage({ id, body: { message: 'better', revision: 0 } })
  await alice.client.deleteDirectMessage({ id: gone.id })
  await bob.client.hideMessage({ id: hidden.id })
  await alice.client.removePost({ nftaddr, id: theirs.id })
  await work()
  expect(told()).toEqual([])
})

test('a deletion by a wallet that is blocked or ignored is not told', async () => {
  const [alice, bob] = [await site.newPerson(), await site.newPerson()]
  const { id } = await send(alice, bob)
  await hookOf(bob, ['message.deleted'])
  await bob.client.setContact({ peer: alice.address, body: { state: 'ignored' } })
  await alice.client.deleteDirectMessage({ id })
  await work()
  expect(told()).toEqual([])
})

test('who joins is told to the owner and the moderators alone, while they are', async () => {
  const { alice, bob, nftaddr } = await newTown()
  await read()
  await hookOf(alice, ['member.joined'])
  await hookOf(bob, ['member.joined'])
  const [carol, dora] = [await site.newPerson(), await site.newPerson()]
  await carol.client.joinChat({ body: { walletaddr: carol.address, nftaddr: nftaddr.toUpperCase() } })
  await work()
  expect(told()).toEqual([
    { type: 'member.joined', data: { id: expect.any(Number), fromaddr: carol.address, nftaddr } },
  ])
  await alice.client.addModerator({ nftaddr, walletaddr: bob.address })
  await dora.client.joinChat({ body: { walletaddr: dora.address, nftaddr } })
  await read()
  await alice.client.removeModerator({ nftaddr, walletaddr: bob.address })
  await site.service.runJobs()
  expect(told().filter(({ data }) => data.fromaddr === dora.address)).toHaveLength(1)
})

test('a webhook of one chat or one peer is told of that alone; what could never be told is refused', async () => {
  const { alice, bob, nftaddr } = await newTown()
  const other = await newTown()
  await bob.client.joinChat({ body: { walletaddr: bob.address, nftaddr: other.nftaddr } })
  const hook = await hookOf(bob, ['message.group'], { chat: nftaddr.toUpperCase() })
  expect(hook.chat).toBe(nftaddr.toLowerCase())
  await hookOf(bob, ['message.direct', 'request.new'], { peer: alice.address })
  const [here] = [await post(alice, nftaddr)]
  await post(other.alice, other.nftaddr)
  const direct = await send(alice, bob)
  await send(other.alice, bob)
  await work()
  const ids = told().map(({ data }) => data.id)
  expect(new Set(ids)).toEqual(new Set([here.id, direct.id]))
  for (const narrow of [
    { chat: nftaddr, events: ['message.direct'] as const },
    { peer: alice.address, events: ['message.group'] as const },
    { peer: alice.address, chat: nftaddr, events: ['message.deleted'] as const },
  ])
    await expect(
      bob.client.createWebhook({ body: { url: hook.url, ...narrow, events: [...narrow.events] } }),
    ).rejects.toMatchObject({ code: 'bad_request' })
})

test(
  'all kinds come in the order in which they happened, each with an id of its own',
  { timeout: 120_000 },
  async () => {
    const { alice, bob, nftaddr } = await newTown()
    await send(bob, alice)
    await hookOf(bob, ['message.direct', 'message.group', 'message.deleted'])
    site.receiver.answerBy((_, times) => (times === 1 ? 500 : 200))
    const expected: [string, number][] = []
    for (let n = 0; n < 5; n++) {
      expected.push(['message.direct', (await send(alice, bob)).id])
      const { id } = await post(alice, nftaddr)
      expected.push(['message.group', id])
      const gone = await send(alice, bob)
      await read()
      // A message that is gone when its turn comes is not sent as new.
      await alice.client.deleteDirectMessage({ id: gone.id })
      expected.push(['message.deleted', gone.id])
    }
    for (let n = 0; n < 60 && site.receiver.received.length < 30; n++) {
      await site.service.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
      await work()
    }
    const first = new Map(site.receiver.received.map((one) => [one.headers['webhook-id']!, one]))
    expect(toldBy([...first.values()]).map(({ type, data }) => [type, data.id])).toEqual(expected)
    expect(site.receiver.received).toHaveLength(30)
  },
)

test('deliveries are listed in pages, and those that failed alone', async () => {
  const { alice, bob, nftaddr } = await newTown()
  const hook = await hookOf(bob, ['message.group'])
  site.receiver.answerBy(({ body }) => (body.includes('"test"') ? 500 : 200))
  for (let n = 0; n < 5; n++) await post(alice, nftaddr)
  await work()
  await bob.client.testWebhook({ session: hook.id })
  await work()
  const list = (query = {}) => bob.client.listDeliveries({ session: hook.id, query })
  const all = await list()
  expect(all).toHaveLength(6)
  const paged: typeof all = []
  for (
    let page;
    (page = await list({ limit: 2, ...(paged.length > 0 && { before: paged.at(-1)!.id }) })).length > 0;
  )
    paged.push(...page)
  expect(paged).toEqual(all)
  expect(await list({ failed: true })).toMatchObject([{ event: 'test', status: 500 }])
  expect(all.slice(1)).toMatchObject(Array.from({ length: 5 }, () => ({ chat: nftaddr.toLowerCase() })))
  await expect(list({ limit: 0 })).rejects.toMatchObject({ code: 'bad_request' })
})
