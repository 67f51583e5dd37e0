import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Hex } from 'viem'
import { type Chain, startChain } from '../../../testing/chains/chain.ts'
import { startRpcProxy } from '../../../testing/service/proxies.ts'
import { newWallet } from '../../../testing/service/service.ts'
import { readName } from './contracts.ts'
import { findHome } from './home.ts'
import { holdsToken } from './ownership.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

const wallet = () => newWallet() as Hex
const deploy = (name: string, args: unknown[] = [], on = chain) => on.deploy('Tokens.sol', name, args)

/** Makes a configuration with its own memory, so that results of earlier tests are not used. */
const ctxOf = (rpcUrls: Record<string, string>) => ({ config: { rpcUrls } })
const fresh = () => ctxOf({ [chain.chainId]: chain.url })
/** Names a contract on the chain of a configuration. */
const on = (contract: string, { config }: ReturnType<typeof ctxOf>) => ({
  chain: Number(Object.keys(config.rpcUrls)[0]),
  contract: contract as Hex,
})
const holds = (contract: string, who: string, ctx = fresh()) => holdsToken(ctx, on(contract, ctx), who)
const nameOf = (contract: string, ctx = fresh()) => readName(ctx, on(contract, ctx))
const homeOf = async (contract: string, ctx = fresh()) => (await findHome(ctx.config, contract as Hex))?.chain

const realNow = performance.now.bind(performance)
async function atTime(ms: number) {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
  // The cache reads the clock once a millisecond.
  await setTimeout(5)
}

test('an owner of an ERC-721 token holds, nobody else does', async () => {
  const hats = await deploy('Hats', ['Hats'])
  const [owner, stranger] = [wallet(), wallet()]
  await chain.write(hats, 'mint', [owner, 7n])
  expect([await holds(hats.address, owner), await holds(hats.address, stranger)]).toEqual([true, false])
  expect(await holds(hats.address, '0x0000000000000000000000000000000000000000')).toBe(false)
  expect(await nameOf(hats.address)).toBe('Hats')
})

test('after a transfer the former owner holds for a minute at most, and then the new one does', async () => {
  const hats = await deploy('Hats', ['Hats'])
  const [former, next] = [wallet(), wallet()]
  await chain.write(hats, 'mint', [former, 7n])
  const ctx = fresh()
  expect([await holds(hats.address, former, ctx), await holds(hats.address, next, ctx)]).toEqual([
    true,
    false,
  ])
  await chain.write(hats, 'move', [next, 7n])
  await atTime(59_000)
  expect([await holds(hats.address, former, ctx), await holds(hats.address, next, ctx)]).toEqual([
    true,
    false,
  ])
  await atTime(61_000)
  expect([await holds(hats.address, former, ctx), await holds(hats.address, next, ctx)]).toEqual([
    false,
    true,
  ])
})

test('a wallet with a token of any id of an ERC-1155 contract holds, until it has given all away', async () => {
  const badges = await deploy('Badges')
  const [one, other, none] = [wallet(), wallet(), wallet()]
  const huge = 2n ** 255n + 3n
  await chain.write(badges, 'mint', [one, huge, 5n])
  await chain.write(badges, 'mint', [one, 4n, 1n])
  expect([await holds(badges.address, one), await holds(badges.address, other)]).toEqual([true, false])

  await chain.write(badges, 'move', [one, other, [huge, 4n], [5n, 1n]])
  expect([await holds(badges.address, one), await holds(badges.address, other)]).toEqual([false, true])
  await chain.write(badges, 'move', [other, one, [huge], [2n]])
  expect([await holds(badges.address, one), await holds(badges.address, other)]).toEqual([true, true])
  expect(await holds(badges.address, none)).toBe(false)
})

test('a contract older than ERC-165 counts by its balance', async () => {
  const punks = await deploy('OldPunks')
  const owner = wallet()
  await chain.write(punks, 'assign', [owner])
  expect([await holds(punks.address, owner), await holds(punks.address, wallet())]).toEqual([true, false])
  expect(await nameOf(punks.address)).toBe('OLDPUNKS')
})

test('contracts that are no NFTs, and ones that lie, have no holders', async () => {
  const coin = await deploy('Coin')
  const liar = await deploy('Liar')
  const smartWallet = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [wallet()])
  for (const { address } of [coin, liar, smartWallet])
    expect([await holds(address, wallet()), await homeOf(address)]).toEqual([false, chain.chainId])
  expect(await nameOf(coin.address)).toBe('')
  expect(await nameOf(liar.address)).toBe('ab')
})

test('an address without code, a precompiled one, and one of another chain are on no chain', async () => {
  const delegated = wallet()
  await chain.client.setCode({ address: delegated, bytecode: `0xef0100${'11'.repeat(20)}` })
  for (const contract of [wallet(), '0x0000000000000000000000000000000000000004', delegated])
    expect([await holds(contract, wallet()), await homeOf(contract)]).toEqual([false, undefined])
})

test('a wallet of another chain holds nothing of a contract that is there', async () => {
  const hats = await deploy('Hats', ['Hats'])
  expect(await holds(hats.address, 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb')).toBe(false)
})

test('a contract is at home on the first chain that has it as a collection, and is asked about there alone', async () => {
  await using second = await startChain()
  const [owner, other] = [wallet(), wallet()]
  const hats = await deploy('Hats', ['Hats'])
  await chain.write(hats, 'mint', [owner, 1n])
  const code = await chain.client.getCode(hats)
  // This contract has the same address, and other holders.
  await second.client.setCode({ address: hats.address, bytecode: code! })
  await second.write(hats, 'mint', [other, 1n])
  const both = ctxOf({ 1: chain.url, 137: second.url })
  const at = (one: number) => ({ chain: one, contract: hats.address })
  expect(await homeOf(hats.address, both)).toBe(1)
  expect([await holdsToken(both, at(1), owner), await holdsToken(both, at(1), other)]).toEqual([true, false])
  expect([await holdsToken(both, at(137), owner), await holdsToken(both, at(137), other)]).toEqual([
    false,
    true,
  ])
  await expect(holdsToken(both, at(5), owner)).rejects.toMatchObject({ code: 'unavailable' })

  // A chain that does not respond might have it; a chain with any other contract does not.
  const half = ctxOf({ 1: 'http://127.0.0.1:9', 137: second.url })
  await expect(homeOf(hats.address, half)).rejects.toMatchObject({ code: 'bad_gateway' })
  const badges = await deploy('Badges', [], second)
  await chain.client.setCode({ address: badges.address, bytecode: '0x00' })
  expect(await homeOf(badges.address, ctxOf({ 1: chain.url, 137: second.url }))).toBe(1)
})

test('a collection that knows a draft of ERC-721 alone has holders', async () => {
  const owner = wallet()
  for (const draft of ['0x9a20483d', '0x6466353c']) {
    const { address } = await deploy('Draft', [draft, owner])
    expect([await holds(address, owner), await holds(address, wallet())]).toEqual([true, false])
  }
  const { address } = await deploy('Draft', ['0x12345678', owner])
  expect(await holds(address, owner)).toBe(false)
})

test('of twenty that ask at once one asks the chain, and a minute long nobody does', async () => {
  const hats = await deploy('Hats', ['Hats'])
  const badges = await deploy('Badges')
  const owner = wallet()
  await chain.write(hats, 'mint', [owner, 7n])
  await chain.write(badges, 'mint', [owner, 7n, 1n])
  await using proxy = await startRpcProxy(chain.url)
  const ctx = ctxOf({ 1: proxy.url })
  const ask = (contract: string) => Promise.all(Array.from({ length: 20 }, () => holds(contract, owner, ctx)))

  expect(new Set(await ask(hats.address))).toEqual(new Set([true]))
  // The calls for the contract's kind are its code and four interfaces. The wallet costs one balance.
  expect([proxy.count('eth_getCode'), proxy.count('eth_call'), proxy.calls.length]).toEqual([1, 5, 6])
  proxy.calls.length = 0
  expect(new Set(await ask(badges.address))).toEqual(new Set([true]))
  expect([proxy.count('eth_getLogs'), proxy.count('eth_blockNumber'), proxy.count('eth_call')]).toEqual([
    1, 1, 5,
  ])

  proxy.calls.length = 0
  await ask(hats.address)
  await ask(badges.address)
  expect(proxy.calls).toEqual([])
  // Another wallet costs only its balance, and so does a new answer.
  await holds(hats.address, wallet(), ctx)
  expect(proxy.calls.length).toBe(1)
  await atTime(61_000)
  await holds(hats.address, owner, ctx)
  expect(proxy.calls.length).toBe(2)
})

test.each<[string, Parameters<Awaited<ReturnType<typeof startRpcProxy>>['intercept']>[0]]>([
  ['answers with an error page', () => ({ status: 500, body: '<html>' })],
  ['limits us', () => ({ status: 429, body: '{"error":{"code":-32005,"message":"limit exceeded"}}' })],
  ['is out of sync', () => ({ error: { code: -32000, message: 'header not found' } })],
  ['fails inside', () => ({ error: { code: -32603, message: 'internal error' } })],
  ['answers garbage', () => ({ result: 'garbage' })],
  ['answers another type', () => ({ result: { not: 'hex' } })],
  ['answers null', () => ({ result: null })],
  ['answers no JSON', () => ({ status: 200, body: 'true or false, who knows' })],
  ['answers nothing', () => ({ status: 200, body: '' })],
  ['hangs', () => 'hang'],
])(
  'a node that %s is a bad gateway, is not remembered as an answer, and its URL stays secret',
  async (_, intercept) => {
    const hats = await deploy('Hats', ['Hats'])
    const badges = await deploy('Badges')
    const owner = wallet()
    await chain.write(hats, 'mint', [owner, 7n])
    await chain.write(badges, 'mint', [owner, 7n, 1n])
    await using proxy = await startRpcProxy(chain.url)
    // The chain fails at once, and it fails after it has returned the kind of the contract.
    const ctx = ctxOf({ 1: `${proxy.url}/secret-key` })
    for (const ready of [false, true]) {
      if (ready) for (const { address } of [hats, badges]) await holds(address, wallet(), ctx)
      proxy.intercept(intercept)
      await Promise.all(
        [hats, badges].map(({ address }) =>
          expect(holds(address, owner, ctx)).rejects.toMatchObject({
            code: 'bad_gateway',
            message: expect.not.stringContaining('secret'),
          }),
        ),
      )
      proxy.intercept(() => undefined)
    }
    expect([await holds(hats.address, owner, ctx), await holds(badges.address, owner, ctx)]).toEqual([
      true,
      true,
    ])
  },
  40_000,
)
