// Pushes about posts in chats come for those that mention a wallet, and for all where the wallet wants that.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatMember, newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { type PushPerson, startPushing } from '../../../../testing/people/push-people.ts'
import { newWallet } from '../../../../testing/service/service.ts'
import { defaults } from '../../messages/notification-policy.ts'

let t: Awaited<ReturnType<typeof startPushing>>
beforeAll(async () => {
  t = await startPushing()
})
afterAll(() => t[Symbol.asyncDispose]())

let chats = 0

/** Makes a community with its owner, and Bob, whose browser gets pushes. */
async function newTown() {
  const town = `Town ${++chats}`.replace(' ', '-')
  const [owner] = await newCommunity(t.service, town, 0)
  const bob = await t.newPerson()
  const member = await chatMember(t.service, town, bob.address)
  const tell = (what: 'all' | 'mentions') =>
    bob.client.setChatNotifications({ nftaddr: town, body: { tell: what } })
  return { town, owner, bob, member, tell }
}

async function named(person: Pick<PushPerson, 'address' | 'client'>, first: string) {
  const name = `${first} ${person.address.slice(-6)}`
  await person.client.setName({ body: { address: person.address, name } })
  return name
}

test('a post that mentions a wallet by name or address is a push to it, and to nobody else', async () => {
  const { town, owner, bob } = await newTown()
  const carol = await t.newPerson()
  await chatMember(t.service, town, carol.address)
  const [name, who] = [await named(bob, 'Bob'), await named(owner, 'Olga')]
  await owner.post('nothing to see')
  await t.work()
  expect(bob.told()).toEqual([])
  await owner.post(`well, @${name.toUpperCase()}: look`)
  await owner.post('and something else')
  await t.work()
  expect(bob.told()).toEqual([['mention', town, `${who} mentions you`]])
  expect(bob.pushes()[0]!.push).toMatchObject({ url: `/c/${town}` })
  expect(bob.pushes()[0]!.headers).toMatchObject({ urgency: 'high' })
  await t.later()
  await owner.post(`@${bob.address} again`)
  await t.work()
  expect(bob.told()).toHaveLength(2)
  expect(carol.told()).toEqual([])
})

test('who wants all of a chat is told of each post, at most twice a minute, and not of its own', async () => {
  const { town, owner, bob, member, tell } = await newTown()
  expect(await bob.client.getChatNotifications({ nftaddr: town })).toMatchObject({ tell: 'mentions' })
  await tell('all')
  expect(await bob.client.getChatNotifications({ nftaddr: town.toUpperCase() })).toMatchObject({
    tell: 'all',
  })
  await member.post('my own')
  await t.work()
  expect(bob.told()).toEqual([])
  const who = await named(owner, 'Olga')
  for (let n = 0; n < 3; n++) await owner.post(`post ${n}`)
  await t.work()
  expect(bob.told()).toEqual([['chat', town, `${who}: 3 new messages`]])
  await owner.post('another')
  await t.work(10_000)
  expect(bob.told()).toHaveLength(1)
  await t.work()
  expect(bob.told()).toHaveLength(1)
  await t.later()
  await t.work()
  expect(bob.told().at(-1)).toEqual(['chat', town, `${who}: 4 new messages`])
  await tell('mentions')
  await owner.post('of no interest')
  await t.later()
  await t.work()
  expect(bob.told()).toHaveLength(2)
})

test('what was read, removed, muted or left, and posts of the blocked are none', async () => {
  const { town, owner, bob, member, tell } = await newTown()
  await tell('all')
  const nothing = async (why: string) => {
    await t.work()
    expect(bob.told(), why).toEqual([])
  }
  await member.readTo((await owner.post('read')).id)
  await nothing('read')
  await owner.remove((await owner.post(`@${bob.address} removed`)).id)
  await nothing('removed')
  await bob.client.setContact({ peer: owner.address, body: { state: 'blocked' } })
  await owner.post(`@${bob.address} of the blocked`)
  await nothing('blocked')
  await bob.client.setContact({ peer: owner.address, body: { blocked: false } })
  await bob.client.muteChat({ nftaddr: town, body: { muted_until: 'forever' } })
  await owner.post(`@${bob.address} muted`)
  await nothing('muted')
  await bob.client.muteChat({ nftaddr: town, body: { muted_until: null } })
  await owner.post(`@${bob.address} before leaving`)
  await t.service.runJobs()
  await bob.client.leaveChat({ body: { walletaddr: bob.address, nftaddr: town } })
  await nothing('left')
  await expect(tell('all')).rejects.toMatchObject({ status: 404, message: expect.stringContaining('joined') })
})

test('a chat that is closed to a wallet meanwhile tells it nothing', async () => {
  const { town, owner, bob, member } = await newTown()
  const other = await newTown()
  await owner.post(`@${bob.address} before the ban`)
  await owner.restrict(member.address, { banned_until: 'forever' })
  const operator = newWallet()
  await addOperator(t.service, operator)
  await other.owner.post(`@${other.bob.address} before the takedown`)
  const closing = { action: 'takedown_community' as const, subject: other.town, reason: 'against the rules' }
  await (await t.service.as(operator)).act({ body: closing })
  await t.work()
  expect(bob.told()).toEqual([])
  expect(other.bob.told()).toEqual([])
  await expect(bob.client.getChatNotifications({ nftaddr: town })).resolves.toMatchObject({
    tell: 'mentions',
  })
})

test('a preview shows nothing, who wrote, or the text; rules and quiet hours hold for chats too', async () => {
  const { town, owner, bob, tell } = await newTown()
  const who = await named(owner, 'Olga')
  const set = async (rules: object) => bob.client.setNotificationRules({ body: { ...defaults, ...rules } })
  await set({ preview: 'none' })
  await owner.post(`@${bob.address} a secret`)
  await t.work()
  await t.later()
  await set({ preview: 'text' })
  await owner.post(`@${bob.address} a secret`)
  await t.work()
  expect(bob.told()).toEqual([
    ['mention', 'Parley', 'New message'],
    ['mention', town, `${who}: @${bob.address} a secret`],
  ])
  await t.later()
  await set({ push: { dm: true, requests: false, mentions: false } })
  await owner.post(`@${bob.address} not wanted`)
  await t.work()
  expect(bob.told()).toHaveLength(2)
  await tell('all')
  await set({ push: { dm: true, requests: false, mentions: false, chats: false } })
  await owner.post('not wanted either')
  await t.work()
  expect(bob.told()).toHaveLength(2)
  const hour = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const week = [1, 2, 3, 4, 5, 6, 7]
  const now = Date.now()
  await set({ quiet: [{ days: week, from: hour(now - 3_600_000), to: hour(now + 3_600_000) }] })
  await owner.post(`@${bob.address} at night`)
  await t.work()
  expect(bob.told()).toHaveLength(2)
  await set({})
  await t.work(2 * 3_600_000)
  expect(bob.told()).toHaveLength(3)
})

test('the times of the push service are obeyed, in seconds and as a date; six hours at most', async () => {
  const { owner, bob } = await newTown()
  const waits = async () => {
    const [job] = await t.service.ctx.db.query<{ s: number }>(
      `select extract(epoch from j.run_at - now())::integer as s from graphile_worker.jobs j
       join graphile_worker._private_jobs p on p.id = j.id
       where j.task_identifier = 'send-notification' and p.payload->>'walletaddr' = $1`,
      [bob.address],
    )
    return job?.s
  }
  const answer = (value: string) =>
    t.pushService.answerBy(() => ({ status: 429, headers: { 'retry-after': value } }))
  try {
    answer('120')
    await owner.post(`@${bob.address} hello`)
    await t.service.runJobs()
    await t.work(10_000)
    expect(await waits()).toBeGreaterThan(60)
    answer(new Date(Date.now() + 600_000).toUTCString())
    await t.work(130_000)
    expect(await waits()).toBeGreaterThan(400)
    answer(String(7 * 3600))
    await t.work(700_000)
    expect(await waits()).toBe(undefined)
  } finally {
    t.pushService.answerBy(() => ({ status: 201 }))
  }
})
