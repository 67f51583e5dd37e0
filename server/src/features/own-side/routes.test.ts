import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { texts, twoWallets } from '../../../../testing/people/two-wallets.ts'
import { check } from '../../check/check.ts'

const service = useService()

const punk = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '7' }

async function conversation() {
  const t = await twoWallets(service)
  const client = (wallet: string) => (wallet === t.alice ? t.asAlice : t.asBob)
  return {
    ...t,
    client,
    /** Returns the texts that a wallet sees; every list says the same. */
    async sees(wallet: string): Promise<string[]> {
      const [one, address] = [client(wallet), wallet]
      const lists = await Promise.all([
        one.listConversation(t.pair),
        one.listDirectMessages({ address }),
        one.listConversationSince({ ...t.pair, time: '0' }),
      ])
      for (const list of lists) expect(texts(list)).toEqual(texts(lists[0]))
      const [row] = await one.getInbox({ address })
      expect(row?.message).toBe(lists[0].at(-1)?.message)
      return texts(lists[0])
    },
    /** Returns how much is unread for a wallet; every count says the same. */
    async unread(address: string): Promise<number> {
      const items = await client(address).listConversation(t.pair)
      const unread = items.filter(({ toaddr, read }) => toaddr === address && !read).length
      const counts = await Promise.all([
        client(address).countUnread({ address }),
        client(address).countUnreadOfConversation(t.pair),
        client(address)
          .getInbox({ address })
          .then(([row]) => row?.unread ?? 0),
      ])
      expect(counts).toEqual(counts.map(() => unread))
      return unread
    },
    hide: (wallet: string, { id }: { id: number }) => client(wallet).hideMessage({ id }),
    hideAll: (wallet: string) =>
      client(wallet).hideConversation({ toaddr: wallet === t.alice ? t.bob : t.alice }),
    isStored: async ({ id }: { id: number }): Promise<boolean> => {
      const sql = 'select 1 as one from direct_messages where bucket = $1 and id = $2'
      return (await t.service.ctx.db.query(sql, [id % 64, id])).length > 0
    },
    /** Checks that whatever is stored twice is equal to a recount. */
    async recount(): Promise<void> {
      if (t.service.ctx.db.layout.name === 'cluster') return
      const onFault = ({ row, wrong }: { row: string; wrong: string[] }) =>
        expect.fail(`${row}: ${wrong.join('; ')}`)
      await check({ databaseUrl: t.service.databaseUrl, onFault })
    },
  }
}

test('a message that a wallet deletes for itself is gone for it alone: from lists, inbox, export and resumed events', async () => {
  const t = await conversation()
  const [one, two, three] = [await t.send('one'), await t.answer('two', punk), await t.send('three', punk)]
  await using other = await listenTo(t.service, t.alice)
  await using own = await listenTo(t.service, t.bob)
  await t.hide(t.bob, three)
  await t.hide(t.bob, two)
  expect(await t.sees(t.bob)).toEqual(['one'])
  expect(await t.sees(t.alice)).toEqual(['one', 'two', 'three'])
  const ofToken = [t.asBob.listNftConversation({ ...t.pair, ...punk }), t.asBob.listNftMessagesOfToken(punk)]
  for (const list of [...ofToken, t.asBob.listNftMessages({ address: t.bob })]) expect(await list).toEqual([])
  const archive = await unzip(await buffer((await t.asBob.exportAccount({ address: t.bob })) as never))
  expect(String(archive.get('direct-messages.jsonl')).match(/"message":"\w+"/g)).toEqual(['"message":"one"'])

  await own.receives(3)
  const ends = { fromaddr: t.alice, toaddr: t.bob }
  expect(own.events()).toEqual([
    { type: 'hidden', id: three.id, ...ends },
    { type: 'read', id: three.id, ...ends, read: true },
    { type: 'hidden', id: two.id, fromaddr: t.bob, toaddr: t.alice },
  ])
  // The other one is notified only about the read flag.
  await other.receives(1)
  expect(other.events()).toEqual([{ type: 'read', id: three.id, ...ends, read: true }])
  await using resumed = await listenTo(t.service, t.bob, { lastEventId: String(one.id - 1) })
  await resumed.receives(4)
  expect(resumed.events().map(({ type }) => type)).toEqual(['direct-message', 'hidden', 'read', 'hidden'])
  await t.recount()
})

test('an unread message that is deleted by its recipient is read, and cannot be marked again', async () => {
  const t = await conversation()
  const [one] = [await t.send('one'), await t.send('two')]
  await t.hide(t.bob, one)
  expect(await t.unread(t.bob)).toBe(1)
  expect((await t.asAlice.listReadMessages(t.pair)).map(({ id }) => id)).toEqual([one.id])
  await expect(t.asBob.markDirectMessage({ ...t.pair, body: { ...one, read: false } })).rejects.toMatchObject(
    {
      code: 'not_found',
    },
  )
  await t.recount()
})

test('what both have deleted for themselves, in whatever way, is gone from the tables', async () => {
  const t = await conversation()
  const [one, two, three, four] = [
    await t.send('one'),
    await t.answer('two'),
    await t.send('three'),
    await t.answer('four'),
  ]
  await t.hide(t.alice, one)
  expect(await t.isStored(one)).toBe(true)
  await t.hide(t.bob, one)
  expect(await t.isStored(one)).toBe(false)
  // They are hidden one by one first, then the whole conversation.
  await t.hide(t.alice, two)
  await t.hideAll(t.bob)
  expect(await Promise.all([two, three, four].map(t.isStored))).toEqual([false, true, true])
  // The other way round works too.
  await t.hide(t.alice, three)
  expect(await t.isStored(three)).toBe(false)
  expect(await t.sees(t.bob)).toEqual([])
  expect(await t.sees(t.alice)).toEqual(['four'])
  await t.asAlice.eraseAccount({ address: t.alice })
  expect(await t.isStored(four)).toBe(false)
  await t.recount()
})

test('an erased wallet takes with it what the other one had deleted for itself', async () => {
  const t = await conversation()
  const [one, two] = [await t.send('one'), await t.answer('two')]
  await t.hide(t.bob, one)
  await t.hide(t.bob, two)
  await t.asAlice.eraseAccount({ address: t.alice })
  expect(await Promise.all([one, two].map(t.isStored))).toEqual([false, false])
  await t.recount()
})

test('a conversation that a wallet deletes for itself stays with the other; later messages are shown', async () => {
  const t = await conversation()
  await t.send('one')
  const two = await t.answer('two')
  await using own = await listenTo(t.service, t.bob)
  await t.hideAll(t.bob)
  expect(await t.sees(t.bob)).toEqual([])
  expect(await t.sees(t.alice)).toEqual(['one', 'two'])
  expect([await t.unread(t.alice), await t.unread(t.bob)]).toEqual([1, 0])
  await t.send('three')
  expect(await t.sees(t.bob)).toEqual(['three'])
  expect(await t.unread(t.bob)).toBe(1)
  await own.receives(2)
  expect(own.events()).toMatchObject([
    { type: 'conversation-hidden', fromaddr: t.bob, toaddr: t.alice },
    { type: 'direct-message' },
  ])
  // Deleting for both spares what was left to the other, and says so.
  await using other = await listenTo(t.service, t.alice)
  await t.asBob.deleteConversation(t.pair)
  expect(await t.sees(t.alice)).toEqual(['one', 'two'])
  await other.receives(1)
  expect(other.events()).toEqual([
    { type: 'conversation-deleted', fromaddr: t.bob, toaddr: t.alice, after: two.id },
  ])
  await t.recount()
})

test('both see who deleted a conversation for both, and when', async () => {
  const t = await conversation()
  const known = () =>
    Promise.all([t.asAlice.getConversation({ toaddr: t.bob }), t.asBob.getConversation({ toaddr: t.alice })])
  expect(await known()).toEqual([{}, {}])
  await t.send('one')
  expect(await known()).toEqual([{}, {}])
  await t.asBob.deleteConversation(t.pair)
  const emptied = { emptied_by: t.bob, emptied_at: expect.stringMatching(/^\d{4}-.*Z$/) }
  expect(await known()).toEqual([emptied, emptied])
  const carol = await t.service.as(newWallet())
  expect(await carol.getConversation({ toaddr: t.bob })).toEqual({})
})

test('of messages of others, of deleted and of hidden ones the answer is the same: there is none', async () => {
  const t = await conversation()
  const [one, two] = [await t.send('one'), await t.send('two')]
  const carol = await t.service.as(newWallet())
  const refused = { code: 'not_found' }
  await expect(carol.hideMessage({ id: one.id })).rejects.toMatchObject(refused)
  await t.hide(t.alice, one)
  await expect(t.hide(t.alice, one)).rejects.toMatchObject(refused)
  await expect(t.asAlice.deleteDirectMessage({ id: one.id })).rejects.toMatchObject(refused)
  await t.asAlice.deleteDirectMessage({ id: two.id })
  await expect(t.hide(t.bob, two)).rejects.toMatchObject(refused)
  expect(await t.sees(t.bob)).toEqual(['one'])
})

test('what a wallet had erased unread stays unread for its sender, when it reads what came later; the event says so', async () => {
  const t = await conversation()
  const [one] = [await t.send('one')]
  await t.hideAll(t.bob)
  const two = await t.send('two')
  await using stream = await listenTo(t.service, t.alice)
  await t.asBob.markReadTo({ addr: t.alice, body: { id: two.id, context_type: 'dm' } })
  await stream.receives(1)
  expect(stream.events()).toMatchObject([{ type: 'read-to', id: two.id, after: one.id }])
  expect((await t.asAlice.listConversation(t.pair)).map(({ read }) => read)).toEqual([false, true])
})

test('a note to oneself that is deleted for oneself is gone', async () => {
  const t = await conversation()
  const note = { fromaddr: t.alice, toaddr: t.alice, message: 'note' }
  const [one] = await t.asAlice.sendDirectMessage({ body: note })
  const [two] = await t.asAlice.sendDirectMessage({ body: note })
  await t.hide(t.alice, one!)
  expect(await t.isStored(one!)).toBe(false)
  await t.asAlice.hideConversation({ toaddr: t.alice })
  expect(await t.isStored(two!)).toBe(false)
  await t.recount()
})

test('deletions of every kind at the same moment leave counts that equal a recount, and nothing that nobody sees', async () => {
  const t = await conversation()
  const step = fc.record({
    do: fc.constantFrom('send', 'answer', 'hide', 'hide', 'hideAll', 'delete', 'mark', 'readTo'),
    by: fc.boolean(),
    which: fc.nat(12),
  })
  const sent = [await t.send('0')]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const outcomes = await Promise.allSettled(
        steps.map(async ({ do: what, by, which }) => {
          const one = sent[Math.max(0, sent.length - 1 - which)]!
          const wallet = by ? t.alice : t.bob
          if (what === 'send') sent.push(await t.send('m'))
          else if (what === 'answer') sent.push(await t.answer('a'))
          else if (what === 'hide') await t.hide(wallet, one)
          else if (what === 'hideAll') await t.hideAll(wallet)
          else if (what === 'delete') await t.client(one.fromaddr).deleteDirectMessage({ id: one.id })
          else if (what === 'mark')
            await t.client(one.toaddr).markDirectMessage({ ...one, body: { ...one, read: which % 2 === 0 } })
          else await t.asBob.markReadTo({ addr: t.alice, body: { id: one.id, context_type: 'dm' } })
        }),
      )
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_found' })
      const seen = new Set(
        [...(await t.asAlice.listConversation(t.pair)), ...(await t.asBob.listConversation(t.pair))].map(
          ({ id }) => id,
        ),
      )
      for (const one of sent) expect(await t.isStored(one)).toBe(seen.has(one.id))
      await Promise.all([t.sees(t.alice), t.sees(t.bob), t.unread(t.alice), t.unread(t.bob)])
    }),
    { numRuns: 20 },
  )
  await t.recount()
})
