import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { type Ens, installEns } from '../../../../testing/chains/ens.ts'
import {
  injectInto,
  newName,
  newWallet,
  type Service,
  useService,
} from '../../../../testing/service/service.ts'
import { signedInLongAgo } from '../../../../testing/people/sign-in-and-out.ts'
import { countFirstContacts } from '../../limits/first-contacts.ts'
import { signInWith } from '@parley/sdk/sign-in.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const service = useService()

let chain: Chain
let ens: Ens
beforeAll(async () => {
  chain = await startChain()
  ens = await installEns(chain)
})
afterAll(() => chain[Symbol.asyncDispose]())

const trustOf = async (on: Service, wallet: string, peer: string) =>
  (await (await on.as(wallet)).getTrust({ peer }))[0]!

async function signIn({ app }: Service, key = generatePrivateKey()): Promise<string> {
  const account = privateKeyToAccount(key)
  const signMessage = (message: string) => account.signMessage({ message })
  await signInWith({ baseUrl: '', fetch: injectInto(app) }, { address: account.address, signMessage })
  return account.address.toLowerCase()
}

/** Returns an address with the first and last digits of another. */
const poisoned = (address: string) => {
  const other = newWallet()
  return `${address.slice(0, 6)}${other.slice(6, -4)}${address.slice(-4)}`
}

test('of a wallet that nobody knows, nothing is said', async () => {
  const [me, peer] = [newWallet(), newWallet()]
  expect(await trustOf(service, me, peer)).toEqual({
    address: peer,
    name: '',
    shared_chats: { count: 0, some: [] },
    looks_like: [],
    chain: [],
    holds: [],
    teams: [],
  })
})

test('how its first contacts went is told in three bands, from ten on', async () => {
  const [me, peer] = [newWallet(), newWallet()]
  const asPeer = await service.as(peer)
  const others = Array.from({ length: 10 }, newWallet)
  const write = (toaddr: string) =>
    asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr, message: 'gm' } })
  const band = async () => {
    await countFirstContacts(service.ctx.db, peer)
    return (await trustOf(service, me, peer)).first_contacts
  }
  const answer = async (wallets: string[]) => {
    for (const fromaddr of wallets)
      await (
        await service.as(fromaddr)
      ).sendDirectMessage({ body: { fromaddr, toaddr: peer, message: 'hello' } })
  }
  await signedInLongAgo(service, others)
  for (const one of others.slice(1)) await write(one)
  expect(await band()).toBeUndefined()
  await write(others[0]!)
  expect(await band()).toBe('hardly_any')
  await answer(others.slice(0, 1))
  expect(await band()).toBe('some')
  await answer(others.slice(1, 7))
  expect(await band()).toBe('most')
  expect((await trustOf(service, peer, peer)).first_contacts).toBeUndefined()
  await (await service.as(others[0]!)).setContact({ peer, body: { state: 'blocked' } })
  expect(await band()).toBe('most')
  await asPeer.eraseAccount({ address: peer })
  expect((await trustOf(service, me, peer)).first_contacts).toBeUndefined()
})

test('who writes to puppets and to one wallet more cannot tell what that one has decided', async () => {
  const [spammer, victim] = [newWallet(), newWallet()]
  const puppets = Array.from({ length: 9 }, newWallet)
  const write = async (fromaddr: string, toaddr: string) =>
    (await service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })
  await signedInLongAgo(service, [victim])
  for (const one of [...puppets, victim]) await write(spammer, one)
  const cards = async () => {
    await countFirstContacts(service.ctx.db, spammer)
    return [await trustOf(service, puppets[0]!, spammer), await trustOf(service, spammer, spammer)]
  }
  const before = await cards()
  expect(before.map(({ first_contacts }) => first_contacts)).toEqual(['hardly_any', undefined])
  for (const state of ['accepted', 'ignored', 'blocked'] as const) {
    await (await service.as(victim)).setContact({ peer: spammer, body: { state } })
    expect(await cards()).toEqual(before)
  }
  // Puppets that were made for it count for nothing either.
  for (const one of puppets) await write(one, spammer)
  expect(await cards()).toEqual(before)
})

test('the month of its first sign-in is shown, and goes when it erases its account', async () => {
  const me = newWallet()
  const key = generatePrivateKey()
  const peer = await signIn(service, key)
  expect((await trustOf(service, me, peer)).first_seen).toBe(new Date().toISOString().slice(0, 7))
  // Later sign-ins change nothing.
  await service.ctx.db.query('update wallets_seen set first_ms = $1', [Date.UTC(2026, 0, 31, 23, 59)])
  await signIn(service, key)
  expect((await trustOf(service, me, peer)).first_seen).toBe('2026-01')
  await (await service.as(peer)).eraseAccount({ address: peer })
  const erased = await trustOf(service, me, peer)
  expect(erased).toMatchObject({ erased: true })
  expect(erased).not.toHaveProperty('first_seen')
})

test('chats that both have joined are counted, and three of them named', async () => {
  const [me, peer] = [newWallet(), newWallet()]
  const [asMe, asPeer] = [await service.as(me), await service.as(peer)]
  const [ants, bees, cats, dogs] = ['ants', 'bees', 'cats', 'dogs'].map(newName) as [
    string,
    string,
    string,
    string,
  ]
  for (const community of [ants, bees, cats, dogs]) await asMe.createCommunity({ body: { community } })
  for (const nftaddr of [ants, bees, cats, dogs]) {
    await asMe.joinChat({ body: { walletaddr: me, nftaddr } })
    await asPeer.joinChat({ body: { walletaddr: peer, nftaddr } })
  }
  await asMe.leaveChat({ body: { walletaddr: me, nftaddr: dogs } })
  const { shared_chats } = await trustOf(service, me, peer)
  expect(shared_chats).toEqual({
    count: 3,
    some: [ants, bees, cats].map((nftaddr) => ({ nftaddr, context_type: 'community' })),
  })
  expect((await trustOf(service, newWallet(), peer)).shared_chats.count).toBe(0)
})

test('an address with the first and last digits of a known one, or of the own one, is called out', async () => {
  const [me, friend] = [newWallet(), newWallet()]
  await (await service.as(me)).sendDirectMessage({ body: { fromaddr: me, toaddr: friend, message: 'gm' } })
  const like = (address: string) => [{ address, why: 'digits' }]
  expect((await trustOf(service, me, poisoned(friend))).looks_like).toEqual(like(friend))
  expect((await trustOf(service, me, poisoned(me))).looks_like).toEqual(like(me))
  expect((await trustOf(service, me, friend)).looks_like).toEqual([])
  // To another wallet the same address looks like nobody.
  expect((await trustOf(service, newWallet(), poisoned(friend))).looks_like).toEqual([])
})

test('who writes to many does not become known by that: its look-alike is not called out', async () => {
  const [me, stranger] = [newWallet(), newWallet()]
  const asStranger = await service.as(stranger)
  await asStranger.sendDirectMessage({ body: { fromaddr: stranger, toaddr: me, message: 'gm' } })
  expect((await trustOf(service, me, poisoned(stranger))).looks_like).toEqual([])
})

test('a wallet that has the name which one has given to another is called out', async () => {
  const [me, friend, stranger] = [newWallet(), newWallet(), newWallet()]
  const name = `Ann ${newName('Bo')}`
  await (await service.as(me)).setContact({ peer: friend, body: { alias: name } })
  await (await service.as(stranger)).setName({ body: { address: stranger, name: name.toLowerCase() } })
  expect((await trustOf(service, me, stranger)).looks_like).toEqual([{ address: friend, why: 'name' }])
  expect((await trustOf(service, newWallet(), stranger)).looks_like).toEqual([])
})

const asking = useService(() => ({ rpcUrls: { 1: chain.url, 5: 'http://127.0.0.1:9' } }))

test('chains are asked in the background, once a day; what they do not answer stays unknown', async () => {
  const [me, peer] = [newWallet(), newWallet()]
  const first = await trustOf(asking, me, peer)
  expect(first).toMatchObject({ chain: [], checking: true })
  await asking.runJobs()
  const known = { chain: '1', is_contract: false, transactions: '0', checked_at: expect.any(String) }
  expect((await trustOf(asking, me, peer)).chain).toEqual([known])
  // Facts of a day ago are shown until they are read again.
  await asking.ctx.db.query('update chain_facts set ms = ms - 90000000')
  await chain.client.setNonce({ address: peer as `0x${string}`, nonce: 12 })
  await ens.point('peer.eth', peer)
  await ens.call(peer, 'peer.eth')
  expect((await trustOf(asking, me, peer)).chain).toEqual([known])
  await asking.runJobs()
  expect((await trustOf(asking, me, peer)).chain).toEqual([
    { ...known, transactions: '10-99', name: 'peer.eth' },
  ])
  // The facts are a contract, and a name that points to somebody else.
  await ens.call(newWallet(), 'peer.eth')
  const contract = (await chain.deploy('Tokens.sol', 'Hats', ['Hats'])).address
  await ens.call(contract, 'peer.eth')
  await trustOf(asking, me, contract)
  await asking.runJobs()
  expect((await trustOf(asking, me, contract)).chain).toEqual([
    { ...known, is_contract: true, transactions: '1-9' },
  ])
})

const gated = useService(() => ({ rpcUrls: { [chain.chainId]: chain.url } }))

test('whether it holds a token of a chat that the caller has joined is known, without being in that chat', async () => {
  const [me, holder, other] = [newWallet(), newWallet(), newWallet()]
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  for (const [n, owner] of [me, holder].entries()) await chain.write(hats, 'mint', [owner, n + 1])
  await (await gated.as(me)).joinChat({ body: { walletaddr: me, nftaddr: hats.address } })
  for (const peer of [holder, other]) await trustOf(gated, me, peer)
  await gated.runJobs()
  const holds = async (peer: string) => (await trustOf(gated, me, peer)).holds.map((one) => one.holds)
  expect([await holds(holder), await holds(other)]).toEqual([[true], [false]])
})

const limited = useService(() => ({
  beside: service,
  rpcUrls: { 1: chain.url },
  rateLimits: true,
  chainLimit: { burst: 1, perSecond: 0.001 },
}))

test('who has the chains asked too often is told what is known, and no more', async () => {
  const [me, one, other] = [newWallet(), newWallet(), newWallet()]
  expect((await trustOf(limited, me, one)).checking).toBe(true)
  expect(await trustOf(limited, me, other)).not.toHaveProperty('checking')
})
