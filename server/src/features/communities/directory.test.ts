import { expect, test } from 'vitest'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { countRowsTouched } from '../../../../testing/cases/query-plan.ts'
import { storeCommunity } from '../../../../testing/service/written-directly.ts'
import { newWallet, type Service, startService } from '../../../../testing/service/service.ts'
import { findCommunities } from './directory.ts'

/** Creates communities with the given numbers of members. */
async function fill(service: Service, members: Record<string, number>) {
  const creator = await service.as(newWallet())
  for (const [community, count] of Object.entries(members)) {
    await creator.createCommunity({ body: { community } })
    for (let n = 0; n < count; n++) await join(service, community)
  }
}

async function join(service: Service, nftaddr: string, walletaddr = newWallet()) {
  await (await service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
  return walletaddr
}

const names = (entries: { community: string }[]) => entries.map(({ community }) => community)

test('the directory has the largest communities first, those without members not, and goes on in pages', async () => {
  await using service = await startService()
  await fill(service, { Small: 1, empty: 0, Large: 4, amber: 2, Birch: 2, cedar: 2 })
  const client = await service.as(newWallet())
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
  await using service = await startService()
  await fill(service, { Town: 2, quiet: 1 })
  const me = await join(service, 'town')
  const client = await service.as(me)
  const [posted] = await client.postGroupMessage({ body: { fromaddr: me, nftaddr: 'town', message: 'gm' } })
  expect(await client.listCommunities({})).toEqual([
    { community: 'Town', logo: '', members: 3, joined: true, timestamp: posted!.timestamp },
    { community: 'quiet', logo: '', members: 1, joined: false, timestamp: '' },
  ])
  await client.leaveChat({ body: { walletaddr: me, nftaddr: 'Town' } })
  expect((await client.listCommunities({}))[0]).toMatchObject({ members: 2, joined: false })
})

test('communities are found by how their names begin, in any case, also those without members', async () => {
  await using service = await startService()
  await fill(service, { Garden: 1, gardeners: 0, 'garden-party': 3, guard: 1, ångström: 1, warden: 1 })
  const client = await service.as(newWallet())
  const find = async (prefix: string, query = {}) =>
    names(await client.listCommunities({ query: { prefix, ...query } }))
  expect(await find('GARDEN')).toEqual(['Garden', 'garden-party', 'gardeners'])
  expect(await find('gar', { limit: 2 })).toEqual(['Garden', 'garden-party'])
  expect(await find('gar', { limit: 2, after: 'garden-party' })).toEqual(['gardeners'])
  expect(await find('Ång')).toEqual(['ångström'])
  for (const prefix of ['%', '_arden', "g'", '\\', 'arden']) expect(await find(prefix)).toEqual([])
})

test('a name that the rule would refuse today is not shown, and the page is full all the same', async () => {
  await using service = await startService()
  await storeCommunity(service.ctx, newWallet(), 'Parley-Support')
  for (let n = 0; n < 3; n++) await join(service, 'parley-support')
  await fill(service, { park: 2, parade: 1 })
  const client = await service.as(newWallet())
  expect(names(await client.listCommunities({ query: { limit: 2 } }))).toEqual(['park', 'parade'])
  expect(names(await client.listCommunities({ query: { prefix: 'par' } }))).toEqual(['parade', 'park'])
})

test('chats of NFTs are not in the directory, and nobody reads it without signing in', async () => {
  await using service = await startService()
  await join(service, newWallet())
  expect(await (await service.as(newWallet())).listCommunities({})).toEqual([])
  await expect(service.anonymous.listCommunities({})).rejects.toMatchObject({ code: 'unauthorized' })
})

onOneMachine('a page costs the same however many communities there are', async () => {
  await using service = await startService()
  const { db } = service.ctx
  await db.query(
    `with made as (select n, 'town' || n as chat from generate_series(1, 20000) n),
     kept as (insert into communities (bucket, chat, community, creator, created_ms)
       select bucket_of(chat), chat, chat, 'a', 0 from made)
     insert into group_chats (bucket, chat, nftaddr, context_type, members, posted)
     select bucket_of(chat), chat, chat, 'community', n, 1000 from made`,
  )
  await db.query('vacuum analyze')
  for (const query of [{}, { after: 'town10000' }, { prefix: 'town1' }, { prefix: 'town1', after: 'town15' }])
    expect(
      await countRowsTouched(db, (on) => findCommunities(on, newWallet(), { ...query, limit: 20 }, [])),
    ).toBeLessThan(500)
})
