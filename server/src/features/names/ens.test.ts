import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { normalize } from 'viem/ens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { type Ens, installEns } from '../../../../testing/chains/ens.ts'
import { startRpcProxy } from '../../../../testing/service/proxies.ts'
import { newWallet, startService, useService } from '../../../../testing/service/service.ts'

let chain: Chain
let ens: Ens
beforeAll(async () => {
  chain = await startChain()
  ens = await installEns(chain)
})
afterAll(() => chain[Symbol.asyncDispose]())

const service = useService(() => ({ rpcUrls: { 1: chain.url } }))
const none = useService(() => ({ beside: service, rpcUrls: { 5: chain.url } }))
const down = useService({ beside: service, rpcUrls: { 1: 'http://127.0.0.1:9/secret-key' } })

test('a name of a chain is for the wallet it points to', async () => {
  const [alice, eve] = [newWallet(), newWallet()]
  const [asAlice, asEve] = [await service.as(alice), await service.as(eve)]
  await ens.point('alice.eth', alice)
  const forbidden = { code: 'forbidden', message: expect.stringContaining('alice.eth') }
  await expect(asEve.setName({ body: { address: eve, name: 'alice.eth' } })).rejects.toMatchObject(forbidden)
  expect(await asAlice.setName({ body: { address: alice, name: 'alice.eth' } })).toBe(1)
  expect(await asEve.getName({ name: 'Alice.eth' })).toMatchObject([{ address: alice, name: 'alice.eth' }])
  // A name that only looks like it, or is not how ENS writes it, is not accepted either.
  expect(normalize('aIice.eth')).toBe('aiice.eth')
  await ens.point('aiice.eth', eve)
  for (const name of ['aIice.eth', 'Alice.eth', 'alice.еth', 'alice․eth', 'alice.eth!', 'alice.eth (real)'])
    await expect(asEve.setName({ body: { address: eve, name } }), name).rejects.toMatchObject({
      code: 'forbidden',
    })
})

test('a name of a chain follows the chain', async () => {
  const [first, second] = [newWallet(), newWallet()]
  const [asFirst, asSecond] = [await service.as(first), await service.as(second)]
  await ens.point('moved.eth', first)
  await asFirst.setName({ body: { address: first, name: 'moved.eth' } })
  await ens.point('moved.eth', second)
  expect(await asSecond.setName({ body: { address: second, name: 'moved.eth' } })).toBe(1)
  expect(await asFirst.getName({ name: 'moved.eth' })).toMatchObject([{ address: second }])
  expect(await asFirst.getName({ name: first })).toEqual([])
  // Lists show it beside what its present owner wrote, and no longer beside the earlier one's.
  const nft = { nftaddr: newWallet(), nftid: '1' }
  await asFirst.createComment({ body: { fromaddr: first, ...nft, message: 'gm' } })
  await asSecond.createComment({ body: { fromaddr: second, ...nft, message: 'gm' } })
  expect(await asFirst.listComments(nft)).toMatchObject([{ name: '' }, { name: 'moved.eth' }])
  await expect(asFirst.setName({ body: { address: first, name: 'moved.eth' } })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('what ENS does not know, or answers strangely, is not confirmed', async () => {
  let fetched = 0
  const gateway = createServer((_request, response) => response.end(String(++fetched)))
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const wallet = newWallet()
  const client = await service.as(wallet)
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/{sender}/{data}`
  await ens.resolveBy('offchain.eth', (await chain.deploy('Ens.sol', 'OffchainResolver', [url])).address)
  await ens.resolveBy('endless.eth', (await chain.deploy('Ens.sol', 'EndlessResolver')).address)
  await ens.resolveBy('wallet.eth', wallet)
  await ens.resolveBy('wrong.eth', (await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [wallet])).address)
  for (const name of [
    'nobody.eth',
    'toly.sol',
    'offchain.eth',
    'endless.eth',
    'wallet.eth',
    'wrong.eth',
    '_.eth',
    '.eth',
    'a..eth',
    'a b.eth',
    `${'a'.repeat(60)}.eth`,
  ])
    await expect(client.setName({ body: { address: wallet, name } }), name).rejects.toMatchObject({
      code: 'forbidden',
    })
  gateway.close()
  expect(fetched).toBe(0)
})

test('without an RPC URL of Ethereum nothing is confirmed; with one that does not answer, the gateway is bad', async () => {
  const wallet = newWallet()
  const body = { address: wallet, name: 'alice.eth' }
  await expect((await none.as(wallet)).setName({ body })).rejects.toMatchObject({ code: 'forbidden' })
  await expect((await down.as(wallet)).setName({ body })).rejects.toMatchObject({
    code: 'bad_gateway',
    message: expect.not.stringContaining('secret'),
  })
  expect(await (await down.as(wallet)).setName({ body: { address: wallet, name: 'alice' } })).toBe(1)
})

test('a chain without ENS confirms nothing', async () => {
  await using empty = await startChain()
  await using own = await startService({ beside: service, rpcUrls: { 1: empty.url } })
  const wallet = newWallet()
  const named = (await own.as(wallet)).setName({ body: { address: wallet, name: 'alice.eth' } })
  await expect(named).rejects.toMatchObject({ code: 'forbidden' })
})

test('a name of ENS leads to the wallet it points to, however it is typed, and the chain is asked once a minute', async () => {
  await using proxy = await startRpcProxy(chain.url)
  await using own = await startService({ beside: service, rpcUrls: { 1: proxy.url } })
  const [alice, bob] = [newWallet(), newWallet()]
  const asBob = await own.as(bob)
  await ens.point('resolved.eth', alice)
  const found = { address: alice, name: 'resolved.eth', source: 'ens' }
  expect(await asBob.resolveName({ name: 'Resolved.ETH' })).toEqual(found)
  const asked = proxy.calls.length
  expect(await (await own.as(alice)).resolveName({ name: 'resolved.eth' })).toEqual(found)
  expect(proxy.calls.length).toBe(asked)
  for (const name of ['nobody.eth', 'offchain.eth', '_.eth', 'a..eth', 'a b.eth'])
    await expect(asBob.resolveName({ name }), name).rejects.toMatchObject({ code: 'not_found' })
})

test('the chain decides who has a name, not what was set here; where it is not asked, nobody has', async () => {
  const [first, second] = [newWallet(), newWallet()]
  const asFirst = await service.as(first)
  await ens.point('passed-on.eth', first)
  await asFirst.setName({ body: { address: first, name: 'passed-on.eth' } })
  await ens.point('passed-on.eth', second)
  expect(await asFirst.resolveName({ name: 'passed-on.eth' })).toMatchObject({ address: second })
  await expect((await none.as(first)).resolveName({ name: 'passed-on.eth' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('RPC_URLS'),
  })
})

const limited = useService(() => ({
  beside: service,
  rpcUrls: { 1: chain.url },
  rateLimits: true,
  chainLimit: { burst: 1, perSecond: 0.01 },
}))

test('a chain that is out of reach is a bad gateway, and a wallet may have it asked so often', async () => {
  await expect((await down.as(newWallet())).resolveName({ name: 'alice.eth' })).rejects.toMatchObject({
    code: 'bad_gateway',
    message: expect.not.stringContaining('secret'),
  })
  const client = await limited.as(newWallet())
  await expect(client.resolveName({ name: 'nobody.eth' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(client.resolveName({ name: 'somebody.eth' })).rejects.toMatchObject({ code: 'rate_limited' })
})
