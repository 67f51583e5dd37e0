import { setTimeout } from 'node:timers/promises'
import type { Abi, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Chain, startChain } from '../../../testing/chains/chain.ts'
import { type RpcProxy, startRpcProxy } from '../../../testing/service/proxies.ts'
import { newWallet } from '../../../testing/service/service.ts'
import { type Gate, openGate } from './gate.ts'

let chain: Chain
let hats: { address: Hex; abi: Abi }
let proxy: RpcProxy
beforeAll(async () => {
  chain = await startChain()
  hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  proxy = await startRpcProxy(chain.url)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})
afterEach(() => {
  vi.restoreAllMocks()
  proxy.intercept(() => undefined)
})

const chainLimit = { burst: 300, perSecond: 5 }
const rpcUrls = () => ({ 31337: proxy.url })
/** Only this test stores these homes. */
const stored = () => ({ get: async () => null, keep: async (_contract: string, on: number) => on })
/** Makes a gate with its own memory. */
const newGate = (more: { rateLimits?: boolean; chainLimit?: typeof chainLimit } = {}) =>
  openGate({ rpcUrls: rpcUrls(), rateLimits: true, chainLimit, ...more }, stored())

let token = 0n
const send = (functionName: string, args: unknown[]) => chain.write(hats, functionName, args)
async function newHolder() {
  const holder = newWallet()
  await send('mint', [holder, ++token])
  return { holder, id: token }
}
const isClosed = async (gate: Gate, wallet: string) =>
  (await gate.closedTo(wallet, [hats.address])).length > 0
const refusal = (gate: Gate, wallet: string) =>
  gate.require(hats.address, wallet).then(
    () => undefined,
    (error: { code: string }) => error.code,
  )

const realNow = performance.now.bind(performance)
async function atTime(ms: number) {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
  // The caches read the clock once a millisecond.
  await setTimeout(5)
}
const goAway = () => proxy.intercept(() => ({ status: 500, body: '<html>' }))

test('holders are let in, others are not; what no chain can answer is open to all', async () => {
  const { holder } = await newHolder()
  const stranger = newWallet()
  const gate = await newGate()
  await gate.require(hats.address, holder)
  await expect(gate.require(hats.address, stranger)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining(`${stranger} holds no token of ${hats.address}`),
  })
  expect([gate.mayRead(hats.address, holder), gate.mayRead(hats.address, stranger)]).toEqual([true, false])
  const others = [newWallet(), 'poap_12', 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb', 'town']
  expect(await gate.closedTo(stranger, [...others, hats.address])).toEqual([hats.address])
  for (const chat of others) await gate.require(chat, stranger)

  const open = await openGate({ rpcUrls: {}, rateLimits: true, chainLimit }, stored())
  expect(open.concerns(newWallet())).toBe(false)
  expect(open.guards(hats.address)).toBe(false)
  expect(await open.closedTo(stranger, [hats.address])).toEqual([])
  await open.require(hats.address, stranger)
})

test('who sells its token is let in for a minute at most', async () => {
  const { holder, id } = await newHolder()
  const gate = await newGate()
  expect(await isClosed(gate, holder)).toBe(false)
  await send('move', [newWallet(), id])
  await atTime(59_000)
  expect(gate.isSettled(hats.address, holder)).toBe(true)
  await atTime(61_000)
  expect(gate.isSettled(hats.address, holder)).toBe(false)
  expect(await isClosed(gate, holder)).toBe(true)
  expect(await refusal(gate, holder)).toBe('forbidden')
})

test('while the chain is away the last answer counts for ten minutes, and then the chat is closed', async () => {
  const { holder } = await newHolder()
  const [stranger, unknown] = [newWallet(), newWallet()]
  const gate = await newGate()
  expect([await refusal(gate, holder), await refusal(gate, stranger)]).toEqual([undefined, 'forbidden'])
  goAway()
  expect([await refusal(gate, unknown), await isClosed(gate, unknown)]).toEqual(['bad_gateway', true])
  for (const minute of [5, 9.9]) {
    await atTime(minute * 60_000)
    expect([await refusal(gate, holder), await isClosed(gate, holder)]).toEqual([undefined, false])
    expect(await refusal(gate, stranger)).toBe('forbidden')
  }
  await atTime(10.1 * 60_000)
  expect([await refusal(gate, holder), await isClosed(gate, holder)]).toEqual(['bad_gateway', true])
  proxy.intercept(() => undefined)
  await atTime(10.2 * 60_000)
  expect([await refusal(gate, holder), await isClosed(gate, holder)]).toEqual([undefined, false])
})

test('a node that hangs delays a list by two seconds, and the next list has its answer', async () => {
  const { holder } = await newHolder()
  const gate = await newGate()
  await isClosed(gate, newWallet())
  let hangs = 0
  proxy.intercept(() => (hangs++ === 0 ? 'hang' : undefined))
  const began = performance.now()
  expect(await isClosed(gate, holder)).toBe(true)
  expect(performance.now() - began).toBeLessThan(3_000)
  // The request that hangs ends after five seconds; then the chain is called again.
  await expect.poll(() => isClosed(gate, holder), { timeout: 15_000, interval: 100 }).toBe(false)
})

test('many lists of many chats ask the chain once for each chat', async () => {
  // A list waits for two seconds; a busy machine can read only this many contracts in that time.
  const contracts = Array.from({ length: 60 }, newWallet)
  const gate = await newGate()
  const wallet = newWallet()
  proxy.calls.length = 0
  const lists = await Promise.all(Array.from({ length: 20 }, () => gate.closedTo(wallet, contracts)))
  expect(proxy.calls.length).toBe(60)
  expect(new Set(lists.flat())).toEqual(new Set())
})

test('a wallet with a thousand chats has no more of them checked than its budget, and the others are closed', async () => {
  const contracts = Array.from({ length: 1000 }, newWallet)
  const [wallet, other] = [newWallet(), newWallet()]
  const gate = await newGate({ chainLimit: { burst: 300, perSecond: 0.001 } })
  proxy.calls.length = 0
  for (let i = 0; i < 20; i++) await gate.closedTo(wallet, contracts)
  expect(proxy.calls.length).toBe(300)
  expect(await gate.closedTo(wallet, contracts)).toHaveLength(700)
  expect([await refusal(gate, wallet), await refusal(gate, other)]).toEqual(['rate_limited', 'forbidden'])
})

test('a wallet whose budget is used up does not read on by an old answer', async () => {
  const { holder } = await newHolder()
  const gate = await newGate({ chainLimit: { burst: 2, perSecond: 0.001 } })
  expect(await isClosed(gate, holder)).toBe(false)
  await gate.closedTo(holder, [newWallet(), newWallet()])
  expect(await isClosed(gate, holder)).toBe(false)
  await atTime(61_000)
  expect([await isClosed(gate, holder), await refusal(gate, holder)]).toEqual([true, 'rate_limited'])
})
