import type { ContactUpdate } from '@parley/sdk'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService({ contactsInAll: 3 })
const roomy = useService({ beside: service })

const send = async (fromaddr: string, toaddr: string) =>
  (await service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })

test('what a wallet decides before any message puts it into no list of the other', async () => {
  const peer = newWallet()
  const asPeer = await service.as(peer)
  const shown = async () => [
    await asPeer.listContacts({}),
    await asPeer.listContacts({ query: { state: 'unknown' } }),
    await asPeer.listContacts({ query: { limit: 1 } }),
    await asPeer.getInbox({ address: peer }),
    await asPeer.getInbox({ address: peer, query: { view: 'requests' } }),
  ]
  const nothing = [[], [], [], [], []]
  for (const body of [
    { blocked: true },
    { alias: 'my ex' },
    { muted_until: 'forever' },
    { state: 'accepted' },
    { state: 'ignored' },
  ] satisfies ContactUpdate[]) {
    const wallet = newWallet()
    const asWallet = await service.as(wallet)
    const kept = await asWallet.setContact({ peer, body })
    expect(await shown()).toEqual(nothing)
    // The wallet itself finds it.
    expect(await asWallet.listContacts({})).toEqual([kept])
    const query = { state: kept.state }
    expect(await asWallet.listContacts({ query })).toEqual([kept])
    await asWallet.setContact({ peer, body: { state: 'unknown', alias: null, muted_until: null } })
    expect(await asWallet.listContacts({})).toEqual([])
    expect(await shown()).toEqual(nothing)
  }
})

test('who comes back after erasing its account does not find that another has blocked it', async () => {
  for (const blocks of [false, true]) {
    const [bob, peer] = [newWallet(), newWallet()]
    const asBob = await service.as(bob)
    const asPeer = await service.as(peer)
    await send(peer, bob)
    if (blocks) await asBob.setContact({ peer, body: { blocked: true } })
    await asBob.hideConversation({ toaddr: peer })
    await asPeer.eraseAccount({ address: peer })
    expect(await (await service.as(peer)).listContacts({})).toEqual([])
  }
})

test('wallets with a name or a mute alone stand in their place among the others, in pages', async () => {
  const bob = newWallet()
  const asBob = await roomy.as(bob)
  const peers = Array.from({ length: 6 }, newWallet).toSorted()
  for (const [n, peer] of peers.entries())
    if (n % 2 === 0)
      await asBob.setContact({ peer, body: n === 2 ? { muted_until: 'forever' } : { alias: `${n}` } })
    else
      await (await roomy.as(peer)).sendDirectMessage({ body: { fromaddr: peer, toaddr: bob, message: 'gm' } })
  await asBob.setContact({ peer: peers[1]!, body: { alias: 'one' } })
  for (const state of [undefined, 'unknown'] as const)
    for (const limit of [1, 2, 4, 6, 100]) {
      const found: string[] = []
      for (let after = ''; ;) {
        const page = await asBob.listContacts({
          query: { limit, ...(state && { state }), ...(after && { after }) },
        })
        found.push(...page.map(({ peer }) => peer))
        if (page.length < limit) break
        after = found.at(-1)!
      }
      expect(found).toEqual(peers)
    }
})

test('requests are accepted or ignored together, and a later one is none of them', async () => {
  const bob = newWallet()
  const asBob = await service.as(bob)
  const peers = Array.from({ length: 5 }, newWallet).toSorted()
  for (const peer of peers.slice(0, 3)) await send(peer, bob)
  await using stream = await listenTo(service, bob)
  expect(await asBob.acceptRequests()).toEqual({ decided: 3, left: 0 })
  await stream.receives(1)
  expect(stream.events()).toEqual([{ type: 'inbox' }])
  await send(peers[3]!, bob)
  expect(await asBob.clearRequests()).toEqual({ decided: 1, left: 0 })
  expect(await asBob.clearRequests()).toEqual({ decided: 0, left: 0 })
  await send(peers[4]!, bob)
  const peersOf = async (query: object) => (await asBob.listContacts({ query })).map(({ peer }) => peer)
  expect(await peersOf({})).toEqual(peers)
  expect(await peersOf({ state: 'accepted' })).toEqual(peers.slice(0, 3))
  expect(await peersOf({ state: 'ignored' })).toEqual([peers[3]])
  expect(await peersOf({ state: 'unknown' })).toEqual([peers[4]])
  expect(await peersOf({ limit: 2 })).toEqual(peers.slice(0, 2))
  expect(await peersOf({ limit: 2, after: peers[1]! })).toEqual(peers.slice(2, 4))
})

test('a muted peer or chat stays in the main view, and does not count there until it is over', async () => {
  const bob = newWallet()
  const asBob = await service.as(bob)
  const [peer, town] = [newWallet(), `Town-${bob.slice(2, 10)}`]
  const asPeer = await service.as(peer)
  await asPeer.createCommunity({ body: { community: town, social: [] } })
  await expect(asBob.muteChat({ nftaddr: town, body: { muted_until: 'forever' } })).rejects.toMatchObject({
    code: 'not_found',
  })
  await asBob.joinChat({ body: { walletaddr: bob, nftaddr: town } })
  await asPeer.postCommunityMessage({ body: { fromaddr: peer, nftaddr: town, message: 'gm' } })
  await send(peer, bob)
  const think = (body: ContactUpdate) => asBob.setContact({ peer, body })
  await think({ state: 'accepted' })
  const main = () => asBob.countUnread({ address: bob, query: { view: 'main' } })
  const untils = async () =>
    (await asBob.getInbox({ address: bob, query: { view: 'main' } })).map(({ muted_until }) => muted_until)
  expect(await main()).toBe(2)
  expect(await untils()).toEqual([undefined, undefined])
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  expect(await think({ muted_until: soon })).toMatchObject({ muted_until: soon, state: 'accepted' })
  expect(await asBob.muteChat({ nftaddr: town, body: { muted_until: 'forever' } })).toEqual({
    muted_until: 'forever',
  })
  expect(await main()).toBe(0)
  expect(await asBob.countUnread({ address: bob })).toBe(2)
  expect(new Set(await untils())).toEqual(new Set([soon, 'forever']))
  const past = new Date(Date.now() - 1000).toISOString()
  expect(await think({ muted_until: past })).not.toHaveProperty('muted_until')
  expect(await asBob.muteChat({ nftaddr: town, body: { muted_until: null } })).toEqual({ muted_until: null })
  expect(await main()).toBe(2)
})

test('a wallet has so many contacts; it can always block who has written, and what says nothing is not kept', async () => {
  const [alice, stranger] = [newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  const peers = Array.from({ length: 3 }, newWallet)
  for (const peer of peers) await asAlice.setContact({ peer, body: { alias: 'one of three' } })
  await expect(asAlice.setContact({ peer: stranger, body: { state: 'blocked' } })).rejects.toMatchObject({
    code: 'limit_reached',
  })
  await send(stranger, alice)
  await expect(asAlice.setContact({ peer: stranger, body: { alias: 'no room' } })).rejects.toMatchObject({
    code: 'limit_reached',
  })
  expect(await asAlice.setContact({ peer: stranger, body: { state: 'blocked' } })).toEqual({
    peer: stranger,
    state: 'blocked',
  })
  expect(await asAlice.setContact({ peer: peers[0]!, body: { alias: null } })).toEqual({
    peer: peers[0],
    state: 'unknown',
  })
  const rows = await service.ctx.db.query('select 1 as one from conversations where $1 in (a, b)', [peers[0]])
  expect(rows).toEqual([])
  expect(await asAlice.setContact({ peer: newWallet(), body: { alias: 'again' } })).toMatchObject({
    alias: 'again',
  })
})

test('a contact is changed again without an event or another time, and wrong changes are refused with words', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const asAlice = await service.as(alice)
  const think = (body: object, peer = bob) => asAlice.setContact({ peer, body })
  const first = await think({ state: 'ignored', alias: 'Bobby' })
  await using stream = await listenTo(service, alice)
  expect(await think({ state: 'ignored', alias: 'Bobby' })).toEqual(first)
  expect(await think({})).toEqual(first)
  expect(await asAlice.getContact({ peer: bob })).toEqual(first)
  await think({ alias: 'Bob' })
  await stream.receives(1)
  expect(stream.events()).toEqual([{ type: 'contact', peer: bob, state: 'ignored', muted_until: null }])
  for (const [body, peer] of [
    [{ state: 'blocked' }, alice],
    [{ state: 'blocked', blocked: false }, bob],
    [{ state: 'liked' }, bob],
    [{ alias: '' }, bob],
    [{ muted_until: 'tomorrow' }, bob],
  ] as const)
    await expect(think(body, peer)).rejects.toMatchObject({ code: 'bad_request' })
})
