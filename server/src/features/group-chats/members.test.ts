import { expect, test } from 'vitest'
import { startChain } from '../../../../testing/chains/chain.ts'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { countRowsTouched } from '../../../../testing/cases/query-plan.ts'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { findMembers } from './store.ts'

const service = useService()

const wallets = (count: number) => Array.from({ length: count }, newWallet).toSorted()

async function join(on: Service, nftaddr: string, members: string[]) {
  for (const walletaddr of members)
    await (await on.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
}

async function newTown(members: string[]) {
  const town = newName('Town')
  await (await service.as(newWallet())).createCommunity({ body: { community: town } })
  await join(service, town.toLowerCase(), members)
  return town
}

test('the members of a community are those who have joined, with their names, in pages', async () => {
  const members = wallets(5)
  const town = await newTown(members)
  const name = newName('Alice')
  const [first, second] = [members[0]!, members[1]!]
  await (await service.as(first)).setName({ body: { address: first, name } })
  const client = await service.as(newWallet())
  // A wallet that only reads or posts is no member.
  const visitor = newWallet()
  await (await service.as(visitor)).getCommunity({ community: town.toLowerCase(), address: visitor })
  await (
    await service.as(visitor)
  ).postGroupMessage({ body: { fromaddr: visitor, nftaddr: town.toLowerCase(), message: 'gm' } })
  expect(await client.listMembers({ nftaddr: town.toUpperCase() })).toEqual(
    members.map((walletaddr) => ({ walletaddr, name: walletaddr === first ? name : '', logo: '' })),
  )
  const page = await client.listMembers({ nftaddr: town.toLowerCase(), query: { limit: 2, after: second } })
  expect(page.map(({ walletaddr }) => walletaddr)).toEqual(members.slice(2, 4))
  await (await service.as(second)).leaveChat({ body: { walletaddr: second, nftaddr: town } })
  expect(await client.listMembers({ nftaddr: town.toLowerCase() })).toHaveLength(4)
  await (await service.as(first)).eraseAccount({ address: first })
  expect(await client.listMembers({ nftaddr: town.toLowerCase() })).toHaveLength(3)
})

test('only who may read a chat learns who has joined it', async () => {
  await using chain = await startChain()
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  const [holder, former] = [newWallet(), newWallet()]
  await chain.write(hats, 'mint', [holder, 1n])
  await using gated = await startService({ beside: service, rpcUrls: { [chain.chainId]: chain.url } })
  await join(gated, hats.address, [holder, former])
  const nftaddr = hats.address
  expect(await (await gated.as(holder)).listMembers({ nftaddr })).toHaveLength(2)
  for (const wallet of [former, newWallet()])
    await expect((await gated.as(wallet)).listMembers({ nftaddr })).rejects.toMatchObject({
      code: 'forbidden',
    })
})

test('a chat that is none is not found, and nobody asks without signing in', async () => {
  await expect((await service.as(newWallet())).listMembers({ nftaddr: 'nowhere' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(service.anonymous.listMembers({ nftaddr: 'nowhere' })).rejects.toMatchObject({
    code: 'unauthorized',
  })
  expect(await (await service.as(newWallet())).listMembers({ nftaddr: newWallet() })).toEqual([])
})

onOneMachine('a page costs the same however many have joined or looked in', async () => {
  const town = (await newTown([])).toLowerCase()
  const { db } = service.ctx
  await db.query(
    `insert into group_visits (bucket, chat, walletaddr, joined, entry_ms)
     select bucket_of(c), c, 'w' || n, n % 50 = 0, 1 from unnest($1::text[]) t (c), generate_series(1, 20000) n`,
    [[town, newName('village')]],
  )
  await db.query('vacuum analyze')
  for (const after of ['', 'w5'])
    expect(await countRowsTouched(db, (on) => findMembers(on, town, { after, limit: 20 }))).toBeLessThan(200)
})
