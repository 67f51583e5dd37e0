import { expect, test } from 'vitest'
import { newCommunity } from '../../../testing/people/chat-members.ts'
import { twoWallets } from '../../../testing/people/two-wallets.ts'
import { listenTo } from '../../../testing/service/event-listener.ts'
import { newName, useService } from '../../../testing/service/service.ts'

const service = useService()
const refused = { status: 404, code: 'not_found' }

test('a direct message replies to one of its conversation: lists, events and the response say to which', async () => {
  const t = await twoWallets(service)
  const one = await t.send('one')
  await using stream = await listenTo(service, t.alice)
  const two = await t.answer('two', { reply_to: one.id })
  expect(two).toMatchObject({ message: 'two', reply_to: one.id })
  await stream.receives(1)
  expect(stream.events()).toMatchObject([{ type: 'direct-message', item: two }])
  for (const items of [
    await t.asAlice.listConversation({ ...t.pair, query: {} }),
    await t.asBob.listDirectMessages({ address: t.bob, query: {} }),
  ])
    expect(items).toEqual([one, two])
  // Nothing else has the field: the interface's shapes stay.
  expect(Object.keys(one)).not.toContain('reply_to')
  expect(Object.keys((await t.asAlice.getInbox({ address: t.alice }))[0]!)).not.toContain('reply_to')
})

test('a reply to what its sender does not see in the conversation is refused, and nothing is stored', async () => {
  const t = await twoWallets(service)
  const [other, one] = [await twoWallets(service), await t.send('one')]
  const elsewhere = await other.send('elsewhere')
  for (const id of [elsewhere.id, one.id + 64, 0])
    await expect(t.send('reply', { reply_to: id })).rejects.toMatchObject(refused)
  await t.asAlice.hideMessage({ id: one.id })
  await expect(t.send('reply', { reply_to: one.id })).rejects.toMatchObject(refused)
  await t.answer('bob still sees it', { reply_to: one.id })
  for (const id of ['x', -1, 1.5])
    await expect(t.send('reply', { reply_to: id as number })).rejects.toMatchObject({ status: 400 })
  expect(await t.asBob.listConversation({ ...t.pair, query: {} })).toHaveLength(2)
})

test('a retry with the same key returns the reply, also when what it replies to is gone', async () => {
  const t = await twoWallets(service)
  const one = await t.send('one')
  const body = { fromaddr: t.alice, toaddr: t.bob, message: 'two', reply_to: one.id }
  const [first] = await t.asAlice.sendDirectMessage({ body }, { idempotencyKey: 'k' })
  await t.asAlice.deleteDirectMessage({ id: one.id })
  expect(await t.asAlice.sendDirectMessage({ body }, { idempotencyKey: 'k' })).toEqual([first])
  await expect(t.asAlice.sendDirectMessage({ body }, { idempotencyKey: 'l' })).rejects.toMatchObject(refused)
  // A refused key is free again.
  const { reply_to: _, ...plain } = body
  await t.asAlice.sendDirectMessage({ body: plain }, { idempotencyKey: 'l' })
})

test('a post replies to a post of its chat; a removed post and a post that waits for a moderator are none for others', async () => {
  const town = newName('town')
  const [owner, member] = await newCommunity(service, town)
  const one = await owner.post('one')
  const reply = (who: typeof member, reply_to: number) =>
    who.client.postGroupMessage({
      body: { fromaddr: who.address, nftaddr: town, message: 'reply', reply_to },
    })
  const [two] = await reply(member, one.id)
  expect(two).toMatchObject({ reply_to: one.id })
  expect(await owner.client.listGroupMessages({ address: town, useraddress: owner.address })).toEqual([
    one,
    two,
  ])
  await owner.client.setChatRules({ nftaddr: town, body: { words: ['wait'] } })
  const held = await member.post('please wait')
  await expect(reply(owner, held.id)).rejects.toMatchObject(refused)
  const [three] = await reply(member, held.id)
  const waiting = await member.client.postGroupMessage({
    body: { fromaddr: member.address, nftaddr: town, message: 'wait too', reply_to: two!.id },
  })
  await owner.client.decideHeldPost({ nftaddr: town, id: waiting[0]!.id, body: { approve: true } })
  const shown = await owner.client.listGroupMessages({ address: town, useraddress: owner.address })
  expect(shown.map(({ message, reply_to }) => [message, reply_to])).toEqual([
    ['one', undefined],
    ['reply', one.id],
    ['reply', held.id],
    ['wait too', two!.id],
  ])
  await owner.client.removePost({ nftaddr: town, id: one.id })
  await expect(reply(member, one.id)).rejects.toMatchObject(refused)
  await expect(reply(member, three!.id)).resolves.toHaveLength(1)
})

test.each([[[10]], [[230]], [[10, 230]], [[]]])(
  'a list of several pages has each reply, wherever they are: %j',
  async (replies) => {
    const t = await twoWallets(service)
    const one = await t.send('one')
    const sent = [one]
    for (const until of [10, 230, 250]) {
      const rest = Array.from({ length: until - sent.length }, (_, n) => t.send(`m${n}`))
      sent.push(...(await Promise.all(rest)).toSorted((a, b) => a.id - b.id))
      if (replies.includes(until)) sent.push(await t.send('reply', { reply_to: one.id }))
    }
    expect(await t.asAlice.listConversation({ ...t.pair, query: {} })).toEqual(sent)
    const before = { before: Number.MAX_SAFE_INTEGER, limit: 100 }
    expect(await t.asAlice.listConversation({ ...t.pair, query: before })).toEqual(sent.slice(-100))
  },
)
