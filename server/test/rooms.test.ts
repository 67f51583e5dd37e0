// What other parts of the service know of a room: each is tried once, because they know it as any chat.

import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, toldBy } from '../../testing/outside/webhook-receiver.ts'
import { chatMember, newCommunity } from '../../testing/people/chat-members.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { startPushing } from '../../testing/people/push-people.ts'
import { listenTo } from '../../testing/service/event-listener.ts'
import { unzip } from '../../testing/service/files.ts'
import { followAll } from '../../testing/service/log.ts'
import { newName, newWallet, useService } from '../../testing/service/service.ts'
import { expireBefore } from '../../testing/service/written-directly.ts'
import { webhookReader } from '../src/features/webhooks/reader.ts'

type Started<Start extends (...all: never[]) => unknown> = Awaited<ReturnType<Start>>
let t: Started<typeof startPushing>
let receiver: Started<typeof startReceiver>
beforeAll(async () => {
  receiver = await startReceiver()
  t = await startPushing({ privateWebhookHosts: [receiver.host] })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** Makes a community with the room Tools, its owner, and Bob in both, whose browser gets pushes. */
async function newTown() {
  const town = newName('Town')
  const [owner] = await newCommunity(t.service, town, 0)
  const bob = await t.newPerson()
  await chatMember(t.service, town, bob.address)
  const [room] = await owner.client.createRoom({ community: town, body: { room: 'tools', title: 'Tools' } })
  const nftaddr = room!.nftaddr
  const inRoom = await chatMember(t.service, nftaddr, bob.address)
  const asOwner = await chatMember(t.service, nftaddr, owner.address)
  return { town, nftaddr, owner, asOwner, bob, inRoom }
}

const other = useService(() => ({ beside: t.service }))

test('a room is searched, mentions and webhooks come of it, and all say its title, also after it has another', async () => {
  const { town, nftaddr, owner, asOwner, bob, inRoom } = await newTown()
  await bob.client.createWebhook({ body: { url: `http://${receiver.host}/x`, events: ['message.group'] } })
  const { id } = await asOwner.post(`@${bob.address} the spade is free`)
  await followAll(t.service.ctx.db, webhookReader(t.service.ctx))
  await t.work()
  expect(bob.told()).toEqual([['mention', `Tools · ${town}`, expect.stringContaining('mentions you')]])
  expect(bob.pushes()[0]!.push).toMatchObject({ url: `/c/${town}/tools` })
  expect(toldBy(receiver.received)).toEqual([
    { type: 'message.group', data: { id, fromaddr: owner.address, nftaddr, title: `Tools · ${town}` } },
  ])
  const hits = await bob.client.search({ body: { q: 'spade' } })
  expect(hits).toMatchObject([{ item: { id, nftaddr } }])
  expect(await inRoom.row()).toMatchObject({ name: `Tools · ${town}`, unread: 1 })
  await owner.client.changeRoom({ nftaddr, body: { title: 'Sheds' } })
  const elsewhere = await other.as(bob.address)
  const named = async () =>
    (await elsewhere.getInbox({ address: bob.address, query: { view: 'main' } })).map(({ name }) => name)
  expect(new Set(await named())).toEqual(new Set([town, `Sheds · ${town}`]))
  // A member that may not read the room any more sees no title of it.
  await owner.client.setGate({ nftaddr, body: { read: { wallets: [newWallet()] } } })
  await owner.client.changeRoom({ nftaddr, body: { title: 'The plan' } })
  await expect.poll(named).toContain(nftaddr)
  expect(JSON.stringify(await elsewhere.getInbox({ address: bob.address }))).not.toContain('The plan')
})

test('members get an event when rooms change; of a wallet that is muted unseen it alone gets one', async () => {
  const { town, owner, bob } = await newTown()
  await using ofBob = await listenTo(t.service, bob.address)
  await using ofOwner = await listenTo(t.service, owner.address)
  const rooms = (of: typeof ofBob) =>
    of.events().flatMap((event) => (event.type === 'rooms' ? [event.room] : []))
  const [chess, owls] = [`${town}/chess`, `${town}/owls`]
  await owner.client.createRoom({ community: town, body: { room: 'chess' } })
  for (const body of [{ title: 'Chess' }, { title: 'Chess' }, { position: 1 }, { archived: true }])
    await owner.client.changeRoom({ nftaddr: chess, body })
  await owner.client.deleteRoom({ nftaddr: chess })
  await expect(owner.client.deleteRoom({ nftaddr: chess })).rejects.toMatchObject({ code: 'not_found' })
  const five = Array.from({ length: 5 }, () => chess.toLowerCase())
  await expect.poll(() => rooms(ofBob)).toEqual(five)
  const operator = newWallet()
  await addOperator(t.service, operator)
  await (
    await t.service.as(operator)
  ).act({ body: { action: 'shadow_mute', subject: owner.address, reason: 'a test' } })
  await owner.client.createRoom({ community: town, body: { room: 'owls' } })
  await expect.poll(() => rooms(ofOwner)).toEqual([...five, owls.toLowerCase()])
  expect(rooms(ofBob)).toEqual(five)
})

test('what a wallet wrote in a room is in its export, its membership goes with it, and retention deletes its posts', async () => {
  const { nftaddr, asOwner, bob, inRoom } = await newTown()
  const old = await inRoom.post('an old rake')
  await expireBefore(t.service, Date.parse(old.timestamp) + 1)
  expect(await asOwner.read()).toEqual([])
  await inRoom.post('my rake')
  const archive = await unzip(await buffer(await bob.client.exportAccount({ address: bob.address })))
  const inExport = [...archive.values()].map(String).join('\n')
  expect(inExport).toContain('my rake')
  expect(inExport).toContain(nftaddr)
  await bob.client.eraseAccount({ address: bob.address })
  const members = await asOwner.client.listMembers({ nftaddr })
  expect(members.map(({ walletaddr }) => walletaddr)).toEqual([asOwner.address])
  // What others have read stays theirs, under the bare address.
  expect(await asOwner.read()).toMatchObject([{ message: 'my rake', sender_name: '' }])
})
