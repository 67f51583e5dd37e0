import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService({ officialWords: ['Stallholders desk'] })

const names = (entries: { community: string }[]) => entries.map(({ community }) => community)

test('an owner says what a community is about, and everybody finds it by words and tags', async () => {
  const owner = newWallet()
  const client = await service.as(owner)
  for (const community of ['Roofs', 'night-market', 'Harvest'])
    await client.createCommunity({ body: { community } })
  const body = {
    about: ' We grow vegetables on roofs. ',
    tags: ['Urban  Gardens', 'DeFi', 'defi!'],
    listed: true,
  }
  const said = { about: 'We grow vegetables on roofs.', tags: ['urban-gardens', 'defi'], listed: true }
  expect(await client.setCommunityAbout({ community: 'HARVEST', body })).toEqual(said)
  const address = newWallet()
  const reader = await service.as(address)
  const find = async (query: object) => names(await reader.listCommunities({ query }))
  expect(await find({ words: 'roofs' })).toEqual(['Harvest', 'Roofs'])
  expect(await find({ words: 'vegetables roo' })).toEqual(['Harvest'])
  expect(await find({ words: 'market' })).toEqual(['night-market'])
  expect(await find({ tag: 'Urban gardens' })).toEqual(['Harvest'])
  expect(await find({ tag: 'urban' })).toEqual([])
  expect(await find({ tag: 'defi', words: 'market' })).toEqual([])
  expect((await reader.listCommunities({ query: { tag: 'defi' } }))[0]).toMatchObject({
    about: said.about,
    tags: said.tags,
  })
  const [landing] = await reader.getCommunity({ community: 'harvest', address })
  expect(landing).toMatchObject({ about: said.about, tags: said.tags })
  expect(landing).not.toHaveProperty('unlisted')
  // The log of the chat says that the owner did it.
  expect(await client.listChatLog({ nftaddr: 'harvest' })).toMatchObject([
    { action: 'set_about', actor: owner },
  ])
})

test('only the owner says what a community is about, and no text or tag claims to be of the team', async () => {
  const owner = await service.as(newWallet())
  await owner.createCommunity({ body: { community: 'town' } })
  const body = { about: '', tags: [] as string[], listed: true }
  const say = (change: object, by = owner, community = 'town') =>
    by.setCommunityAbout({ community, body: { ...body, ...change } })
  const address = newWallet()
  const other = await service.as(address)
  await expect(say({}, other)).rejects.toMatchObject({ status: 403 })
  await expect(say({}, owner, 'nowhere')).rejects.toMatchObject({ status: 403 })
  await expect(say({ tags: ['!!!'] })).rejects.toMatchObject({ status: 400 })
  await expect(say({ tags: ['a', 'b', 'c', 'd', 'e', 'f'] })).rejects.toMatchObject({ status: 400 })
  await expect(say({ about: 'x'.repeat(601) })).rejects.toMatchObject({ status: 400 })
  await expect(say({ about: 'a\u200bb' })).rejects.toMatchObject({ status: 400 })
  await expect(say({ about: 'The official Stallholders desk' })).rejects.toMatchObject({ status: 403 })
  await expect(say({ tags: ['stallholders desk'] })).rejects.toMatchObject({ status: 403 })
  await say({ about: 'For everybody who asks the Stallholders desk.' })
  await say({})
  const [landing] = await other.getCommunity({ community: 'town', address })
  expect(landing).not.toHaveProperty('about')
})

test('a community that its owner takes out of the directory is found by its members alone', async () => {
  const owner = await service.as(newWallet())
  await owner.createCommunity({ body: { community: 'opera' } })
  const member = newWallet()
  await (await service.as(member)).joinChat({ body: { walletaddr: member, nftaddr: 'opera' } })
  await owner.setCommunityAbout({ community: 'opera', body: { about: 'We sing.', tags: [], listed: false } })
  const find = async (wallet: string, query: object) =>
    names(await (await service.as(wallet)).listCommunities({ query }))
  const stranger = newWallet()
  for (const query of [{}, { prefix: 'op' }, { sort: 'new' }, { words: 'sing' }])
    expect(await find(stranger, query)).not.toContain('opera')
  expect(await find(member, { prefix: 'op' })).toEqual(['opera'])
  const asStranger = await service.as(stranger)
  const [landing] = await asStranger.getCommunity({ community: 'opera', address: stranger })
  expect(landing).toMatchObject({ about: 'We sing.', unlisted: true })
})
