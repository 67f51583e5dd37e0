import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newName, newWallet, type Service, useService } from '../../../../testing/service/service.ts'
import { check } from '../../check/check.ts'

const service = useService()
const second = useService({ beside: service })

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function newOperator() {
  const address = newWallet()
  await addOperator(service, address)
  const client = await service.as(address)
  return (action: string, subject: string, reason = 'It sells stolen keys') =>
    client.act({ body: { action: action as 'note', subject, reason } })
}

const isDown = ({ ctx }: Service, chat: string, down: boolean) =>
  expect.poll(() => ctx.standing.sanction(chat, 'takedown') !== undefined, { timeout: 5000 }).toBe(down)

test('nobody reads a community that was taken down or posts in it, on any instance; restored it is as it was', async () => {
  const town = newName('Town')
  const [owner, alice, bob] = await newCommunity(service, town)
  const act = await newOperator()
  await owner.rules({ slow_seconds: 0, words: ['wait'] })
  await owner.client.createImage({ body: { addr: town, base64data: pixel } })
  await alice.post('one')
  await alice.post('two')
  const held = await bob.post('please wait')
  await owner.restrict(newWallet(), { banned_until: 'forever' })
  const elsewhere = await second.as(bob.address)
  const at = { nftaddr: town }
  const [prefix, words] = [town.toLowerCase(), town]
  const seen = async () => ({
    posts: await elsewhere.listGroupMessages({
      address: town,
      useraddress: bob.address,
      query: { enter: false },
    }),
    unread: await bob.unread(),
    row: await bob.row(),
    all: await elsewhere.countUnread({ address: bob.address }),
    info: await elsewhere.getCommunity({ community: town, address: bob.address, query: { enter: false } }),
    members: await elsewhere.listMembers(at),
    moderators: await elsewhere.listModerators(at),
    rules: await owner.client.getChatRules(at),
    held: await owner.held(),
    log: await owner.log(),
    restricted: await owner.client.listRestricted(at),
    listed: await elsewhere.listCommunities({ query: { prefix } }),
    largest: (await elsewhere.listCommunities({})).filter(({ community }) => community === town),
    found: await elsewhere.listCommunities({ query: { words } }),
    picture: await elsewhere.getPicture({ addr: town }),
    joined: await elsewhere.listBookmarks({ address: bob.address }),
  })
  const before = await seen()
  expect([
    before.posts.length,
    before.unread,
    before.held.length,
    before.listed.length,
    before.found.length,
  ]).toEqual([3, 2, 1, 1, 1])

  await act('takedown_community', town.toUpperCase())
  await isDown(service, town.toLowerCase(), true)
  await isDown(second, town.toLowerCase(), true)
  const refused = { code: 'forbidden', message: expect.stringContaining('It sells stolen keys') }
  const { address } = bob
  for (const client of [elsewhere, owner.client, alice.client, await second.as(newWallet())]) {
    for (const ask of [
      () => client.listMembers(at),
      () => client.listModerators(at),
      () => client.getChatRules(at),
      () => client.getPicture({ addr: town.toLowerCase() }),
      () => client.getImage({ addr: town }),
    ])
      await expect(ask()).rejects.toMatchObject(refused)
    expect(await client.listCommunities({ query: { prefix } })).toEqual([])
    for (const query of [{}, { words }, { sort: 'active' }] as const)
      expect((await client.listCommunities({ query })).map(({ community }) => community)).not.toContain(town)
  }
  for (const ask of [
    () => bob.post('three'),
    () => bob.read(),
    () => bob.readTo(before.posts[0]!.id),
    () => elsewhere.getCommunity({ community: town, address }),
    () => elsewhere.joinChat({ body: { walletaddr: address, nftaddr: town } }),
    () => owner.held(),
    () => owner.decide(held.id, true),
    () => owner.rules({ slow_seconds: 5 }),
    () => owner.log(),
    () => owner.restrict(bob.address, {}),
    () => owner.client.createCommunity({ body: { community: town, social: [] } }),
    () => owner.client.deleteImage({ addr: town }),
    () => bob.client.createCommunity({ body: { community: town.toLowerCase() } }),
  ])
    await expect(ask()).rejects.toMatchObject(refused)
  expect(await bob.row()).toMatchObject({ nftaddr: town, message: '', unread: 0 })
  expect(await elsewhere.countUnread({ address })).toBe(0)
  expect(await bob.unread()).toBe(0)
  expect(await elsewhere.listSharedChats({ walletaddr: alice.address })).toEqual([])
  // A client that resumes does not see what was posted in it.
  await using resumed = await listenTo(second, address, { lastEventId: String(before.posts[0]!.id - 64) })
  await alice.client.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: address, message: 'psst' },
  })
  await resumed.receives(1)
  expect(resumed.messages().filter((text) => text !== 'psst')).toEqual([])

  await act('restore_community', town, 'A mistake')
  await isDown(service, town.toLowerCase(), false)
  await isDown(second, town.toLowerCase(), false)
  const after = await seen()
  expect({ ...after, all: after.all - 1 }).toEqual(before)
  await alice.post('three')
  expect(await bob.unread()).toBe(3)
  const faults: string[] = []
  await check({ databaseUrl: service.databaseUrl, onFault: ({ wrong }) => faults.push(...wrong) })
  expect(faults).toEqual([])
})

test('only a community is taken down; operators see it in what they know of it and in the log', async () => {
  const town = newName('Town')
  await newCommunity(service, town, 0)
  const operator = newWallet()
  await addOperator(service, operator)
  const client = await service.as(operator)
  const act = (action: 'takedown_community' | 'restore_community', subject: string, more = {}) =>
    client.act({ body: { action, subject, reason: 'a reason', ...more } })
  for (const subject of ['nowhere', newWallet()])
    await expect(act('takedown_community', subject)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(
    act('takedown_community', town, { until: new Date(Date.now() + 60_000).toISOString() }),
  ).rejects.toMatchObject({ code: 'bad_request' })
  await act('takedown_community', town)
  await isDown(service, town.toLowerCase(), true)
  expect(await client.getSubject({ address: town })).toMatchObject([
    { sanctions: [{ kind: 'takedown' }], history: [{ action: 'takedown_community', reason: 'a reason' }] },
  ])
  await act('restore_community', town)
  await isDown(service, town.toLowerCase(), false)
  const log = await client.listModerationLog({})
  expect(log.flatMap((entry) => (entry.operator === operator ? [entry.action] : []))).toEqual([
    'restore_community',
    'takedown_community',
  ])
  await expect(
    (await service.as(newWallet())).act({
      body: { action: 'takedown_community', subject: town, reason: 'mine' },
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})
