import type { ContactUpdate } from '@parley/sdk/contract/consent.ts'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { unzip } from '../../../../testing/service/files.ts'

const service = useService()
const other = useService({ beside: service })

async function newcomer(on = service) {
  const address = newWallet()
  const client = await on.as(address)
  return {
    address,
    client,
    write: async (to: { address: string }, message: string, more: object = {}) =>
      (
        await client.sendDirectMessage({ body: { fromaddr: address, toaddr: to.address, message, ...more } })
      )[0]!,
    think: (of: { address: string }, body: ContactUpdate) => client.setContact({ peer: of.address, body }),
    texts: async (peer: { address: string }) =>
      (await client.listConversation({ fromaddr: address, toaddr: peer.address })).map(
        ({ message }) => message,
      ),
    rows: async (view?: 'all' | 'main' | 'requests') =>
      (await client.getInbox({ address, ...(view && { query: { view } }) })).map(({ message }) => message),
    unread: (view?: 'all' | 'main' | 'requests') =>
      client.countUnread({ address, ...(view && { query: { view } }) }),
  }
}

test('who writes accepts; a stranger is a request until the wallet accepts, ignores or answers', async () => {
  const [alice, bob, carol] = [await newcomer(), await newcomer(other), await newcomer()]
  await alice.write(bob, 'from Alice')
  await carol.write(bob, 'from Carol')
  expect(await bob.rows('requests')).toEqual(['from Carol', 'from Alice'])
  expect(await bob.rows('main')).toEqual([])
  expect(await alice.rows('main')).toEqual(['from Alice'])
  expect([await bob.unread(), await bob.unread('main'), await bob.unread('requests')]).toEqual([2, 0, 2])
  expect(await bob.client.getContact({ peer: alice.address })).toEqual({
    peer: alice.address,
    state: 'unknown',
  })

  await bob.write(alice, 'answer')
  expect(await bob.client.getContact({ peer: alice.address })).toMatchObject({ state: 'accepted' })
  expect(await bob.rows('main')).toEqual(['answer'])
  expect(await bob.think(carol, { state: 'ignored' })).toMatchObject({
    state: 'ignored',
    since: expect.any(String),
  })
  expect(await bob.rows('requests')).toEqual([])
  expect(await bob.rows('main')).toEqual(['answer'])
  expect(await bob.rows()).toEqual(['answer', 'from Carol'])
  const all = await bob.client.getInbox({ address: bob.address, query: { view: 'all' } })
  expect(all.map(({ state }) => state)).toEqual(['accepted', 'ignored'])
  expect((await bob.client.getInbox({ address: bob.address }))[0]).not.toHaveProperty('state')
  expect(await bob.think(carol, { state: 'accepted' })).toMatchObject({ state: 'accepted' })
  expect([await bob.unread('main'), await bob.unread('requests')]).toEqual([2, 0])
  expect(await bob.rows('main')).toEqual(['answer', 'from Carol'])
})

test('views are paged as the whole inbox is', async () => {
  const bob = await newcomer()
  for (const message of ['one', 'two', 'three']) await (await newcomer()).write(bob, message)
  await bob.write(await newcomer(), 'own')
  const { client, address } = bob
  const first = await client.getInbox({ address, query: { view: 'requests', limit: 2 } })
  expect(first.map(({ message }) => message)).toEqual(['three', 'two'])
  const next = await client.getInbox({ address, query: { view: 'requests', limit: 2, before: first[1]!.id } })
  expect(next.map(({ message }) => message)).toEqual(['one'])
  expect(
    (await client.getInbox({ address, query: { view: 'main', limit: 5 } })).map(({ message }) => message),
  ).toEqual(['own'])
})

test('what a blocked wallet writes is stored for it alone: in no list, count, event, export or stream that is resumed', async () => {
  const [alice, bob] = [await newcomer(), await newcomer(other)]
  const token = { nftaddr: newWallet(), nftid: '7' }
  await alice.write(bob, 'before', token)
  const { lastId } = await (async () => {
    await using stream = await listenTo(service, bob.address, { lastEventId: '0' })
    await stream.receives(1)
    return { lastId: stream.state.lastId }
  })()
  await using live = await listenTo(service, bob.address)
  await using own = await listenTo(other, alice.address)
  await bob.think(alice, { state: 'blocked' })
  const sent = await alice.write(bob, 'withheld', token)
  await alice.write(bob, 'withheld too', token)
  await own.receives(2)
  expect(own.messages()).toEqual(['withheld', 'withheld too'])

  const { client, address } = bob
  const pair = { fromaddr: address, toaddr: alice.address }
  expect(await bob.texts(alice)).toEqual(['before'])
  expect((await client.listDirectMessages({ address })).map(({ message }) => message)).toEqual(['before'])
  expect((await client.listNftMessagesOfToken(token)).map(({ message }) => message)).toEqual(['before'])
  for (const view of [undefined, 'all', 'main', 'requests'] as const) expect(await bob.rows(view)).toEqual([])
  expect(await bob.unread()).toBe(0)
  expect(await client.countUnreadByType({ address, type: 'dm' })).toBe(0)
  expect(await client.countUnreadOfConversation(pair)).toBe(0)
  expect(await client.countUnreadOfNft({ address, ...token })).toBe(0)
  const mark = { ...pair, body: { ...pair, id: sent.id, message: '', read: true } }
  await expect(client.markDirectMessage(mark)).rejects.toMatchObject({ code: 'not_found' })
  await expect(client.hideMessage({ id: sent.id })).rejects.toMatchObject({ code: 'not_found' })
  const zip = await unzip(
    Buffer.from(await new Response(await client.exportAccount({ address })).arrayBuffer()),
  )
  expect([...zip.values()].map(String).join()).not.toContain('withheld')
  await using resumed = await listenTo(service, address, { lastEventId: lastId!.replace(/\..*/, '') })
  await resumed.receives(1)
  expect(live.messages()).toEqual([])
  expect(live.events()).toEqual([
    { type: 'contact', peer: alice.address, state: 'blocked', muted_until: null },
  ])
  expect(resumed.messages()).toEqual([])

  expect(await alice.texts(bob)).toEqual(['before', 'withheld', 'withheld too'])
  expect(await alice.rows('main')).toEqual(['withheld too'])
  await expect(bob.write(alice, 'to the blocked')).rejects.toMatchObject({ code: 'conflict' })

  // Afterwards all is as before, and what was withheld stays so.
  expect(await bob.think(alice, { blocked: false })).toEqual({ peer: alice.address, state: 'unknown' })
  expect(await bob.rows('requests')).toEqual(['before'])
  expect([await bob.unread(), await bob.unread('requests')]).toEqual([1, 1])
  expect(await client.countUnreadOfNft({ address, ...token })).toBe(1)
  const last = await alice.write(bob, 'after')
  expect(await bob.texts(alice)).toEqual(['before', 'after'])
  expect(await client.markReadTo({ addr: alice.address, body: { id: last.id, context_type: 'dm' } })).toEqual(
    {
      id: last.id,
      unread: 0,
    },
  )
  expect((await alice.client.listReadMessages({ fromaddr: alice.address, toaddr: address })).length).toBe(4)
})

test('a wallet lists those that it has given a name, in the order of their addresses and in pages', async () => {
  const me = await newcomer()
  const [ann, bea, cid] = [newWallet(), newWallet(), newWallet()].toSorted().map((address) => ({ address }))
  await me.think(cid!, { alias: 'Cid', muted_until: 'forever' })
  await me.think(ann!, { alias: 'Ann', state: 'blocked' })
  await me.think(bea!, { state: 'accepted' })
  const named = (query: object = {}) => me.client.listContacts({ query: { named: true, ...query } })
  expect(await named()).toEqual([
    { peer: ann!.address, state: 'blocked', alias: 'Ann', since: expect.any(String) },
    {
      peer: cid!.address,
      state: 'unknown',
      alias: 'Cid',
      muted_until: 'forever',
      since: expect.any(String),
    },
  ])
  expect((await named({ limit: 1 })).map(({ alias }) => alias)).toEqual(['Ann'])
  expect((await named({ after: ann!.address })).map(({ alias }) => alias)).toEqual(['Cid'])
  await me.think(ann!, { alias: null })
  expect((await named()).map(({ alias }) => alias)).toEqual(['Cid'])
  expect(await me.client.listContacts({ query: { named: false } })).toHaveLength(3)
})
