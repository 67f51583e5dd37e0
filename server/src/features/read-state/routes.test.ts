import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'
import { check } from '../../check/check.ts'

const service = useService()

const punk = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '7' }

/** Alice sends, Bob reads. */
async function conversation(on = service) {
  const t = await twoWallets(on)
  const address = t.bob
  return {
    ...t,
    readTo: (id: number, about = {}) =>
      t.asBob.markReadTo({ addr: t.alice, body: { id, context_type: 'dm', ...about } }),
    /** Returns the unread texts, by their flags. Every count says the same number. */
    async unread() {
      const items = await t.asBob.listConversation(t.pair)
      const unread = items.filter(({ toaddr, read }) => toaddr === t.bob && !read)
      const counts = await Promise.all([
        t.asBob.countUnread({ address }),
        t.asBob.countUnreadByType({ address, type: 'dm' }),
        t.asBob.countUnreadOfConversation(t.pair),
        t.asBob.getInbox({ address }).then(([row]) => row?.unread ?? 0),
      ])
      expect(counts).toEqual(counts.map(() => unread.length))
      return unread.map(({ message }) => message)
    },
  }
}

/** Stores many messages of Alice to Bob at once. */
async function fill(
  { service: on, alice, bob, send }: Awaited<ReturnType<typeof conversation>>,
  count: number,
) {
  await send('the first')
  await on.ctx.db.query(
    `with c as (
       update conversations c set unread_a = unread_a + $3 * (c.a = $2)::int, unread_b = unread_b + $3 * (c.b = $2)::int
       where least($1::text collate "C", $2) = c.a returning *
     )
     insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
     select c.bucket, c.id, next_id_v1(c.bucket, null), $1, $2, 'm', c.last_ms - $3 - 1 + n from c, generate_series(1, $3::int) n`,
    [alice, bob, count],
  )
  return (await send('the last')).id
}

test('one request reads everything up to a message; the sender sees it in lists and live', async () => {
  const t = await conversation()
  await using sender = await listenTo(t.service, t.alice)
  await using reader = await listenTo(t.service, t.bob)
  const [, two, three] = [await t.send('one'), await t.send('two'), await t.send('three')]
  await t.answer('hello')
  expect(await t.readTo(two.id)).toEqual({ id: two.id, unread: 1 })
  expect(await t.unread()).toEqual(['three'])
  expect((await t.asAlice.listReadMessages(t.pair)).map(({ message }) => message)).toEqual(['one', 'two'])

  // A repetition or an earlier message moves nothing back, and nobody is notified.
  expect(await t.readTo(two.id)).toEqual({ id: two.id, unread: 1 })
  expect(await t.readTo(0)).toEqual({ id: 0, unread: 1 })
  expect(await t.readTo(Number.MAX_SAFE_INTEGER)).toEqual({ id: Number.MAX_SAFE_INTEGER, unread: 0 })
  expect(await t.unread()).toEqual([])
  const later = await t.send('later')
  expect(await t.unread()).toEqual(['later'])

  const readEvent = (id: number) => ({ type: 'read-to', id, fromaddr: t.alice, toaddr: t.bob })
  await Promise.all([sender.receives(7), reader.receives(7)])
  for (const { events } of [sender, reader])
    expect(events().filter(({ type }) => type === 'read-to')).toEqual([
      readEvent(two.id),
      readEvent(three.id),
    ])
  await using resumed = await listenTo(t.service, t.alice, {
    lastEventId: sender.received.find(({ event }) => 'item' in event && event.item.id === three.id)!.id,
  })
  await resumed.receives(4)
  expect(resumed.events().slice(-4)).toMatchObject([
    { item: { message: 'hello' } },
    readEvent(two.id),
    readEvent(three.id),
    { item: { id: later.id } },
  ])
})

test('it marks what the caller has received, and nothing of others or of its own', async () => {
  const t = await conversation()
  const sent = await t.send('one')
  const carol = newWallet()
  const body = { id: sent.id, context_type: 'dm' } as const
  // Its sender, a stranger, and the recipient with somebody else are refused.
  await t.asAlice.markReadTo({ addr: t.bob, body })
  await (await t.service.as(carol)).markReadTo({ addr: t.bob, body })
  expect(await t.asBob.markReadTo({ addr: carol, body })).toEqual({ id: sent.id, unread: 0 })
  expect(await t.unread()).toEqual(['one'])
  const note = { fromaddr: t.bob, toaddr: t.bob, message: 'note' }
  await t.asBob.sendDirectMessage({ body: note })
  expect(await t.asBob.markReadTo({ addr: t.bob, body })).toEqual({ id: sent.id, unread: 0 })
})

test('a message that was marked as unread again is read by the next one, however old it is', async () => {
  const t = await conversation()
  const [one, two, three] = [await t.send('one'), await t.send('two'), await t.send('three')]
  const mark = (item: typeof one, read: boolean) =>
    t.asBob.markDirectMessage({ ...item, body: { ...item, read } })
  await t.readTo(three.id)
  await mark(two, false)
  await mark(one, false)
  expect(await t.readTo(one.id)).toEqual({ id: one.id, unread: 1 })
  await mark(one, false)
  await mark(two, true)
  expect(await t.unread()).toEqual(['one'])
  expect(await t.readTo(three.id)).toEqual({ id: three.id, unread: 0 })
  expect(await t.unread()).toEqual([])
})

test('with an NFT, only what is about it is read', async () => {
  const t = await conversation()
  const about = (await t.send('about it', punk)).id
  const last = await t.send('another', { ...punk, nftid: '8' })
  expect(await t.readTo(last.id, punk)).toEqual({ id: last.id, unread: 1 })
  expect(await t.unread()).toEqual(['another'])
  expect(await t.readTo(last.id, punk)).toEqual({ id: last.id, unread: 1 })
  await using sender = await listenTo(t.service, t.alice, { lastEventId: String(last.id) })
  await sender.receives(1)
  expect(sender.events()).toEqual([{ type: 'read-to', id: about, ...t.pair, ...punk }])
  for (const half of [{ nftaddr: punk.nftaddr }, { nftid: '7' }])
    await expect(t.readTo(last.id, half)).rejects.toMatchObject({ code: 'bad_request' })
})

test('very many messages are read in portions, each with one event; a request that did not reach the end says so', async (context) => {
  const t = await conversation()
  context.skip(
    t.service.ctx.db.layout.name === 'cluster',
    'a cluster gives ids from the row of a bucket: filled otherwise',
  )
  const last = await fill(t, 24_000)
  const start = performance.now()
  const first = await t.readTo(last)
  if (process.env.LOG_LEVEL) console.log(`20,000 messages in ${Math.round(performance.now() - start)} ms`)
  expect(first.id).toBeLessThan(last)
  expect(first.unread).toBe(4_002)
  expect(await t.readTo(last)).toEqual({ id: last, unread: 0 })
  expect(await t.unread()).toEqual([])
  const [events] = await t.service.ctx.db.query<{ n: number }>(
    `select count(*) as n from events where walletaddr = $1`,
    [t.alice],
  )
  expect(events!.n).toBe(13)
})

const apart = useService()

test('messages that arrive, are marked or deleted at the same moment leave counts that equal a recount', async () => {
  const t = await conversation(apart)
  const step = fc.record({
    do: fc.constantFrom('send', 'answer', 'read', 'mark', 'delete'),
    which: fc.nat(20),
  })
  const sent: Awaited<ReturnType<typeof t.send>>[] = [await t.send('0')]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      await Promise.all(
        steps.map(async ({ do: what, which }) => {
          const one = sent[Math.max(0, sent.length - which)] ?? sent[0]!
          if (what === 'send') sent.push(await t.send('m'))
          else if (what === 'answer') await t.answer('a')
          else if (what === 'read') await t.readTo(one.id)
          else if (what === 'mark')
            await t.asBob
              .markDirectMessage({ ...one, body: { ...one, read: which % 2 === 0 } })
              .catch(() => {})
          else await t.asAlice.deleteDirectMessage({ id: one.id }).catch(() => {})
        }),
      )
      await t.unread()
    }),
    { numRuns: 25 },
  )
  if (t.service.ctx.db.layout.name === 'machine')
    await check({
      databaseUrl: t.service.databaseUrl,
      onFault: ({ row, wrong }) => expect.fail(`${row}: ${wrong.join('; ')}`),
    })
})

async function chat(on = service) {
  const t = await twoWallets(on)
  const town = newName('Town')
  await t.asAlice.createCommunity({ body: { community: town } })
  for (const [address, client] of [
    [t.alice, t.asAlice],
    [t.bob, t.asBob],
  ] as const)
    await client.joinChat({ body: { walletaddr: address, nftaddr: town } })
  const post = async (fromaddr: string, message: string) => {
    const client = await t.service.as(fromaddr)
    return (await client.postGroupMessage({ body: { fromaddr, nftaddr: town, message } }))[0]!.id
  }
  return {
    ...t,
    town,
    post,
    readTo: (id: number) =>
      t.asBob.markReadTo({ addr: town.toLowerCase(), body: { id, context_type: 'community' } }),
    unread: () => t.asBob.countUnreadOfChat({ address: town, useraddress: t.bob }),
  }
}

test('in a chat it moves the place up to which the wallet has read, and never back', async () => {
  const t = await chat(apart)
  await using reader = await listenTo(t.service, t.bob)
  const one = await t.post(t.alice, 'one')
  const own = await t.post(t.bob, 'own')
  const three = await t.post(t.alice, 'three')
  const four = await t.post(t.alice, 'four')
  expect(await t.unread()).toBe(3)
  expect(await t.readTo(own)).toEqual({ id: own, unread: 2 })
  expect(await t.unread()).toBe(2)
  expect(await t.readTo(one)).toEqual({ id: one, unread: 2 })
  expect(await t.readTo(three)).toEqual({ id: three, unread: 1 })
  expect(await t.readTo(Number.MAX_SAFE_INTEGER)).toMatchObject({ unread: 0 })
  await t.post(t.bob, 'own again')
  const last = await t.post(t.alice, 'last')
  expect(await t.unread()).toBe(1)
  await reader.receives(9)
  expect(reader.events().filter(({ type }) => type === 'inbox')).toEqual(
    [own, three, four].map((id) => ({ type: 'inbox', change: 'entered', nftaddr: t.town, id })),
  )
  // The interface's way: listing a chat reads all of it.
  await t.asBob.listGroupMessages({ address: t.town, useraddress: t.bob })
  expect(await t.readTo(last)).toEqual({ id: last, unread: 0 })
  expect(await t.unread()).toBe(0)
  if (t.service.ctx.db.layout.name === 'machine')
    await check({
      databaseUrl: t.service.databaseUrl,
      onFault: ({ row, wrong }) => expect.fail(`${row}: ${wrong.join('; ')}`),
    })
})

test('a chat and its landing page can be read without entering: what is unread stays so', async () => {
  const t = await chat()
  await t.post(t.alice, 'one')
  const path = { address: t.town, useraddress: t.bob }
  const page = { community: t.town, address: t.bob }
  expect(await t.asBob.listGroupMessages({ ...path, query: { enter: false } })).toHaveLength(1)
  const [info] = await t.asBob.getCommunity({ ...page, query: { enter: false } })
  expect([info!.messages.length, await t.unread()]).toEqual([1, 1])
  await t.asBob.getCommunity({ ...page, query: { enter: true } })
  expect(await t.unread()).toBe(0)
})

test('requests at the same moment never move a chat back, and counts stay those of a recount', async () => {
  const t = await chat()
  const ids = []
  for (let n = 0; n < 12; n++) ids.push(await t.post(n % 3 ? t.alice : t.bob, `m${n}`))
  for (let round = 0; round < 4; round++) {
    const some = ids.slice(0, 3 * (round + 1)).toSorted(() => Math.random() - 0.5)
    await Promise.all([...some.map((id) => t.readTo(id)), t.post(round % 2 ? t.alice : t.bob, 'meanwhile')])
    const items = await t.asAlice.listGroupMessages({ address: t.town, useraddress: t.alice })
    const left = items.filter(({ id, fromaddr }) => id > Math.max(...some) && fromaddr !== t.bob)
    expect(await t.unread()).toBe(left.length)
  }
})

test('a chat that is not there is not found', async () => {
  const t = await twoWallets(service)
  const body = { id: 1, context_type: 'community' } as const
  await expect(t.asBob.markReadTo({ addr: 'nowhere', body })).rejects.toMatchObject({ code: 'not_found' })
  // Nothing was said in the chat of this NFT yet.
  const read = await t.asBob.markReadTo({ addr: punk.nftaddr, body: { id: 1, context_type: 'nft' } })
  expect(read).toEqual({ id: 1, unread: 0 })
})
