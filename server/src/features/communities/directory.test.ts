import { expect, test } from 'vitest'
import { chatBucket } from '../../values/bucket.ts'
import { changeRecommended } from './commands.ts'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { countRowsTouched } from '../../../../testing/cases/query-plan.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { storeCommunity } from '../../../../testing/service/written-directly.ts'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { roundedDown } from '../../messages/shown-count.ts'
import { countCommunities } from './count.ts'
import { findCommunities, listOf } from './directory.ts'

const service = useService()

/** Creates communities with the given numbers of members. */
async function fill(on: Service, members: Record<string, number>) {
  const creator = await on.as(newWallet())
  for (const [community, count] of Object.entries(members)) {
    await creator.createCommunity({ body: { community } })
    for (let n = 0; n < count; n++) await join(on, community)
  }
}

async function join(on: Service, nftaddr: string, walletaddr = newWallet()) {
  await (await on.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
  return walletaddr
}

const names = (entries: { community: string }[]) => entries.map(({ community }) => community)

test('the directory has the largest communities first, those without members not, and goes on in pages', async () => {
  await using own = await startService()
  const client = await own.as(newWallet())
  // The chat of an NFT is not in it, and nobody reads it without signing in.
  await join(own, newWallet())
  expect(await client.listCommunities({})).toEqual([])
  await expect(own.anonymous.listCommunities({})).rejects.toMatchObject({ code: 'unauthorized' })
  await fill(own, { Small: 1, empty: 0, Large: 4, amber: 2, Birch: 2, cedar: 2 })
  const all = await client.listCommunities({})
  expect(names(all)).toEqual(['Large', 'amber', 'Birch', 'cedar', 'Small'])
  const pages: string[][] = []
  for (let after: string | undefined; ; after = pages.at(-1)!.at(-1)) {
    const page = await client.listCommunities({ query: { limit: 2, ...(after && { after }) } })
    if (page.length === 0) break
    pages.push(names(page))
  }
  expect(pages).toEqual([['Large', 'amber'], ['Birch', 'cedar'], ['Small']])
  // Nobody is sent round in a circle by a name that is not there.
  expect(await client.listCommunities({ query: { after: 'nowhere' } })).toEqual([])
})

test('an entry says how many have joined, whether the caller has, and when it was last posted in', async () => {
  await using own = await startService()
  await fill(own, { Town: 2, quiet: 1 })
  const me = await join(own, 'town')
  const client = await own.as(me)
  const [posted] = await client.postGroupMessage({ body: { fromaddr: me, nftaddr: 'town', message: 'gm' } })
  expect(await client.listCommunities({})).toEqual([
    { community: 'Town', logo: '', members: 3, joined: true, timestamp: posted!.timestamp },
    { community: 'quiet', logo: '', members: 1, joined: false, timestamp: '' },
  ])
  await client.leaveChat({ body: { walletaddr: me, nftaddr: 'Town' } })
  expect((await client.listCommunities({}))[0]).toMatchObject({ members: 2, joined: false })
})

test('communities are found by how their names begin, in any case, also those without members', async () => {
  const begin = newName('q').replace('-', '')
  const [garden, gardeners, party] = [`${begin}Garden`, `${begin}gardeners`, `${begin}garden-party`]
  await fill(service, {
    [garden]: 1,
    [gardeners]: 0,
    [party]: 3,
    [`${begin}guard`]: 1,
    [`ång${begin}`]: 1,
    [`${begin}warden`]: 1,
  })
  const client = await service.as(newWallet())
  const find = async (prefix: string, query = {}) =>
    names(await client.listCommunities({ query: { prefix, ...query } }))
  expect(await find(`${begin}GARDEN`)).toEqual([garden, party, gardeners])
  expect(await find(`${begin}gar`, { limit: 2 })).toEqual([garden, party])
  expect(await find(`${begin}gar`, { limit: 2, after: party })).toEqual([gardeners])
  expect(await find(`Ång${begin}`)).toEqual([`ång${begin}`])
  const end = begin.slice(1)
  for (const prefix of ['%', `${begin}_arden`, `_${end}`, `${begin}g'`, `${begin}\\`, end])
    expect(await find(prefix)).toEqual([])
})

test('a name that the rule would refuse today is not shown, and the page is full all the same', async () => {
  await using own = await startService()
  await storeCommunity(own.ctx, newWallet(), 'Parley-Support')
  for (let n = 0; n < 3; n++) await join(own, 'parley-support')
  await fill(own, { park: 2, parade: 1 })
  const client = await own.as(newWallet())
  expect(names(await client.listCommunities({ query: { limit: 2 } }))).toEqual(['park', 'parade'])
  expect(names(await client.listCommunities({ query: { prefix: 'par' } }))).toEqual(['parade', 'park'])
})

test('the most active come first, then the others; what nobody has joined and many of one wallet last', async () => {
  await using own = await startService()
  const { db } = own.ctx
  await fill(own, { large: 4, busy: 2, empty: 0, two: 2, three: 3 })
  // One wallet makes six.
  await fill(own, { spam1: 5, spam2: 1, spam3: 0, spam4: 0, spam5: 0, spam6: 0 })
  const visit = `insert into group_visits (bucket, chat, walletaddr, joined, entry_ms) select $1, $2, 'member' || n, true, $3
    from generate_series(1, $4::integer) n`
  await db.query(visit, [chatBucket('busy'), 'busy', Date.now(), 70])
  await db.query(visit, [chatBucket('large'), 'large', Date.now() - 8 * 86_400_000, 70])
  await db.query(visit, [chatBucket('three'), 'three', Date.now(), 6])
  // In the rooms of a community the same members count once, those that have left it and those of a closed room do not.
  await db.query(
    `insert into rooms (bucket, chat, parent, title, about, position, kind, by_default, skeletons, created_ms)
     select $1, 'three/' || name, 'three', name, '', 1, 'text', false, array[name], 0 from unnest(array['open', 'closed']) name`,
    [chatBucket('three')],
  )
  await db.query(
    `insert into chat_gates (bucket, chat, read_rule, ms) values ($1, 'three/closed', '{}', 1)`,
    [chatBucket('three')],
  )
  await db.query(visit, [chatBucket('three'), 'three/open', Date.now(), 60])
  await db.query(visit, [chatBucket('three'), 'three/closed', Date.now(), 60])
  await countCommunities(own.ctx)
  await countCommunities(own.ctx)
  const client = await own.as(newWallet())
  const all = await client.listCommunities({ query: { sort: 'active' } })
  expect(names(all)).toEqual(['busy', 'large', 'three', 'two', 'spam1', 'spam2'])
  expect(all.map(({ active }) => active)).toEqual([50, ...Array.from({ length: 5 })])
  expect(names(await client.listCommunities({ query: { sort: 'members' } }))).toEqual([
    'large',
    'three',
    'busy',
    'two',
    'spam1',
    'spam2',
  ])
  expect(names(await client.listCommunities({ query: { sort: 'new' } })).slice(0, 2)).toEqual([
    'three',
    'two',
  ])
  const pages: string[][] = []
  for (let after: string | undefined; ; after = pages.at(-1)!.at(-1)) {
    const page = await client.listCommunities({
      query: { sort: 'active', limit: 4, ...(after && { after }) },
    })
    if (page.length === 0) break
    pages.push(names(page))
  }
  expect(pages).toEqual([
    ['busy', 'large', 'three', 'two'],
    ['spam1', 'spam2'],
  ])
  expect(await client.listCommunities({ query: { sort: 'new', after: 'nowhere' } })).toEqual([])
  await expect(client.listCommunities({ query: { prefix: 'a', sort: 'new' } })).rejects.toMatchObject({
    status: 400,
  })
  await expect(client.listCommunities({ query: { words: 'a' } })).rejects.toMatchObject({ status: 400 })
})

test.each([
  [0, 0],
  [9, 0],
  [10, 10],
  [19, 10],
  [20, 20],
  [99, 50],
  [100, 100],
  [1000, 1000],
  [4999, 2000],
])('%i members of the last week are shown as %i', (count, shown) => {
  expect(roundedDown(count)).toBe(shown)
})

test('the administrator and operators recommend communities, which are first; the sign is of the team alone', async () => {
  await using own = await startService()
  const owner = newWallet()
  await (await own.as(owner)).createCommunity({ body: { community: 'Ours' } })
  await join(own, 'ours')
  await fill(own, { large: 3 })
  await countCommunities(own.ctx)
  const client = await own.as(newWallet())
  const list = () => client.listCommunities({ query: { sort: 'active' } })
  expect(names(await list())).toEqual(['large', 'Ours'])
  const url = own.databaseUrl
  expect(await changeRecommended(url, 'add', 'OURS')).toMatchObject({ text: expect.stringContaining('Ours') })
  await own.ctx.db.query(
    `insert into officials (address, label, named_by, since_ms) values ($1, 'Support', 'a test', 1)`,
    [owner],
  )
  await own.ctx.officials.refresh()
  expect((await list())[0]).toMatchObject({ community: 'Ours', featured: true, official: 'Support' })
  expect((await list())[1]).not.toHaveProperty('official')
  expect((await changeRecommended(url, 'list', undefined)).communities).toEqual(['Ours'])
  await changeRecommended(url, 'remove', 'ours')
  expect(names(await list())).toEqual(['large', 'Ours'])
  await expect(changeRecommended(url, 'add', 'nowhere')).rejects.toThrow('no community')

  const operator = newWallet()
  await addOperator(own, operator)
  const asOperator = await own.as(operator)
  const act = (action: 'recommend_community' | 'unrecommend_community', subject: string) =>
    asOperator.act({ body: { action, subject, reason: 'a test' } })
  await act('recommend_community', 'OURS')
  expect(names(await list())).toEqual(['Ours', 'large'])
  await act('unrecommend_community', 'ours')
  expect(names(await list())).toEqual(['large', 'Ours'])
  await expect(act('recommend_community', 'nowhere')).rejects.toMatchObject({ code: 'bad_request' })
})

onOneMachine('a page costs the same however many communities there are', async () => {
  await using own = await startService()
  const { db } = own.ctx
  await db.query(
    `with made as (select n, 'town' || n as chat from generate_series(1, 20000) n),
     kept as (insert into communities (bucket, chat, community, creator, created_ms)
       select bucket_of(chat), chat, chat, 'a', 0 from made),
     profiles as (insert into community_profiles (bucket, chat, created_ms, members, active, words)
       select bucket_of(chat), chat, n, n, n % 100, array_to_tsvector(array['town', chat, '#tag' || n % 1000]) from made)
     insert into group_chats (bucket, chat, nftaddr, context_type, members, posted)
     select bucket_of(chat), chat, chat, 'community', n, 1000 from made`,
  )
  await db.query('vacuum analyze')
  const queries: Parameters<typeof listOf>[0][] = [
    {},
    { after: 'town10000' },
    { prefix: 'town1' },
    { prefix: 'town1', after: 'town15' },
    { sort: 'active' },
    { sort: 'members', after: 'town10000' },
    { sort: 'new' },
    { tag: 'tag7' },
    { words: 'town17777' },
  ]
  for (const query of queries)
    expect(
      await countRowsTouched(db, (on) =>
        findCommunities(on, newWallet(), listOf(query), { ...query, limit: 20 }, []),
      ),
    ).toBeLessThan(500)
})
