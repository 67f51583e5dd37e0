import { expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

/** Two friends with a message. Nobody else sees what they change after they are muted. */
async function friends() {
  const t = await twoWallets(service)
  const { id } = await t.send('one')
  await t.answer('two')
  const operator = newWallet()
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  const mute = async (subject: string) =>
    asOperator.act({ body: { action: 'shadow_mute', subject, reason: 'a test' } })
  const pinsOf = async (wallet: string) => {
    const peer = wallet === t.alice ? t.bob : t.alice
    const client = await service.as(wallet)
    const [first] = await client.listConversation(t.pair)
    const pins = await client.listPinsOfConversation({ toaddr: peer })
    return { by: pins.map(({ pinned_by }) => pinned_by), isMarked: first!.pinned ?? false }
  }
  return { ...t, id, mute, pinsOf }
}

test('of two pins of one message that nobody else sees, each wallet sees its own, and removes that alone', async () => {
  const { id, alice, bob, asAlice, asBob, mute, pinsOf } = await friends()
  for (const wallet of [alice, bob]) await mute(wallet)
  await asAlice.pinMessage({ id })
  expect(await pinsOf(bob)).toEqual({ by: [], isMarked: false })
  await asBob.pinMessage({ id })
  expect(await pinsOf(alice)).toEqual({ by: [alice], isMarked: true })
  expect(await pinsOf(bob)).toEqual({ by: [bob], isMarked: true })
  await asBob.unpinMessage({ id })
  expect(await pinsOf(bob)).toEqual({ by: [], isMarked: false })
  expect(await pinsOf(alice)).toEqual({ by: [alice], isMarked: true })
})

test('a pin that all see takes the place of those that nobody else saw, and is one pin for all', async () => {
  const { id, alice, bob, asAlice, asBob, mute, pinsOf } = await friends()
  await mute(alice)
  await asAlice.pinMessage({ id })
  await asBob.pinMessage({ id })
  for (const wallet of [alice, bob]) expect(await pinsOf(wallet)).toEqual({ by: [bob], isMarked: true })
  await asBob.unpinMessage({ id })
  for (const wallet of [alice, bob]) expect(await pinsOf(wallet)).toEqual({ by: [], isMarked: false })
})

test('an erased wallet takes its reactions and pins with it, and open streams of others show that', async () => {
  const t = await twoWallets(service)
  const { id } = await t.send('one')
  await t.answer('two')
  const [owner, nftaddr] = [newWallet(), newName('town')]
  const asOwner = await service.as(owner)
  await asOwner.createCommunity({ body: { community: nftaddr } })
  await asOwner.joinChat({ body: { walletaddr: owner, nftaddr } })
  const [post] = await asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr, message: 'hello' } })
  await asOwner.addModerator({ nftaddr, walletaddr: t.bob })
  await asOwner.react({ id: post!.id, body: { values: ['👍'] } })
  for (const one of [id, post!.id]) {
    await t.asBob.react({ id: one, body: { values: ['👍', '🎉'] } })
    await t.asBob.pinMessage({ id: one })
  }
  // What is unseen announces nothing.
  const hidden = await t.send('three')
  await t.asAlice.setContact({ peer: t.bob, body: { blocked: true } })
  await t.asBob.react({ id: hidden.id, body: { values: ['👍'] } })
  await using ofAlice = await listenTo(service, t.alice)
  await using ofOwner = await listenTo(service, owner)
  await t.asBob.eraseAccount({ address: t.bob })
  const marks = (stream: typeof ofAlice) =>
    stream.events().filter(({ type }) => ['reacted', 'reacted-mine', 'pinned', 'unpinned'].includes(type))
  await expect.poll(() => marks(ofAlice).length).toBe(2)
  await expect.poll(() => marks(ofOwner).length).toBe(2)
  expect(marks(ofAlice)).toEqual(
    expect.arrayContaining([
      { type: 'reacted', id, fromaddr: t.bob, toaddr: t.alice, values: [] },
      { type: 'unpinned', id, fromaddr: t.bob, toaddr: t.alice },
    ]),
  )
  expect(marks(ofOwner)).toEqual(
    expect.arrayContaining([
      { type: 'reacted', id: post!.id, nftaddr, reactions: [{ value: '👍', count: 1 }] },
      { type: 'unpinned', id: post!.id, fromaddr: t.bob, nftaddr },
    ]),
  )
  expect(await asOwner.listPinsOfChat({ nftaddr })).toEqual([])
  expect(await t.asAlice.listPinsOfConversation({ toaddr: t.bob })).toEqual([])
})
