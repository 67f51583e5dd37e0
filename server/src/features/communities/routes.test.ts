import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { storeCommunity } from '../../../../testing/service/written-directly.ts'
import { newName, newWallet, startService, useService } from '../../../../testing/service/service.ts'

const service = useService()
const beside = useService({ beside: service })

test('only the creator of a community sees that it is theirs', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const town = newName('Town')
  await (await service.as(alice)).createCommunity({ body: { community: town } })
  const seenBy = async (address: string) =>
    (await (await service.as(address)).getCommunity({ community: town.toLowerCase(), address }))[0]!
      .is_creator
  expect([await seenBy(alice), await seenBy(bob)]).toEqual([true, undefined])
})

test('a community belongs to the wallet that took its name first, whatever its capital letters', async () => {
  const town = newName('Town')
  const [creator, other] = [await service.as(newWallet()), await service.as(newWallet())]
  const social = [{ name: 'parley_chat', type: 'twitter' }]
  expect(await creator.createCommunity({ body: { community: town, social } })).toEqual([
    { community: town, social },
  ])
  await expect(
    other.createCommunity({ body: { community: town.replace('Town', 'tOWN') } }),
  ).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await creator.createCommunity({ body: { community: town.toUpperCase(), social: [] } })).toEqual([
    { community: town, social: [] },
  ])
  const another = newName('other')
  expect(await creator.createCommunity({ body: { community: another } })).toEqual([
    { community: another, social: [] },
  ])
})

test('when many wallets create a community at once, one succeeds', async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => service.as(newWallet())))
  const community = newName('gold')
  const settled = await Promise.allSettled(
    clients.map((client) => client.createCommunity({ body: { community } })),
  )
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of settled)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
})

test('of communities that look alike one is created, on two instances; the other names are conflicts', async () => {
  const { length: before } = await service.ctx.db.query('select 1 from communities')
  const end = newName('').slice(1)
  const looks = ['uniswap', 'unіswap', 'Uniswap.', '@uniswap', 'uniswap-team', 'ｕｎｉｓｗａｐ'].map((look) =>
    look.replace(/[sｓ]/, (letter) => letter + end),
  )
  const clients = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 ? beside : service).as(newWallet())),
  )
  const settled = await Promise.allSettled(
    clients.map((client, i) => client.createCommunity({ body: { community: looks[i % looks.length]! } })),
  )
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of settled)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
  // Nor may its creator have two.
  const creator = clients[settled.findIndex(({ status }) => status === 'fulfilled')]!
  await expect(creator.createCommunity({ body: { community: `!${looks[0]}!` } })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await service.ctx.db.query('select 1 from communities')).toHaveLength(before + 1)
})

// It creates them again where the test is tried again.
const longNamed = newWallet()
test('a name may be as long as the contract says', async () => {
  const client = await service.as(longNamed)
  for (const letter of ['\ufdfa', '𠮷', 'z'])
    expect(
      await client.createCommunity({ body: { community: letter.repeat(letter.length > 1 ? 64 : 128) } }),
    ).toHaveLength(1)
})

test('a community that the rule for names would refuse today stays, and its creator changes it', async () => {
  await using own = await startService()
  const [creator, other] = [newWallet(), newWallet()]
  await storeCommunity(own.ctx, creator, 'Parley')
  const social = [{ name: 'parley_chat', type: 'twitter' }]
  const create = async (wallet: string) =>
    (await own.as(wallet)).createCommunity({ body: { community: 'parley', social } })
  expect(await create(creator)).toEqual([{ community: 'Parley', social }])
  await expect(create(other)).rejects.toMatchObject({ code: 'bad_request' })
})

test.each([
  `0x${'a'.repeat(40)}`,
  '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
  'poap_1',
  'admin',
  'ALL',
  '',
  'two words',
  'x'.repeat(129),
  'parley',
  'Parley-Support',
  'ｐａｒｌｅｙ',
  'https://evil.test/claim',
  `0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbЬ`,
  'vitalik.eth',
  '✅',
])('the name %j is refused', async (community) => {
  const client = await service.as(newWallet())
  await expect(client.createCommunity({ body: { community } })).rejects.toMatchObject({ code: 'bad_request' })
})

test('the landing page shows a wallet what it needs, and counts as entering', async () => {
  const town = newName('Town')
  const [creator, visitor] = [newWallet(), newWallet()]
  const [asCreator, asVisitor] = [await service.as(creator), await service.as(visitor)]
  // It was bookmarked by its name before it was a community.
  await asVisitor.joinChat({ body: { walletaddr: visitor, nftaddr: town.toLowerCase() } })
  await asCreator.createCommunity({
    body: { community: town, social: [{ name: 'town_hall', type: 'discord' }] },
  })
  for (let i = 0; i < 103; i++)
    await asCreator.postCommunityMessage({
      body: { fromaddr: creator, nftaddr: town.toLowerCase(), message: `m${i}` },
    })
  expect(await asVisitor.countUnreadByType({ address: visitor, type: 'community' })).toBe(103)

  const [info] = await asVisitor.getCommunity({ community: town.toUpperCase(), address: visitor })
  expect(info).toMatchObject({
    name: town,
    logo: '',
    members: 1,
    joined: true,
    has_messaged: false,
    is_verified: false,
    social: [{ type: 'discord', username: 'town_hall' }],
    tweets: [],
  })
  expect(info!.messages.map(({ message }) => message)).toEqual(
    Array.from({ length: 100 }, (_, i) => `m${i + 3}`),
  )
  expect(info!.messages[0]).toMatchObject({
    context_type: 'community',
    nftaddr: town,
    fromaddr: creator,
    type: 'message',
  })
  expect(await asVisitor.countUnreadByType({ address: visitor, type: 'community' })).toBe(0)

  const [own] = await asCreator.getCommunity({ community: town.toLowerCase(), address: creator })
  expect(own).toMatchObject({ joined: false, has_messaged: true, members: 1 })
})

test('the landing page joins no one, and is for the caller alone', async () => {
  const town = newName('town')
  const [creator, eve] = [newWallet(), newWallet()]
  const [asCreator, asEve] = [await service.as(creator), await service.as(eve)]
  await asCreator.createCommunity({ body: { community: town } })
  await asEve.getCommunity({ community: town, address: eve })
  expect(await asEve.listBookmarks({ address: eve })).toEqual([])
  await expect(asEve.getCommunity({ community: town, address: creator })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await expect(asEve.getCommunity({ community: 'nowhere', address: eve })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(asEve.getCommunity({ community: `0x${'a'.repeat(40)}`, address: eve })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('social entries are checked and kept exactly', async () => {
  const client = await service.as(newWallet())
  const community = newName('town')
  const social = [{ name: '"quoted" 👋 <b>', type: 'a\tb' }]
  expect(await client.createCommunity({ body: { community, social } })).toEqual([{ community, social }])
  for (const bad of [
    [{ name: 'x' }],
    [{ name: 5, type: 'x' }],
    [{ name: 'a\0', type: 'x' }],
    [{ name: 'x', type: 'a\u0001b' }],
    'x',
    Array.from({ length: 33 }, () => social[0]),
  ])
    await expect(client.createCommunity({ body: { community, social: bad as never } })).rejects.toMatchObject(
      { code: 'bad_request' },
    )
})

test("posts of the community's X account are fetched behind the landing page, which never waits for them", async () => {
  let asked = 0
  const x = createServer((request, response) => {
    asked++
    // The first answer takes longer than a landing page may.
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      const user = {
        id: '7',
        name: 'Town',
        username: 'town_hall',
        profile_image_url: 'https://pbs.twimg.com/a.jpg',
      }
      const posts = {
        data: [{ id: '1', text: 'gm town', author_id: '7', created_at: '2026-11-20T18:30:00.000Z' }],
        includes: { users: [user] },
      }
      response.end(JSON.stringify(request.url!.includes('/by/username/') ? { data: user } : posts))
    }, 500)
  })
  await new Promise<void>((resolve) => x.listen(0, '127.0.0.1', resolve))
  const xApiUrl = `http://127.0.0.1:${(x.address() as AddressInfo).port}`
  try {
    await using own = await startService({ beside: service, xApiUrl, xBearerToken: 'token' })
    const address = newWallet()
    const client = await own.as(address)
    const town = newName('town')
    await client.createCommunity({
      body: { community: town, social: [{ name: '@town_hall', type: 'twitter' }] },
    })
    const visit = async () => (await client.getCommunity({ community: town, address }))[0]!.tweets
    const begin = performance.now()
    expect(await visit()).toEqual([])
    expect(performance.now() - begin).toBeLessThan(450)
    await expect
      .poll(visit, { timeout: 5000, interval: 50 })
      .toMatchObject([{ id: '1', text: 'gm town', user: { username: 'town_hall' } }])
    expect(asked).toBe(2)
  } finally {
    x.close()
  }
})

test('a landing page shows the first 4 KiB of a message, cut between two characters, and says so', async () => {
  const wallet = newWallet()
  const client = await service.as(wallet)
  const community = newName('long')
  await client.createCommunity({ body: { community } })
  const texts = ['a', 'é', '€', '🙂'].flatMap((letter) =>
    [4093, 4094, 4095, 4096, 4097, 9000].map((bytes) => {
      const rest = bytes % Buffer.byteLength(letter)
      return 'x'.repeat(rest) + letter.repeat((bytes - rest) / Buffer.byteLength(letter))
    }),
  )
  for (const message of texts)
    await client.postCommunityMessage({ body: { fromaddr: wallet, nftaddr: community, message } })
  const [info] = await client.getCommunity({ community, address: wallet })
  for (const [i, text] of texts.entries()) {
    const { message, truncated } = info!.messages[i]!
    expect(truncated ?? false).toBe(Buffer.byteLength(text) > 4096)
    expect(text.startsWith(message)).toBe(true)
    expect(truncated ? Buffer.byteLength(message) > 4092 : message === text).toBe(true)
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096)
    // No character was cut in two.
    expect(message).not.toContain('\uFFFD')
  }
  const list = await client.listGroupMessages({ address: community, useraddress: wallet })
  expect(list.map(({ message }) => message)).toEqual(texts)
})
