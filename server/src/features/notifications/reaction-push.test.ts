// A reaction to a message of one's own is a quiet push, where one wants that.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatMember, newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { type PushPerson as Person, startPushing } from '../../../../testing/people/push-people.ts'
import { newWallet } from '../../../../testing/service/service.ts'
import { defaults } from '../../messages/notification-policy.ts'

let t: Awaited<ReturnType<typeof startPushing>>
beforeAll(async () => {
  t = await startPushing()
})
afterAll(() => t[Symbol.asyncDispose]())

const rules = { ...defaults, push: { dm: false, requests: false, chats: false, reactions: true } }
const setRules = (person: Person, more: object = {}) =>
  person.client.setNotificationRules({ body: { ...rules, ...more } })

const send = async (from: Person, to: Person, more: object = {}) => {
  const body = { fromaddr: from.address, toaddr: to.address, message: 'a secret text', ...more }
  return (await from.client.sendDirectMessage({ body }))[0]!
}

type Reacting = Pick<Person, 'client'>
const react = ({ client }: Reacting, { id }: { id: number }, ...values: string[]) =>
  client.react({ id, body: { values } })

async function named(person: Pick<Person, 'address' | 'client'>, first: string) {
  const name = `${first} ${person.address.slice(-6)}`
  await person.client.setName({ body: { address: person.address, name } })
  return name
}

/** Makes two wallets that have accepted each other. Bob has a browser, wants reactions, and has written. */
async function newPair() {
  const [alice, bob] = [await t.newPerson({ subscribe: false }), await t.newPerson()]
  await send(alice, bob)
  await bob.client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  const sent = await send(bob, alice)
  await alice.client.setContact({ peer: bob.address, body: { state: 'accepted' } })
  await setRules(bob)
  await t.work()
  return { alice, bob, sent, name: await named(alice, 'Alice') }
}

let towns = 0

/** Makes a community with two members, and a post of Bob, who has a browser and wants reactions. */
async function newTown() {
  const town = `Square-${++towns}`
  const [owner, carol] = await newCommunity(t.service, town, 1)
  const bob = await t.newPerson()
  const member = await chatMember(t.service, town, bob.address)
  await setRules(bob)
  const post = await member.post('a secret post')
  return { town, owner, carol, bob, member, post, who: await named(owner, 'Olga') }
}

test('a reaction is a quiet push without the text; nobody gets one who has not turned that on', async () => {
  const { alice, bob, sent, name } = await newPair()
  await bob.client.setNotificationRules({ body: defaults })
  await react(alice, sent, '🎉')
  await t.work()
  expect(bob.told()).toEqual([])
  await setRules(bob)
  await react(alice, sent, '👍')
  await t.work()
  expect(bob.told()).toEqual([['reaction', name, 'Reacted to your message']])
  expect(bob.pushes()[0]).toMatchObject({
    headers: { urgency: 'low' },
    push: { url: `/dm/${alice.address}` },
  })
  await t.later()
  await t.work()
  expect(bob.told()).toHaveLength(1)
})

test('several reactions in half a minute are one push, and a later one takes its place', async () => {
  const { alice, bob, sent } = await newPair()
  const other = await send(bob, alice)
  await react(alice, sent, '👍')
  await react(alice, sent, '👍', '🎉')
  await t.work()
  await react(alice, other, '👍')
  await react(alice, sent, '🎉', '❤️')
  await t.work(10_000)
  expect(bob.told()).toHaveLength(1)
  await t.later()
  await t.work()
  expect(bob.told()).toHaveLength(2)
  expect(new Set(bob.pushes().map(({ push }) => push.tag)).size).toBe(1)
})

test('taking a reaction back is none, in whole or in part, also before it was sent', async () => {
  const { alice, bob, sent } = await newPair()
  await react(alice, sent, '👍')
  await t.service.runJobs()
  await react(alice, sent)
  await t.work()
  expect(bob.told()).toEqual([])
  await react(alice, sent, '👍', '🎉')
  await t.work()
  expect(bob.told()).toHaveLength(1)
  await t.later()
  await react(alice, sent, '👍')
  await t.work()
  await react(alice, sent)
  await t.work()
  expect(bob.told()).toHaveLength(1)
})

test('reactions of who is blocked, ignored or muted, and to messages of others, are none', async () => {
  const { alice, bob, sent } = await newPair()
  const set = (body: { state?: 'accepted' | 'ignored'; blocked?: boolean; muted_until?: 'forever' | null }) =>
    bob.client.setContact({ peer: alice.address, body })
  const nothing = async (why: string) => {
    await t.work()
    expect(bob.told(), why).toEqual([])
  }
  await set({ muted_until: 'forever' })
  await react(alice, sent, '👍')
  await nothing('muted')
  await set({ muted_until: null })
  // Bob decides while the notification waits.
  await react(alice, sent, '🎉')
  await t.service.runJobs()
  await set({ state: 'ignored' })
  await nothing('ignored')
  await react(alice, sent, '🚀')
  await nothing('ignored before')
  await set({ state: 'accepted' })
  await react(alice, sent, '❤️')
  await t.service.runJobs()
  await set({ blocked: true })
  await nothing('blocked')
  await react(alice, sent, '👍')
  await nothing('blocked before')
  await set({ blocked: false })
  await react(alice, await send(alice, bob), '👍')
  await react(bob, sent, '👍')
  await nothing('a message of Alice, and a reaction of one’s own')
  await react(alice, sent, '😀')
  await t.work()
  expect(bob.told()).toHaveLength(1)
})

test('a preview shows nothing, who reacted, or the value, and no value of an encrypted message', async () => {
  const { alice, bob, sent, name } = await newPair()
  await setRules(bob, { preview: 'none' })
  await react(alice, sent, '👍')
  await t.work()
  await t.later()
  await setRules(bob, { preview: 'text' })
  await react(alice, sent, '🎉')
  await t.work()
  await t.later()
  const sealed = { message: 'c2VjcmV0', encrypted_sym_x_key: 'key', x_access_conditions: 'conditions' }
  await react(alice, await send(bob, alice, sealed), `{${'x'.repeat(100)}}`)
  await t.work()
  expect(bob.told()).toEqual([
    ['reaction', 'Parley', 'New reaction'],
    ['reaction', name, 'Reacted 🎉 to your message'],
    ['reaction', name, 'Reacted to your message'],
  ])
})

test('in a chat the author of a post alone is notified, with how many reacted', async () => {
  const { town, owner, carol, bob, post, who } = await newTown()
  const dave = await t.newPerson()
  await chatMember(t.service, town, dave.address)
  await setRules(dave)
  await react(carol, post, '👍')
  await t.work()
  await t.later()
  await react(owner, post, '🎉')
  await react(dave, post, '🎉')
  await bob.client.setContact({ peer: dave.address, body: { blocked: true } })
  for (const body of [{ state: 'ignored' as const }, { muted_until: 'forever' as const }]) {
    const member = await chatMember(t.service, town)
    await react(member, post, '🎉')
    await bob.client.setContact({ peer: member.address, body })
  }
  await t.work()
  expect(bob.told().at(-1)).toEqual(['reaction', town, `${who} and 1 other reacted to your message`])
  expect(bob.told()).toHaveLength(2)
  expect(bob.pushes()[0]!.push.url).toBe(`/c/${town}`)
  expect(dave.told()).toEqual([])
})

test('in a chat that is muted, left or closed, and where nobody else sees the reaction, there is none', async () => {
  const { town, owner, carol, bob, member, post } = await newTown()
  const nothing = async (why: string) => {
    await t.work()
    expect(bob.told(), why).toEqual([])
  }
  const operator = newWallet()
  await addOperator(t.service, operator)
  const asOperator = await t.service.as(operator)
  const mute = { action: 'shadow_mute' as const, subject: carol.address, reason: 'spam' }
  await asOperator.act({ body: mute })
  await react(carol, post, '👍')
  await nothing('unseen')
  await bob.client.muteChat({ nftaddr: town, body: { muted_until: 'forever' } })
  await react(owner, post, '👍')
  await nothing('muted')
  await bob.client.muteChat({ nftaddr: town, body: { muted_until: null } })
  await react(owner, post, '🎉')
  await t.service.runJobs()
  await owner.restrict(member.address, { banned_until: 'forever' })
  await nothing('banned')
  await owner.restrict(member.address, { banned_until: null })
  await bob.client.leaveChat({ body: { walletaddr: bob.address, nftaddr: town } })
  await react(owner, post, '❤️')
  await nothing('left')
  const other = await newTown()
  await react(other.owner, other.post, '👍')
  await t.service.runJobs()
  await other.member.remove(other.post.id)
  await t.work()
  expect(other.bob.told(), 'removed').toEqual([])
})

test('in quiet hours nothing comes; their end notifies once', async () => {
  const { alice, bob, sent } = await newPair()
  const hour = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const [from, to] = [hour(Date.now() - 3_600_000), hour(Date.now() + 3_600_000)]
  await setRules(bob, { quiet: [{ days: [1, 2, 3, 4, 5, 6, 7], from, to }] })
  await react(alice, sent, '👍')
  await react(alice, await send(bob, alice), '👍')
  await t.work()
  expect(bob.told()).toEqual([])
  await setRules(bob)
  await t.work(2 * 3_600_000)
  expect(bob.told()).toHaveLength(1)
})
