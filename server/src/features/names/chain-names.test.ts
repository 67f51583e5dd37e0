import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { type Ens, installEns } from '../../../../testing/chains/ens.ts'
import { startRpcProxy } from '../../../../testing/service/proxies.ts'
import { newWallet, type Service, startService, useService } from '../../../../testing/service/service.ts'

let chain: Chain
let ens: Ens
beforeAll(async () => {
  chain = await startChain()
  ens = await installEns(chain)
})
afterAll(() => chain[Symbol.asyncDispose]())

const chains = () => ({ rpcUrls: { 1: chain.url, 8453: chain.url } })
const service = useService(chains)

const namesOf = async (on: Service, reader: string, ...addresses: string[]) =>
  (await on.as(reader)).listChainNames({ query: { addresses: addresses.join(' ') } })

/** Returns what is known after the chains have been asked. */
async function settledNames(on: Service, reader: string, ...addresses: string[]) {
  await namesOf(on, reader, ...addresses)
  await on.runJobs()
  return namesOf(on, reader, ...addresses)
}

/** Lets the time pass for names. */
const pass = ({ ctx: { db } }: Service, hours: number) =>
  db.query(
    'update chain_names set named_ms = named_ms - $1, asked_ms = asked_ms - $1, again_ms = again_ms - $1',
    [hours * 3_600_000],
  )

test('a name is asked for in the background, once for everybody and every instance', async () => {
  await using proxy = await startRpcProxy(chain.url)
  await using own = await startService({ rpcUrls: { 1: proxy.url } })
  await using other = await startService({ beside: own, rpcUrls: { 1: proxy.url } })
  const [me, you, alice, nobody] = [newWallet(), newWallet(), newWallet(), newWallet()]
  await ens.name(alice, 'alice.eth')
  const first = await Promise.all([
    namesOf(own, me, alice, nobody),
    namesOf(other, you, alice, nobody),
    namesOf(other, me, nobody, alice, alice),
  ])
  // Nobody has waited for the chain: it was not asked yet.
  expect(proxy.calls).toEqual([])
  expect(first.flat().every((one) => one.checking && one.name === undefined)).toBe(true)
  const [{ jobs } = { jobs: 0 }] = await own.ctx.db.query<{ jobs: number }>(
    `select count(*)::integer as jobs from graphile_worker.jobs where task_identifier = 'read-chain-names'`,
  )
  expect(jobs).toBeGreaterThan(0)
  await own.runJobs()
  const known = [{ address: alice, name: 'alice.eth', chain: 1 }]
  expect(await namesOf(own, me, alice, nobody)).toEqual(known)
  expect(await namesOf(other, you, alice.toUpperCase().replace('X', 'x'), nobody)).toEqual(known)
  await own.runJobs()
  // One question about each of them, and one where the name of Alice points to.
  expect(proxy.count('eth_call')).toBe(3)
})

test('a name is shown where it points back to the wallet, in its normal form', async () => {
  const hostile = [
    'ali\u202ece.eth',
    '<img src=x>.eth',
    'Alice.eth',
    'аlice.eth',
    `${'long'.repeat(30)}.eth`,
    '0xd8da6bf26964af9d7eed9e03e53415d37aa96045.eth',
    'noending',
    'a b.eth',
    'not-mine.eth',
  ]
  const wallets = hostile.map(() => newWallet())
  await ens.point('not-mine.eth', newWallet())
  for (const [n, name] of hostile.entries()) {
    await ens.call(wallets[n]!, name)
    if (name !== 'not-mine.eth') await ens.point(name, wallets[n]!)
  }
  const [arab, alice] = [newWallet(), newWallet()]
  await ens.name(arab, 'محمد.eth')
  await ens.name(alice, 'alice-too.eth')
  expect(await settledNames(service, newWallet(), ...wallets, arab, alice)).toEqual([
    { address: arab, name: 'محمد.eth', chain: 1 },
    { address: alice, name: 'alice-too.eth', chain: 1 },
  ])
})

test('on another chain a name counts where it points to the wallet for that chain, after that of Ethereum', async () => {
  const [onBase, onBoth, mismatched, elsewhere] = [newWallet(), newWallet(), newWallet(), newWallet()]
  for (const [wallet, name] of [
    [onBase, 'based.eth'],
    [onBoth, 'both-base.eth'],
  ] as const) {
    await ens.callElsewhere(wallet, name)
    await ens.pointOn(8453, name, wallet)
  }
  await ens.name(onBoth, 'both.eth')
  // It points to the wallet on Ethereum only, and the other one on a chain that the service does not ask.
  await ens.callElsewhere(mismatched, 'main.eth')
  await ens.point('main.eth', mismatched)
  await ens.callElsewhere(elsewhere, 'far.eth')
  await ens.pointOn(10, 'far.eth', elsewhere)
  expect(await settledNames(service, newWallet(), onBase, onBoth, mismatched, elsewhere)).toEqual([
    { address: onBase, name: 'based.eth', chain: 8453 },
    { address: onBoth, name: 'both.eth', chain: 1 },
  ])
})

test('a name is asked for again after a day, stays a second one while the node is away, and goes then', async () => {
  await using proxy = await startRpcProxy(chain.url)
  await using own = await startService({ rpcUrls: { 1: proxy.url } })
  const [me, alice] = [newWallet(), newWallet()]
  await ens.name(alice, 'first.eth')
  const shown = (name: string) => [{ address: alice, name, chain: 1 }]
  expect(await settledNames(own, me, alice)).toEqual(shown('first.eth'))
  await ens.name(alice, 'second.eth')
  await pass(own, 23)
  expect(await namesOf(own, me, alice)).toEqual(shown('first.eth'))
  await pass(own, 2)
  expect(await namesOf(own, me, alice)).toEqual([{ ...shown('first.eth')[0], checking: true }])
  await own.runJobs()
  expect(await namesOf(own, me, alice)).toEqual(shown('second.eth'))
  // The node is away: the name of yesterday stays, and the node is left alone for a while.
  proxy.intercept(() => ({ status: 502, body: '<h1>away</h1>' }))
  await pass(own, 25)
  expect(await settledNames(own, me, alice)).toMatchObject(shown('second.eth'))
  const calls = proxy.calls.length
  expect(await settledNames(own, me, alice)).toMatchObject(shown('second.eth'))
  expect(proxy.calls.length).toBe(calls)
  await pass(own, 25)
  expect(await settledNames(own, me, alice)).toEqual([{ address: alice, checking: true }])
  // It is back, and the name was given up meanwhile.
  proxy.intercept(() => undefined)
  await ens.call(alice, '')
  await pass(own, 1)
  expect(await settledNames(own, me, alice)).toEqual([])
})

test('a crowd does not use up the node of the operator, and neither does one wallet', async () => {
  await using limited = await startService({
    ...chains(),
    rateLimits: true,
    chainNamesLimit: { burst: 3, perSecond: 0.001 },
    chainNamesOfAll: { burst: 8, perSecond: 0.001 },
    chainLimit: { burst: 1, perSecond: 0.001 },
  })
  const greedy = newWallet()
  expect(await namesOf(limited, greedy, ...Array.from({ length: 50 }, newWallet))).toHaveLength(3)
  expect(await namesOf(limited, greedy, newWallet())).toEqual([])
  const asked = await Promise.all(
    Array.from({ length: 10 }, () => namesOf(limited, newWallet(), newWallet(), newWallet())),
  )
  expect(asked.flat()).toHaveLength(5)
  const [{ rows } = { rows: 0 }] = await limited.ctx.db.query<{ rows: number }>(
    'select count(*)::integer as rows from chain_names',
  )
  expect(rows).toBe(8)
  // The lookups of a wallet itself have their own budget.
  await expect((await limited.as(greedy)).resolveName({ name: 'nobody.eth' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a name that looks like one that the reader knows comes with the wallet that has that', async () => {
  const [me, mira, tom] = [newWallet(), newWallet(), newWallet()]
  const [alike, alias, both, plain] = [newWallet(), newWallet(), newWallet(), newWallet()]
  await (await service.as(mira)).setName({ body: { address: mira, name: 'Mira' } })
  await (await service.as(me)).setContact({ peer: tom, body: { alias: 'Tommy' } })
  await ens.name(alike, 'rnira.eth')
  await ens.name(alias, 't0mmy.eth')
  await ens.name(both, 'tommy.mira.eth')
  await ens.name(plain, 'plain.eth')
  await ens.name(mira, 'mira.eth')
  await ens.name(tom, 'tommy.eth')
  const names = await settledNames(service, me, alike, alias, both, plain, mira, tom)
  expect(Object.fromEntries(names.map((one) => [one.name, one.looks_like]))).toEqual({
    'rnira.eth': mira,
    't0mmy.eth': tom,
    'tommy.mira.eth': tom,
    'plain.eth': undefined,
    'mira.eth': undefined,
    'tommy.eth': undefined,
  })
  // What the reader calls others is theirs alone.
  const ofOthers = await namesOf(service, newWallet(), alike, alias)
  expect(ofOthers.map((one) => one.looks_like)).toEqual([mira, undefined])
})

const off = useService(() => ({ ...chains(), chainNames: false }))
const none = useService(() => ({ beside: off, rpcUrls: { 8453: chain.url } }))

test('where it is off, or there is no node of Ethereum, nothing is asked', async () => {
  for (const on of [off, none]) expect(await namesOf(on, newWallet(), newWallet())).toEqual([])
  expect(await off.ctx.db.query('select address from chain_names')).toEqual([])
})

test('more wallets than fit, or what is no address, is refused in words', async () => {
  const me = newWallet()
  for (const addresses of [Array.from({ length: 51 }, newWallet), ['a\u0000b'], ['']])
    await expect(namesOf(service, me, ...addresses)).rejects.toMatchObject({ code: 'bad_request' })
  // A wallet of another chain has no name there.
  expect(await namesOf(service, me, 'So11111111111111111111111111111111111111112')).toEqual([])
})
