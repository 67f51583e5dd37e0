import { expect, test } from 'vitest'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })

test('joining is kept once, listed, asked for, and left', async () => {
  const walletaddr = newWallet()
  const client = await service.as(walletaddr)
  const [first] = await client.joinChat({ body: { walletaddr, nftaddr: 'Poap_7' } })
  expect(first).toEqual({ id: expect.any(Number), walletaddr, nftaddr: 'Poap_7', chain: '' })
  expect(await client.joinChat({ body: { walletaddr, nftaddr: 'poap_7', chain: 'gnosis' } })).toEqual([
    { ...first, chain: 'gnosis' },
  ])
  expect(await client.joinChat({ body: { walletaddr, nftaddr: 'poap_7' } })).toEqual([
    { ...first, chain: 'gnosis' },
  ])
  const [second] = await client.joinChat({ body: { walletaddr, nftaddr: 'any.thing-at_all!' } })
  expect(await client.listBookmarks({ address: walletaddr })).toEqual([{ ...first, chain: 'gnosis' }, second])
  expect(await client.hasJoined({ walletaddr, nftaddr: 'POAP_7' })).toBe(true)
  expect(await client.leaveChat({ body: { walletaddr, nftaddr: 'POAP_7' } })).toEqual([second])
  expect(await client.leaveChat({ body: { walletaddr, nftaddr: 'POAP_7' } })).toEqual([second])
  expect(await client.hasJoined({ walletaddr, nftaddr: 'poap_7' })).toBe(false)
})

test('twenty at once are one bookmark and one member', async () => {
  const town = newName('town')
  const walletaddr = newWallet()
  const clients = [await service.as(walletaddr), await other.as(walletaddr)]
  await clients[0]!.createCommunity({ body: { community: town } })
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => clients[i % 2]!.joinChat({ body: { walletaddr, nftaddr: town } })),
  )
  expect(await clients[0]!.listBookmarks({ address: walletaddr })).toHaveLength(1)
  expect((await clients[0]!.getCommunity({ community: town, address: walletaddr }))[0]!.members).toBe(1)
})

test("no one changes another wallet's bookmarks", async () => {
  const walletaddr = newWallet()
  const eve = await service.as(newWallet())
  const attempts = [
    () => eve.joinChat({ body: { walletaddr, nftaddr: 'a' } }),
    () => eve.leaveChat({ body: { walletaddr, nftaddr: 'a' } }),
    () => eve.listBookmarks({ address: walletaddr }),
    () => eve.hasJoined({ walletaddr, nftaddr: 'a' }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
})

test('a key that is no key is refused', async () => {
  const walletaddr = newWallet()
  const client = await service.as(walletaddr)
  for (const nftaddr of ['', 'two words', 'x'.repeat(129), 7])
    await expect(client.joinChat({ body: { walletaddr, nftaddr: nftaddr as string } })).rejects.toMatchObject(
      { code: 'bad_request' },
    )
  await expect(
    client.joinChat({ body: { walletaddr, nftaddr: 'a', chain: 'x'.repeat(129) } }),
  ).rejects.toMatchObject({ code: 'bad_request' })
})

test('two wallets share the chats that both have joined, and nobody else learns of more', async () => {
  const harbour = newName('Harbour')
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  await asAlice.createCommunity({ body: { community: harbour } })
  const punks = '0xB47e3cd837dDF8e4c57F05d70Ab865de6e193BBB'
  for (const nftaddr of [harbour, punks, 'poap_1'])
    await asAlice.joinChat({ body: { walletaddr: alice, nftaddr } })
  for (const nftaddr of ['poap_2', punks.toLowerCase(), harbour.toLowerCase()])
    await asBob.joinChat({ body: { walletaddr: bob, nftaddr } })
  expect(await asAlice.listSharedChats({ walletaddr: bob })).toEqual([
    { nftaddr: harbour, context_type: 'community' },
    { nftaddr: expect.stringMatching(new RegExp(punks, 'i')), context_type: 'nft' },
  ])
  await asBob.leaveChat({ body: { walletaddr: bob, nftaddr: harbour.toLowerCase() } })
  expect(await asAlice.listSharedChats({ walletaddr: bob })).toMatchObject([{ context_type: 'nft' }])
  expect(await asAlice.listSharedChats({ walletaddr: newWallet() })).toEqual([])
})
