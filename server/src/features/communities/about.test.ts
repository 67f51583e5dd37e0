import { expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService({ officialWords: ['Stallholders desk'] })

const names = (entries: { community: string }[]) => entries.map(({ community }) => community)

test('an owner says what a community is about, and everybody finds it by words and tags', async () => {
  const owner = newWallet()
  const client = await service.as(owner)
  for (const community of ['Roofs', 'night-market', 'Harvest'])
    await client.createCommunity({ body: { community } })
  const body = {
    about: ' We grow vegetables\n \n\non roofs. ',
    tags: ['Urban  Gardens', 'DeFi', 'defi!'],
    listed: true,
  }
  const said = { about: 'We grow vegetables\n\non roofs.', tags: ['urban-gardens', 'defi'], listed: true }
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

test('what an owner says who is muted unseen, the owner alone sees, also in the directory and in the export', async () => {
  const owner = newWallet()
  const client = await service.as(owner)
  await client.createCommunity({ body: { community: 'choir' } })
  await client.joinChat({ body: { walletaddr: owner, nftaddr: 'choir' } })
  const say = (about: string) =>
    client.setCommunityAbout({ community: 'choir', body: { about, tags: [], listed: true } })
  await say('We sing low.')
  const operator = newWallet()
  await addOperator(service, operator)
  const reason = 'It sells tickets that do not exist'
  await (await service.as(operator)).act({ body: { action: 'shadow_mute', subject: owner, reason } })
  await say('We sing high.')
  const asRead = async (address: string) => {
    const reader = await service.as(address)
    const [landing] = await reader.getCommunity({ community: 'choir', address })
    const [entry] = await reader.listCommunities({ query: { words: 'choir' } })
    return [landing!.about, entry!.about]
  }
  expect(await asRead(owner)).toEqual(['We sing high.', 'We sing high.'])
  expect(await asRead(newWallet())).toEqual(['We sing low.', 'We sing low.'])
  const zip = await unzip(
    Buffer.from(await new Response(await client.exportAccount({ address: owner })).arrayBuffer()),
  )
  expect(JSON.parse(zip.get('communities.jsonl')!.toString())).toMatchObject({ about: 'We sing high.' })
})

test('erasing the account of its creator deletes what was said about a community, also from searches', async () => {
  const owner = newWallet()
  const client = await service.as(owner)
  await client.createCommunity({ body: { community: 'bakery' } })
  const body = { about: 'We bake sourdough.', tags: ['bread'], listed: true }
  await client.setCommunityAbout({ community: 'bakery', body })
  await client.eraseAccount({ address: owner })
  const reader = await service.as(newWallet())
  for (const query of [{ words: 'sourdough' }, { tag: 'bread' }])
    expect(await reader.listCommunities({ query })).toEqual([])
  const [entry] = await reader.listCommunities({ query: { words: 'bakery' } })
  expect(entry).toMatchObject({ community: 'bakery' })
  expect(entry).not.toHaveProperty('about')
})
