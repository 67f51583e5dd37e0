import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Hex, hexToNumber } from 'viem'
import { type Chain as LocalChain, startChain } from '../../../testing/chains/chain.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '../../../testing/service/proxies.ts'
import { newWallet } from '../../../testing/service/service.ts'
import { configuredChains } from './contract-view.ts'
import { holdsAnyId } from './erc1155.ts'

let chain: LocalChain
let badges: Awaited<ReturnType<LocalChain['deploy']>>
const [early, late, never] = [newWallet(), newWallet(), newWallet()] as [Hex, Hex, Hex]

// One token is in the first hundred blocks, one at the end.
beforeAll(async () => {
  chain = await startChain()
  badges = await chain.deploy('Tokens.sol', 'Badges')
  await chain.client.mine({ blocks: 50 })
  await send('mint', [early, 1n, 1n])
  await chain.client.mine({ blocks: 1500 })
  await send('mint', [late, 2n, 1n])
})
afterAll(() => chain[Symbol.asyncDispose]())

const send = (functionName: string, args: unknown[]) => chain.write(badges, functionName, args)

const ask = (proxy: RpcProxy, chainOf = configuredChains({ rpcUrls: { 1: proxy.url } })[0]!) => ({
  chain: chainOf,
  holds: (wallet: Hex) => holdsAnyId(chainOf, badges.address, wallet),
})

const widthOf = ({ params }: RpcCall) => {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }]
  return hexToNumber(toBlock) - hexToNumber(fromBlock) + 1
}

/** Makes a node that accepts ranges of this many blocks. */
const limit =
  (blocks: number, refusal = { error: { code: -32602, message: `range exceeds limit of ${blocks}` } }) =>
  (call: RpcCall) =>
    call.method === 'eth_getLogs' && widthOf(call) > blocks ? refusal : undefined

test('a history is read in one request where the node allows it', async () => {
  await using proxy = await startRpcProxy(chain.url)
  const { holds } = ask(proxy)
  expect(await holds(early)).toBe(true)
  expect(await holds(late)).toBe(true)
  expect(await holds(never)).toBe(false)
  expect(proxy.count('eth_getLogs')).toBe(3)
})

test.each([
  ['a range limit', limit(100)],
  [
    'a result limit',
    limit(100, { error: { code: -32005, message: 'query returned more than 10000 results' } }),
  ],
  ['a refusal by HTTP', limit(100, { status: 400, body: 'too wide' } as never)],
])('ranges are halved until the node takes them (%s), the newest first', async (_, intercept) => {
  await using proxy = await startRpcProxy(chain.url)
  proxy.intercept(intercept)
  const { holds } = ask(proxy)
  expect(await holds(late)).toBe(true)
  const refused = proxy.calls.filter((call) => call.method === 'eth_getLogs' && widthOf(call) > 100).length
  expect(proxy.count('eth_getLogs')).toBe(refused + 1)
  expect(refused).toBeLessThanOrEqual(5)

  proxy.calls.length = 0
  expect(await holds(early)).toBe(true)
  expect(await holds(never)).toBe(false)
  // The accepted width is remembered: each of the two makes one attempt with twice that width.
  expect(proxy.calls.filter((call) => call.method === 'eth_getLogs' && widthOf(call) > 100).length).toBe(2)
})

test('a history too long for one question is continued by the next, and never counts as a no', async () => {
  await using proxy = await startRpcProxy(chain.url)
  proxy.intercept(limit(10))
  const { holds } = ask(proxy)
  const failures: unknown[] = []
  let answer: boolean | undefined
  while (answer === undefined && failures.length < 10)
    answer = await holds(early).catch((error: unknown) => void failures.push(error))
  expect(answer).toBe(true)
  expect(failures.length).toBeGreaterThan(1)
  expect(failures[0]).toMatchObject({ code: 'unavailable', retryAfter: 2 })
})

test('what was read is not read again: later questions cost the blocks since then', async () => {
  await using proxy = await startRpcProxy(chain.url)
  proxy.intercept(limit(200))
  const { holds } = ask(proxy)
  const newcomer = newWallet() as Hex
  expect(await holds(newcomer)).toBe(false)
  proxy.calls.length = 0
  expect(await holds(newcomer)).toBe(false)
  expect(proxy.count('eth_getLogs')).toBe(0)

  await chain.client.mine({ blocks: 100 })
  await send('mintMany', [[never, newcomer], 70n])
  expect(await holds(newcomer)).toBe(true)
  expect(proxy.count('eth_getLogs')).toBe(1)
  // It makes fewer calls once the id is known.
  proxy.calls.length = 0
  expect(await holds(newcomer)).toBe(true)
  expect(proxy.calls.map(({ method }) => method)).toEqual(['eth_call'])
  await send('move', [newcomer, early, [71n], [1n]])
  expect(await holds(newcomer)).toBe(false)
  await send('move', [never, early, [70n], [1n]])
})

test('a wallet with hundreds of ids costs a few calls', async () => {
  await using proxy = await startRpcProxy(chain.url)
  const collector = newWallet() as Hex
  for (let first = 1000n; first < 1600n; first += 100n)
    await send('mintMany', [Array.from({ length: 100 }, () => collector), first])
  const ids = Array.from({ length: 600 }, (_, i) => 1000n + BigInt(i))
  const all = ids.slice(0, 599)
  await send('move', [collector, early, all, all.map(() => 1n)])
  expect(await ask(proxy).holds(collector)).toBe(true)
  expect(proxy.count('eth_call')).toBe(3)
})

test('logs that only look like transfers are passed over; a list that is none is a bad gateway', async () => {
  await using proxy = await startRpcProxy(chain.url)
  const junk = [{}, null, 5, { topics: [], data: '0x' }, { topics: ['0xc3d5'], data: 'zz' }]
  proxy.intercept(({ method }) => (method === 'eth_getLogs' ? { result: junk } : undefined))
  expect(await ask(proxy).holds(newWallet() as Hex)).toBe(false)
  proxy.intercept(({ method }) => (method === 'eth_getLogs' ? { result: { 0: 'log' } } : undefined))
  await expect(ask(proxy).holds(early)).rejects.toMatchObject({ code: 'bad_gateway' })
  proxy.intercept(({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32601, message: 'no' } } : undefined,
  )
  await expect(ask(proxy).holds(early)).rejects.toMatchObject({ code: 'bad_gateway' })
  proxy.intercept(({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32000, message: 'no' } } : undefined,
  )
  await expect(ask(proxy).holds(early)).rejects.toMatchObject({ code: 'bad_gateway' })
  expect(proxy.count('eth_getLogs')).toBeLessThan(20)
})
