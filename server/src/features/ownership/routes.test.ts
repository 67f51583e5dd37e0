import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, type Contract, startChain } from '../../../../testing/chains/chain.ts'
import { newWallet, type Service, useService } from '../../../../testing/service/service.ts'

let chain: Chain
let hats: Contract
const owner = newWallet()
beforeAll(async () => {
  chain = await startChain()
  hats = await chain.deploy('Tokens.sol', 'Hats', ['Fine Hats'])
  await chain.write(hats, 'mint', [owner, 7n])
})
afterAll(() => chain[Symbol.asyncDispose]())

const onChain = () => ({ rpcUrls: { [chain.chainId]: chain.url } })
const service = useService(onChain)
const none = useService({ beside: service })
const down = useService({ beside: service, rpcUrls: { 1: 'http://127.0.0.1:9/secret' } })
const limited = useService(() => ({
  ...onChain(),
  beside: service,
  rateLimits: true,
  chainLimit: { burst: 3, perSecond: 0.01 },
}))

const check = async (on: Service, contract: string, wallet: string, caller = newWallet()) =>
  (await on.as(caller)).checkOwnership({ contract, wallet })

test('an owner is answered by the collection, in the shape of the interface; others by nothing', async () => {
  const collection = {
    name: 'Fine Hats',
    logo: '',
    is_verified: true,
    joined: false,
    has_messaged: false,
    members: 0,
    messages: [],
    social: [],
    tweets: [],
  }
  expect(await check(service, hats.address, owner)).toEqual([collection])
  const shout = (address: string) => `0x${address.slice(2).toUpperCase()}`
  expect(await check(service, shout(hats.address), shout(owner))).toEqual([collection])
  expect(await check(service, hats.address, newWallet())).toEqual([])
  expect(await check(service, newWallet(), owner)).toEqual([])
  expect(await check(service, 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb', owner)).toEqual([])
  expect(await check(service, hats.address, 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb')).toEqual([])
})

test("the answer shows the caller's own part in the chat, and to who may not read the chat nothing of it", async () => {
  const asOwner = await service.as(owner)
  await asOwner.joinChat({ body: { walletaddr: owner, nftaddr: hats.address } })
  await asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr: hats.address, message: 'gm' } })
  expect(await check(service, hats.address, owner, owner)).toMatchObject([
    { joined: true, has_messaged: true, members: 1 },
  ])
  expect(await check(service, hats.address, owner)).toMatchObject([
    { joined: false, has_messaged: false, members: 0 },
  ])
})

test('a service without a chain says so; what no chain could answer is empty all the same', async () => {
  await expect(check(none, hats.address, owner)).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 3600,
    message: expect.stringContaining('RPC_URLS'),
  })
  expect(await check(none, 'poap_12', owner)).toEqual([])
})

test('a wallet may ask the chains so often, also about others', async () => {
  // One of the queries is about the caller's own part in the chat.
  const caller = newWallet()
  for (let i = 0; i < 2; i++) expect(await check(limited, hats.address, owner, caller)).toHaveLength(1)
  await expect(check(limited, hats.address, owner, caller)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await check(limited, hats.address, owner)).toHaveLength(1)
})

test('a chain that is down is a bad gateway', async () => {
  await expect(check(down, hats.address, owner)).rejects.toMatchObject({
    code: 'bad_gateway',
    message: expect.not.stringContaining('secret'),
  })
})

test('addresses that are none are refused', async () => {
  await expect(check(service, 'a b', owner)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(check(service, hats.address, '\0')).rejects.toMatchObject({ code: 'bad_request' })
})
