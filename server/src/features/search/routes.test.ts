import type { SearchFor, SearchHit } from '@parley/sdk/contract/search.ts'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import { upload } from '../../../../testing/people/uploading.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'
import { followAll } from '../../../../testing/service/log.ts'
import { clientOf, newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { readers } from '../../background.ts'
import { cleanIndex } from './clean.ts'
import { searchReader } from './reader.ts'

const service = useService()

/** Reads the log until the index has all that was sent. */
const indexed = () => followAll(service.ctx.db, searchReader)

const as = async (wallet: string) => {
  const client = await service.as(wallet)
  const search = async (body: SearchFor) => client.search({ body })
  return {
    client,
    search,
    /** Returns the texts that are found. */
    find: async (q: string, more: Partial<SearchFor> = {}) =>
      (await search({ q, ...more })).flatMap((one) => ('item' in one ? [one.item.message] : [])),
  }
}

/** Two wallets with some messages. */
async function conversation() {
  const t = await twoWallets(service)
  const sent = []
  for (const text of ['the invoice of May', 'paid the invoice, thanks', 'see https://example.org/a-b'])
    sent.push(await t.send(text))
  sent.push(await t.answer('Great, INVOICE number 7'))
  return { ...t, sent, alices: await as(t.alice), bobs: await as(t.bob) }
}

// What was sent a moment ago is found without the index.
test.each([
  ['a moment ago', async () => {}],
  ['before', indexed],
])(
  'messages that were sent %s are found by both ends, newest first, with the places that matched',
  async (_, wait) => {
    const { alices, bobs, bob, alice, sent } = await conversation()
    await wait()
    for (const one of [alices, bobs]) {
      expect(await one.find('invoice')).toEqual([
        'Great, INVOICE number 7',
        'paid the invoice, thanks',
        'the invoice of May',
      ])
      expect(await one.find('INVOI')).toHaveLength(3)
      expect(await one.find('invoice paid')).toEqual(['paid the invoice, thanks'])
      expect(await one.find('"invoice of"')).toEqual(['the invoice of May'])
      expect(await one.find('example.org')).toEqual(['see https://example.org/a-b'])
      expect(await one.find('invoice', { from: bob })).toEqual(['Great, INVOICE number 7'])
      expect(await one.find('invoice', { from: alice })).toHaveLength(2)
      expect(await one.find('', { has: 'link' })).toEqual(['see https://example.org/a-b'])
      expect(await one.find('invoice', { has: 'link' })).toEqual([])
      expect(await one.find('nothing')).toEqual([])
    }
    const [hit] = (await alices.search({ q: 'may invoice' })) as SearchHit[]
    expect(hit!.marks.map(([start, end]) => hit!.item.message.slice(start, end))).toEqual(['invoice', 'May'])
    expect(await alices.find('invoice', { peer: bob })).toHaveLength(3)
    expect(await alices.find('invoice', { peer: newWallet() })).toEqual([])
    const first = await alices.search({ q: 'invoice', limit: 2 })
    expect(first).toHaveLength(2)
    expect(await alices.find('invoice', { before: (first[1] as SearchHit).item.id })).toEqual([
      'the invoice of May',
    ])
    const times = sent.map(({ timestamp }) => timestamp)
    expect(await alices.find('invoice', { since: times[1]! })).toHaveLength(2)
    expect(await alices.find('invoice', { until: times[1]! })).toEqual(['the invoice of May'])
    expect(
      await alices.find('invoice', { since: '2020-01-01T00:00:00.000Z', until: '2020-02-01T00:00:00.000Z' }),
    ).toEqual([])
    const stranger = await as(newWallet())
    expect(await stranger.find('invoice')).toEqual([])
  },
)

test('what is deleted, hidden, edited or of a blocked wallet is not found, and its words leave the index', async () => {
  const { alices, bobs, alice, bob, sent, asAlice, asBob } = await conversation()
  await indexed()
  await asAlice.deleteDirectMessage({ id: sent[0]!.id })
  await asBob.hideMessage({ id: sent[1]!.id })
  await asAlice.editMessage({
    id: sent[2]!.id,
    body: { message: 'nothing to see, but a zebra', revision: 0 },
  })
  const now = async () => {
    expect(await alices.find('invoice')).toEqual(['Great, INVOICE number 7', 'paid the invoice, thanks'])
    expect(await bobs.find('invoice')).toEqual(['Great, INVOICE number 7'])
    for (const one of [alices, bobs]) {
      expect(await one.find('example')).toEqual([])
      expect(await one.find('zebra')).toEqual(['nothing to see, but a zebra'])
    }
  }
  await now()
  await indexed()
  await now()
  await cleanIndex(service.ctx.db)
  const rows = await service.ctx.db.query('select 1 as one from search_direct where id = $1', [sent[0]!.id])
  expect(rows).toEqual([])
  await now()
  await asBob.setContact({ peer: alice, body: { blocked: true } })
  expect(await bobs.find('zebra')).toEqual([])
  expect(await bobs.find('zebra', { peer: alice })).toEqual([])
  expect(await alices.find('zebra', { peer: bob })).toEqual(['nothing to see, but a zebra'])
  await asBob.setContact({ peer: alice, body: { blocked: false } })
  await asBob.hideConversation({ toaddr: alice })
  expect(await bobs.find('zebra')).toEqual([])
  await asAlice.deleteConversation({ fromaddr: alice, toaddr: bob })
  expect(await alices.find('zebra')).toEqual([])
})

test('messages with a file, a picture or a link are found by what they have, and by the names of their files', async () => {
  const t = await twoWallets(service)
  const alices = await as(t.alice)
  const picture = Uint8Array.fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  )
  const send = async (message: string, file?: { name: string; bytes: Uint8Array<ArrayBuffer> }) => {
    const { id } = file ? await upload(alices.client, { toaddr: t.bob, name: file.name }, file.bytes) : {}
    await alices.client.sendDirectMessage({
      body: { fromaddr: t.alice, toaddr: t.bob, message, ...(id && { files: [id] }) },
    })
  }
  await send('the stall', { name: 'stall.png', bytes: picture })
  await send('its plan', { name: 'plan.txt', bytes: new Uint8Array(9).fill(65) })
  await send('see https://example.org/stall')
  const bobs = await as(t.bob)
  for (const wait of [async () => {}, indexed]) {
    await wait()
    expect(await bobs.find('', { has: 'picture' })).toEqual(['the stall'])
    expect(await bobs.find('', { has: 'file' })).toEqual(['its plan', 'the stall'])
    expect(await bobs.find('', { has: 'link' })).toEqual(['see https://example.org/stall'])
    expect(await bobs.find('plan', { has: 'picture' })).toEqual([])
    expect(await bobs.find('plan.txt')).toEqual(['its plan'])
  }
})

test('posts of joined chats are found, those that were removed or are hidden from the wallet are not', async () => {
  const [owner, member, other] = [newWallet(), newWallet(), newWallet()]
  const [owners, members, others] = [await as(owner), await as(member), await as(other)]
  const nftaddr = newName('town')
  await owners.client.createCommunity({ body: { community: nftaddr } })
  for (const [wallet, { client }] of [
    [owner, owners],
    [member, members],
  ] as const)
    await client.joinChat({ body: { walletaddr: wallet, nftaddr } })
  const post = async (from: typeof owners, fromaddr: string, message: string) =>
    (await from.client.postGroupMessage({ body: { fromaddr, nftaddr, message } }))[0]!
  await post(owners, owner, 'the market opens')
  const removed = await post(members, member, 'the market is a scam')
  for (const wait of [async () => {}, indexed]) {
    await wait()
    expect(await owners.find('market')).toEqual(['the market is a scam', 'the market opens'])
    expect(await members.find('market', { from: owner })).toEqual(['the market opens'])
    expect(await members.find('market', { chat: nftaddr.toUpperCase() })).toHaveLength(2)
    expect(await others.find('market')).toEqual([])
    // Everybody may read the chat.
    expect(await others.find('market', { chat: nftaddr })).toHaveLength(2)
  }
  await owners.client.removePost({ nftaddr, id: removed.id })
  expect(await members.find('market')).toEqual(['the market opens'])
  await members.client.leaveChat({ body: { walletaddr: member, nftaddr } })
  expect(await members.find('market')).toEqual([])
})

test.each([
  [{ q: 'a' }, '/body/q', 'must have a word of at least two letters'],
  [{ q: '' }, '/body/q', 'must have a word, or `has` says what to search for'],
  [{ q: 'a1 b2 c3 d4 e5 f6 g7 h8 i9' }, '/body/q', 'must have at most 8 words and phrases'],
])('%j is refused', async (body, pointer, detail) => {
  const { search } = await as(newWallet())
  await expect(search(body)).rejects.toMatchObject({ code: 'bad_request', errors: [{ pointer, detail }] })
})

test('an API key finds what its scopes allow', async () => {
  const { alice, alices } = await conversation()
  const nftaddr = newName('town')
  await alices.client.createCommunity({ body: { community: nftaddr } })
  await alices.client.joinChat({ body: { walletaddr: alice, nftaddr } })
  await alices.client.postGroupMessage({ body: { fromaddr: alice, nftaddr, message: 'an invoice for all' } })
  const withKey = async (scopes: ('inbox:read' | 'chat:read')[]) => {
    const client = clientOf(service.app, { token: await newApiKeyOf(service, alice, scopes) })
    return async (more: Partial<SearchFor> = {}) =>
      (await client.search({ body: { q: 'invoice', ...more } })).flatMap((one) =>
        'item' in one ? [one.item.message] : [],
      )
  }
  const direct = await withKey(['inbox:read'])
  expect(await direct()).toHaveLength(3)
  await expect(direct({ chat: nftaddr })).rejects.toMatchObject({ code: 'forbidden' })
  const posts = await withKey(['chat:read'])
  expect(await posts()).toEqual(['an invoice for all'])
  const both = await withKey(['inbox:read', 'chat:read'])
  expect(await both()).toHaveLength(4)
})

test('an indexer that is killed in the middle of a step leaves no hole and nothing twice', async () => {
  const { alices, alice } = await conversation()
  const killed = {
    ...searchReader,
    readPage: async (...of: Parameters<typeof searchReader.readPage>) => {
      await searchReader.readPage(...of)
      throw new Error('killed')
    },
  }
  const rows = () =>
    service.ctx.db.query<{ id: number }>('select id from search_direct where walletaddr = $1 order by id', [
      alice,
    ])
  await expect(followAll(service.ctx.db, killed)).rejects.toThrow('killed')
  expect(await rows()).toEqual([])
  expect(await alices.find('invoice')).toHaveLength(3)
  await indexed()
  expect(await rows()).toHaveLength(4)
  expect(await alices.find('invoice')).toHaveLength(3)
})

const off = useService({ beside: service, search: false })

test('a service with SEARCH=off has no search and no index', async () => {
  const client = await off.as(newWallet())
  await expect(client.search({ body: { q: 'invoice' } })).rejects.toMatchObject({ code: 'unavailable' })
  expect(readers(off.ctx).map(({ name }) => name)).not.toContain('search')
})
