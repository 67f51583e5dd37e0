import { expect, test } from 'vitest'
import type { ChatItem, GroupChatItem } from '@parley/sdk'
import { check } from '../../check/check.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'

const service = useService()

/** Two wallets that have accepted each other. */
async function friends() {
  const t = await twoWallets(service)
  const one = await t.send('one')
  const two = await t.answer('two')
  const rows = async (table: string, { id }: { id: number }) =>
    service.ctx.db.query(`select * from ${table} where bucket = $1 and item_id = $2`, [id % 64, id])
  return { ...t, one, two, rows }
}

async function town() {
  const owner = newWallet()
  const asOwner = await service.as(owner)
  const nftaddr = `town${owner.slice(2, 12)}`
  await asOwner.createCommunity({ body: { community: nftaddr } })
  const [post] = await asOwner.postGroupMessage({
    body: { fromaddr: owner, nftaddr, message: 'hello' },
  })
  return { owner, asOwner, nftaddr, post: post! }
}

test('a set of reactions replaces the earlier one; both ends see it, and get an event', async () => {
  const t = await friends()
  await using other = await listenTo(service, t.alice)
  await using own = await listenTo(service, t.bob)
  await t.asBob.react({ id: t.one.id, body: { values: ['👍', '🎉'] } })
  await t.asBob.react({ id: t.one.id, body: { values: ['🎉', '👍'] } })
  await t.asBob.react({ id: t.one.id, body: { values: ['❤️'] } })
  const seen = [{ fromaddr: t.bob, values: ['❤️'] }]
  expect(await t.asAlice.listReactions({ id: t.one.id })).toEqual(seen)
  expect(await t.asBob.listReactions({ id: t.one.id })).toEqual(seen)
  expect(await t.asBob.listOwnReactions({})).toEqual([{ id: t.one.id, values: ['❤️'] }])
  expect(await t.asAlice.listOwnReactions({})).toEqual([])
  await other.receives(2)
  await own.receives(2)
  expect(other.events().map(({ type }) => type)).toEqual(['reacted', 'reacted'])
  expect(own.events().map(({ type }) => type)).toEqual(['reacted-mine', 'reacted-mine'])
  expect(other.events().at(-1)).toEqual({
    type: 'reacted',
    id: t.one.id,
    fromaddr: t.bob,
    toaddr: t.alice,
    values: ['❤️'],
  })
  expect(await t.rows('reaction_counts', t.one)).toMatchObject([{ value: '❤️', n: 1 }])
  await t.asBob.react({ id: t.one.id, body: { values: [] } })
  expect(await t.asAlice.listReactions({ id: t.one.id })).toEqual([])
  expect(await t.rows('reaction_counts', t.one)).toEqual([])
})

test('what is no emoji, a value twice and a sealed value in the clear are refused', async () => {
  const t = await friends()
  for (const values of [['a'], ['👍👍'], ['👍', '👍'], ['']])
    await expect(t.asBob.react({ id: t.one.id, body: { values } })).rejects.toMatchObject({ status: 400 })
  await expect(t.asBob.react({ id: t.one.id, body: { values: ['x'.repeat(100)] } })).rejects.toMatchObject({
    code: 'conflict',
  })
  const carol = await service.as(newWallet())
  await expect(carol.react({ id: t.one.id, body: { values: ['👍'] } })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(carol.listReactions({ id: t.one.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('a message that becomes encrypted takes sealed reactions, and the emoji before are in no count', async () => {
  const t = await friends()
  for (const asOne of [t.asAlice, t.asBob]) await asOne.react({ id: t.one.id, body: { values: ['👍'] } })
  const sealed = { encrypted_sym_x_key: 'key', x_access_conditions: 'conditions' }
  await t.asAlice.editMessage({ id: t.one.id, body: { message: 'sealed', revision: 0, ...sealed } })
  const value = `{${'x'.repeat(100)}}`
  await t.asBob.react({ id: t.one.id, body: { values: [value] } })
  expect(await t.rows('reaction_counts', t.one)).toMatchObject([{ value: '👍', n: 1 }])
  await t.asAlice.react({ id: t.one.id, body: { values: [] } })
  await t.asBob.react({ id: t.one.id, body: { values: [`{${'y'.repeat(100)}}`] } })
  expect(await t.rows('reaction_counts', t.one)).toEqual([])
  expect(await t.asAlice.listReactions({ id: t.one.id })).toMatchObject([{ fromaddr: t.bob }])
})

test('who has reacted with one emoji is listed alone, in pages; an unseen one by its wallet alone', async () => {
  const { post, asOwner } = await town()
  const people = Array.from({ length: 30 }, () => newWallet())
  for (const [n, person] of people.entries())
    await (
      await service.as(person)
    ).react({ id: post.id, body: { values: n % 10 === 0 ? ['🎉', '👍'] : ['👍'] } })
  const rare = people.filter((_, n) => n % 10 === 0).toSorted()
  const { id } = post
  expect(
    (await asOwner.listReactions({ id, query: { value: '🎉' } })).map(({ fromaddr }) => fromaddr),
  ).toEqual(rare)
  const page = await asOwner.listReactions({ id, query: { value: '👍' } })
  expect(page).toHaveLength(25)
  const rest = await asOwner.listReactions({ id, query: { value: '👍', after: page.at(-1)!.fromaddr } })
  expect([...page, ...rest].map(({ fromaddr }) => fromaddr)).toEqual(people.toSorted())
  expect(await asOwner.listReactions({ id, query: { value: '❤️' } })).toEqual([])
  const t = await friends()
  await t.asAlice.setContact({ peer: t.bob, body: { blocked: true } })
  await t.asBob.react({ id: t.one.id, body: { values: ['👍'] } })
  const query = { value: '👍' }
  expect(await t.asBob.listReactions({ id: t.one.id, query })).toHaveLength(1)
  expect(await t.asAlice.listReactions({ id: t.one.id, query })).toEqual([])
})

test('nobody reacts to a request before it is accepted', async () => {
  const t = await twoWallets(service)
  const one = await t.send('one')
  await expect(t.asBob.react({ id: one.id, body: { values: ['👍'] } })).rejects.toMatchObject({
    code: 'conflict',
  })
  await t.asAlice.react({ id: one.id, body: { values: ['👍'] } })
  expect(await t.asAlice.listReactions({ id: one.id })).toHaveLength(1)
  expect(await t.asBob.listReactions({ id: one.id })).toEqual([])
})

test('a wallet that the other has blocked cannot tell: it alone sees its reactions and pins', async () => {
  const t = await friends()
  await t.asAlice.setContact({ peer: t.bob, body: { blocked: true } })
  await using own = await listenTo(service, t.bob)
  await t.asBob.react({ id: t.one.id, body: { values: ['👍'] } })
  await t.asBob.pinMessage({ id: t.one.id })
  expect(await t.asBob.listReactions({ id: t.one.id })).toEqual([{ fromaddr: t.bob, values: ['👍'] }])
  expect(await t.asAlice.listReactions({ id: t.one.id })).toEqual([])
  expect(await t.asBob.listPinsOfConversation({ toaddr: t.alice })).toHaveLength(1)
  expect(await t.asAlice.listPinsOfConversation({ toaddr: t.bob })).toEqual([])
  await own.receives(2)
  expect(own.events().map(({ type }) => type)).toEqual(['reacted-mine', 'pinned'])
})

test('a message that is deleted takes its reactions and pins with it, in whatever way', async () => {
  const t = await friends()
  const three = await t.send('three')
  for (const { id } of [t.one, t.two, three]) {
    await t.asBob.react({ id, body: { values: ['👍'] } })
    await t.asBob.pinMessage({ id })
  }
  await t.asAlice.deleteDirectMessage({ id: t.one.id })
  await t.asAlice.hideMessage({ id: t.two.id })
  await t.asBob.hideMessage({ id: t.two.id })
  await t.asAlice.deleteConversation(t.pair)
  for (const one of [t.one, t.two, three])
    for (const table of ['reactions', 'reaction_counts', 'pins']) expect(await t.rows(table, one)).toEqual([])
})

test('erasing a wallet takes its reactions back; its export has them', async () => {
  const t = await friends()
  await t.asBob.react({ id: t.one.id, body: { values: ['👍'] } })
  await t.asAlice.react({ id: t.one.id, body: { values: ['👍', '🎉'] } })
  await t.asBob.eraseAccount({ address: t.bob })
  expect(await t.asAlice.listReactions({ id: t.one.id })).toMatchObject([{ fromaddr: t.alice }])
  expect(await t.rows('reaction_counts', t.one)).toMatchObject([{ n: 1 }, { n: 1 }])
})

test('a reaction in a chat writes a handful of rows and one event, which has the counts', async () => {
  const { asOwner, owner, post, nftaddr } = await town()
  await asOwner.joinChat({ body: { walletaddr: owner, nftaddr } })
  await using stream = await listenTo(service, owner)
  const reader = newWallet()
  const asReader = await service.as(reader)
  await asReader.react({ id: post.id, body: { values: ['👍'] } })
  await stream.receives(1)
  expect(stream.events()).toEqual([
    { type: 'reacted', id: post.id, nftaddr, reactions: [{ value: '👍', count: 1 }] },
  ])
  const written = await service.ctx.db.query(
    `select id from events where event->>'id' = $1 and event->>'type' like 'reacted%'`,
    [String(post.id)],
  )
  expect(written).toHaveLength(2)
  await expect(asReader.pinMessage({ id: post.id })).rejects.toMatchObject({ status: 403 })
  await asOwner.pinMessage({ id: post.id })
  expect(await asReader.listPinsOfChat({ nftaddr })).toMatchObject([{ id: post.id, pinned_by: owner }])
  await asOwner.unpinMessage({ id: post.id })
  expect(await asReader.listPinsOfChat({ nftaddr })).toEqual([])
})

test('of reactions to several messages of a chat at once, each event has those to its own message', async () => {
  const { owner, asOwner, nftaddr } = await town()
  const post = (message: string) => asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr, message } })
  const posts = (await Promise.all(['one', 'two', 'three', 'four'].map(post))).flat()
  await asOwner.joinChat({ body: { walletaddr: owner, nftaddr } })
  await using stream = await listenTo(service, owner)
  const valuesOf = (i: number) => (i % 2 === 0 ? ['👍'] : ['❤️', '🎉'])
  await Promise.all(posts.map(({ id }, i) => asOwner.react({ id, body: { values: valuesOf(i) } })))
  const last = () =>
    posts.map(({ id }) =>
      stream.events().findLast((event) => event.type === 'reacted' && event.id === id && event.reactions),
    )
  await expect
    .poll(last)
    .toMatchObject(posts.map((_, i) => ({ reactions: valuesOf(i).map((value) => ({ value, count: 1 })) })))
})

test('many wallets that react to one message at once leave counts that equal a recount, and at most 20 kinds', async () => {
  const { post } = await town()
  const kinds = Array.from({ length: 24 }, (_, n) => String.fromCodePoint(0x1f600 + n))
  const people = await Promise.all(kinds.map(() => service.as(newWallet())))
  const outcomes = await Promise.allSettled(
    people.map((person, n) =>
      person.react({ id: post.id, body: { values: [kinds[n]!, kinds[0]!].slice(0, n ? 2 : 1) } }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  const counts = await service.ctx.db.query<{ value: string; n: number }>(
    'select value, n from reaction_counts where bucket = $1 and item_id = $2',
    [post.id % 64, post.id],
  )
  const rows = await service.ctx.db.query<{ vals: string[] }>(
    'select vals from reactions where bucket = $1 and item_id = $2',
    [post.id % 64, post.id],
  )
  const recount = Object.groupBy(
    rows.flatMap(({ vals }) => vals),
    (value) => value,
  )
  expect(Object.fromEntries(counts.map(({ value, n }) => [value, n]))).toEqual(
    Object.fromEntries(Object.entries(recount).map(([value, all]) => [value, all!.length])),
  )
  expect(counts).toHaveLength(20)
  const faults: string[] = []
  await check({
    databaseUrl: service.databaseUrl,
    onFault: ({ row, wrong }) => faults.push(`${row}: ${wrong.join('; ')}`),
  })
  expect(faults).toEqual([])
})

test('a place has fifty pins; one more is refused, also when many come at once', async () => {
  const t = await friends()
  const ids = await Promise.all(Array.from({ length: 53 }, async () => (await t.send('gm')).id))
  const outcomes = await Promise.allSettled(ids.map((id) => t.asAlice.pinMessage({ id })))
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(refused).toHaveLength(3)
  for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'limit_reached' })
  expect(await t.asBob.listPinsOfConversation({ toaddr: t.alice })).toHaveLength(50)
  await t.asBob.unpinMessage({ id: ids[outcomes.findIndex(({ status }) => status === 'fulfilled')]! })
  await t.asBob.pinMessage({ id: ids[outcomes.findIndex(({ status }) => status === 'rejected')]! })
})

/** What lists show of a message besides its text. */
const shown = (items: (ChatItem | GroupChatItem)[], id: number) => {
  const { reactions, pinned } = items.find((item) => item.id === id)!
  return { reactions, pinned }
}

test('lists, polls and responses of a conversation show the reactions of both ends and pins; others have no such field', async () => {
  const t = await friends()
  await t.asBob.react({ id: t.one.id, body: { values: ['👍', '🎉'] } })
  await t.asAlice.react({ id: t.one.id, body: { values: ['👍'] } })
  await t.asBob.pinMessage({ id: t.one.id })
  expect(await t.asAlice.getConversation({ toaddr: t.bob })).toEqual({ pinned: true })
  const ofBob = {
    reactions: [
      { value: '👍', count: 2, mine: true },
      { value: '🎉', count: 1, mine: true },
    ],
    pinned: true,
  }
  const lists = [
    await t.asBob.listConversation({ ...t.pair, query: {} }),
    await t.asBob.listDirectMessages({ address: t.bob, query: {} }),
    await t.asBob.listConversationSince({ ...t.pair, time: '0', query: {} }),
    await t.asBob.markDirectMessage({ ...t.pair, body: { ...t.one, read: true } }),
  ]
  for (const items of lists) expect(shown(items, t.one.id)).toEqual(ofBob)
  const [first, second] = await t.asAlice.listConversation({ ...t.pair, query: {} })
  expect(first!.reactions).toEqual([
    { value: '👍', count: 2, mine: true },
    { value: '🎉', count: 1 },
  ])
  expect(Object.keys(second!).filter((name) => name === 'reactions' || name === 'pinned')).toEqual([])
  await t.asBob.unpinMessage({ id: t.one.id })
  for (const one of [t.asAlice, t.asBob]) await one.react({ id: t.one.id, body: { values: [] } })
  const [after] = await t.asAlice.listConversation({ ...t.pair, query: {} })
  expect(after).toEqual({ ...t.one, read: true })
})

/** Reacts in a chat and in a conversation, and returns all that the wallet can see of it. */
async function play(wallet: string, inTown: Awaited<ReturnType<typeof town>>, friend: Friend) {
  const { nftaddr, post, asOwner } = inTown
  const me = await service.as(wallet)
  await me.joinChat({ body: { walletaddr: wallet, nftaddr } })
  await me.sendDirectMessage({ body: { fromaddr: wallet, toaddr: friend.address, message: 'hi' } })
  const [answer] = await friend.client.sendDirectMessage({
    body: { fromaddr: friend.address, toaddr: wallet, message: 'hi' },
  })
  const other = await service.as(newWallet())
  await other.react({ id: post.id, body: { values: ['🎉'] } })
  await using own = await listenTo(service, wallet)
  await using ofFriend = await listenTo(service, friend.address)
  const steps: unknown[] = []
  // Each step waits for its events, so that both wallets get as many of them.
  const step = async (events: number, act: () => Promise<unknown>) => {
    const before = own.received.length
    steps.push(await act().catch((error: { status: number; code: string }) => [error.status, error.code]))
    await own.receives(before + events)
  }
  const react = (id: number, ...values: string[]) => me.react({ id, body: { values } })
  await step(2, () => react(post.id, '👍', '🎉'))
  await step(1, () => asOwner.react({ id: post.id, body: { values: ['👍'] } }))
  await step(0, () => react(post.id, '🎉', '👍'))
  await step(1, () => asOwner.react({ id: post.id, body: { values: [] } }))
  await step(2, () => react(post.id, '❤️'))
  await step(1, () => react(answer!.id, '👍'))
  await step(1, () => me.pinMessage({ id: answer!.id }))
  await step(1, () => me.unpinMessage({ id: answer!.id }))
  await step(1, () => me.pinMessage({ id: answer!.id }))
  await step(0, () => me.pinMessage({ id: post.id }))
  const pair = { fromaddr: wallet, toaddr: friend.address }
  await using later = await listenTo(service, wallet, { lastEventId: String(post.id) })
  await me.sendDirectMessage({ body: { fromaddr: wallet, toaddr: wallet, message: 'the end' } })
  await expect.poll(() => later.messages()).toContain('the end')
  const seen = {
    steps,
    events: own.events(),
    missed: later.events(),
    posts: await me.listGroupMessages({ address: nftaddr, useraddress: wallet }),
    messages: await me.listConversation({ ...pair, query: {} }),
    who: (await me.listReactions({ id: post.id })).toSorted(({ values: [one] }, { values: [two] }) =>
      one! < two! ? -1 : 1,
    ),
    mine: await me.listOwnReactions({}),
    pins: await me.listPinsOfConversation({ toaddr: friend.address }),
  }
  // The times and ids differ in every history.
  const text = JSON.stringify(seen)
    .replaceAll(wallet, 'me')
    .replaceAll(/"0x[0-9a-f]{40}"/g, '"other"')
    .replaceAll(/"(id|timestamp|timestamp_dtm|pinned_at)":("[^"]*"|\d+)/g, '"$1":0')
    .replaceAll(nftaddr, 'town')
  const shownToOwner = shown(
    await asOwner.listGroupMessages({ address: nftaddr, useraddress: inTown.owner }),
    post.id,
  )
  return {
    seen: JSON.parse(text) as unknown,
    text,
    shownToOwner,
    atFriend: ofFriend.events().map(({ type }) => type),
  }
}

const newFriend = async () => {
  const address = newWallet()
  return { address, client: await service.as(address) }
}
type Friend = Awaited<ReturnType<typeof newFriend>>

test('a wallet whose reactions and pins nobody else sees gets the answers, lists and events that every other one gets', async () => {
  const [muted, other] = [newWallet(), newWallet()]
  const operator = newWallet()
  await addOperator(service, operator)
  await (
    await service.as(operator)
  ).act({ body: { action: 'shadow_mute', subject: muted, reason: 'a test' } })
  const ofOther = await play(other, await town(), await newFriend())
  const ofMuted = await play(muted, await town(), await newFriend())
  expect(ofMuted.seen).toEqual(ofOther.seen)
  expect(ofMuted.text).toBe(ofOther.text)
  expect(ofOther.shownToOwner.reactions).toEqual([
    { value: '❤️', count: 1 },
    { value: '🎉', count: 1 },
  ])
  expect(ofMuted.shownToOwner.reactions).toEqual([{ value: '🎉', count: 1 }])
  expect(ofOther.atFriend).toContain('reacted')
  expect(ofMuted.atFriend).toEqual([])
})
