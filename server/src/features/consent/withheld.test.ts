import type { ServiceEvent } from '@parley/sdk'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })

const token = { nftaddr: newWallet(), nftid: '7' }

/** Returns everything that a sender sees while it writes to a wallet, without what differs from wallet to wallet. */
async function everythingShown(isBlocked: boolean): Promise<unknown> {
  const [alice, bob] = [newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  const asBob = await other.as(bob)
  await using stream = await listenTo(other, alice)
  const ends = { fromaddr: alice, toaddr: bob }
  const answers: unknown[] = []
  const ask = async (work: Promise<unknown>) =>
    answers.push(await work.catch((error: { code: string }) => ({ refused: error.code })))
  const send = (message: string, key?: string) =>
    asAlice.sendDirectMessage({ body: { ...ends, message, ...token } }, key ? { idempotencyKey: key } : {})

  // The peer is blocked before there is a message, or nothing was chosen.
  if (isBlocked) await asBob.setContact({ peer: alice, body: { state: 'blocked' } })
  await ask(send('first', 'key'))
  await ask(send('first', 'key'))
  await ask(send('another', 'key'))
  await Promise.all(Array.from({ length: 12 }, () => ask(send('at once'))))
  const [second] = await send('second')
  const [third] = await send('third')
  // A message that is deleted before it is delivered is not delivered.
  const arrives = (text: string) => expect.poll(() => stream.messages(), { timeout: 10_000 }).toContain(text)
  await arrives('third')
  await ask(asAlice.deleteDirectMessage({ id: second!.id }))
  await ask(asAlice.hideMessage({ id: third!.id }))
  await ask(asAlice.markDirectMessage({ ...ends, body: { ...ends, id: third!.id, message: '', read: true } }))
  const all = async () => {
    await ask(asAlice.listDirectMessages({ address: alice }))
    await ask(asAlice.listConversation(ends))
    await ask(asAlice.listConversationSince({ ...ends, time: '0' }))
    await ask(asAlice.listReadMessages(ends))
    await ask(asAlice.listNftMessagesOfToken(token))
    for (const view of ['all', 'main', 'requests'] as const)
      await ask(asAlice.getInbox({ address: alice, query: { view } }))
    await ask(asAlice.getConversation({ toaddr: bob }))
    await ask(asAlice.getContact({ peer: bob }))
    await ask(asAlice.listContacts({}))
    await ask(other.anonymous.getDmPolicy({ address: bob }))
    await ask(asAlice.sendTyping({ body: ends }))
  }
  await all()
  await ask(asAlice.deleteConversation(ends))
  await all()
  await ask(send('after'))
  await arrives('after')
  await ask(asAlice.hideConversation({ toaddr: bob }))
  await ask(send('last'))
  await all()
  await arrives('last')
  const shown = stream.events().map((event: ServiceEvent) => event)
  const ids: string[] = []
  const plain = JSON.stringify([answers, shown])
    .replaceAll(alice, 'alice')
    .replaceAll(bob, 'bob')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"id":(\d+)/g, (_, id: string) => {
      if (!ids.includes(id)) ids.push(id)
      return '"id":"id"'
    })
  return { shown: JSON.parse(plain), ids: ids.length }
}

test('every answer and event that a sender gets is the same whether it is blocked or not', async () => {
  const [blocked, free] = [await everythingShown(true), await everythingShown(false)]
  expect(blocked).toEqual(free)
})

test('blocking while the other writes, on two instances: what comes before it is shown, what comes after is nowhere', async () => {
  for (let round = 0; round < 10; round++) {
    const [alice, bob] = [newWallet(), newWallet()]
    const [asAlice, asBob] = [await service.as(alice), await other.as(bob)]
    await using stream = await listenTo(other, bob)
    const send = (n: number) =>
      asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: `${n}` } })
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => send(n)),
      asBob.setContact({ peer: alice, body: { state: 'blocked' } }),
    ])
    await send(20)
    expect(await asBob.countUnread({ address: bob })).toBe(0)
    const texts = async () =>
      (await asBob.listConversation({ fromaddr: bob, toaddr: alice })).map(({ message }) => message)
    const before = await texts()
    await asBob.setContact({ peer: alice, body: { blocked: false } })
    expect(await texts()).toEqual(before)
    expect(await asBob.countUnread({ address: bob })).toBe(before.length)
    const [after] = await send(21)
    await expect.poll(() => stream.messages().at(-1), { timeout: 10_000 }).toBe('21')
    expect(stream.messages()).toEqual([...before, '21'])
    await asBob.markReadTo({ addr: alice, body: { id: after!.id, context_type: 'dm' } })
    const seen = await asAlice.listConversation({ fromaddr: alice, toaddr: bob })
    expect(seen.map(({ read }) => read)).toEqual(Array(22).fill(true))
  }
})

test('erasing a wallet does not lift the block that another has of it, nor what it has blocked itself afterwards', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const asBob = await service.as(bob)
  const send = async (fromaddr: string, toaddr: string) =>
    (await service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })
  await send(alice, bob)
  await asBob.setContact({ peer: alice, body: { state: 'blocked' } })
  await asBob.hideConversation({ toaddr: alice })
  await (await service.as(alice)).setContact({ peer: bob, body: { state: 'blocked', alias: 'Bobby' } })
  await (await service.as(alice)).eraseAccount({ address: alice })
  expect(await asBob.getContact({ peer: alice })).toMatchObject({ state: 'blocked' })
  expect(await (await service.as(alice)).getContact({ peer: bob })).toEqual({ peer: bob, state: 'unknown' })
  await send(alice, bob)
  expect(await asBob.countUnread({ address: bob })).toBe(0)
  expect(await asBob.listDirectMessages({ address: bob })).toEqual([])
})
