import type { DmPolicy } from '@parley/sdk'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { type RpcProxy, startRpcProxy } from '../../../../testing/service/proxies.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

let chain: Chain
let proxy: RpcProxy
let contract: string
let mint: (to: string, id: bigint) => Promise<void>
beforeAll(async () => {
  chain = await startChain()
  proxy = await startRpcProxy(chain.url)
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  contract = hats.address.toLowerCase()
  mint = (to, id) => chain.write(hats, 'mint', [to, id])
})
afterEach(() => proxy.intercept(() => undefined))
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})
const rpcUrls = () => ({ [chain.chainId]: proxy.url })
const service = useService(() => ({ rpcUrls: rpcUrls() }))
const other = useService(() => ({ beside: service, rpcUrls: rpcUrls() }))

async function newcomer(policy?: DmPolicy, on = service) {
  const address = newWallet()
  const client = await on.as(address)
  if (policy) await client.setDmPolicy({ body: policy })
  return {
    address,
    client,
    write: (to: { address: string }, message = 'gm', key?: string) =>
      client
        .sendDirectMessage(
          { body: { fromaddr: address, toaddr: to.address, message } },
          key === undefined ? {} : { idempotencyKey: key },
        )
        .then(
          () => 'sent',
          (error: { code: string }) => error.code,
        ),
    texts: async (peer: { address: string }) =>
      (await client.listConversation({ fromaddr: address, toaddr: peer.address })).map(
        ({ message }) => message,
      ),
  }
}
type Person = Awaited<ReturnType<typeof newcomer>>

const times = async (count: number, work: () => Promise<string>) => {
  const done: string[] = []
  for (let n = 0; n < count; n++) done.push(await work())
  return done
}
const five = Array<string>(5).fill('sent')

test('a policy is public, and its token is one that the service can ask about', async () => {
  const token = { chain: chain.chainId, contract }
  const alice = await newcomer()
  expect(await alice.client.getOwnDmPolicy()).toEqual({ who: 'everyone', is_default: true })
  expect(await alice.client.setDmPolicy({ body: { who: 'holders', token } })).toEqual({
    who: 'holders',
    token,
  })
  expect(await service.anonymous.getDmPolicy({ address: alice.address })).toEqual({ who: 'holders', token })
  // A name and a policy are side by side, and one does not take the other away.
  await alice.client.setName({ body: { address: alice.address, name: `P${alice.address.slice(2, 10)}` } })
  await alice.client.deleteName()
  expect(await alice.client.getOwnDmPolicy()).toEqual({ who: 'holders', token })
  for (const [wrong, pointer] of [
    [undefined, '/body/token'],
    [{ ...token, chain: 5 }, '/body/token/chain'],
    [{ ...token, contract: 'punks' }, '/body/token/contract'],
  ] as const)
    await expect(
      alice.client.setDmPolicy({ body: { who: 'holders', ...(wrong && { token: wrong }) } }),
    ).rejects.toMatchObject({ code: 'bad_request', errors: [expect.objectContaining({ pointer })] })
  await alice.client.eraseAccount({ address: alice.address })
  expect(await service.anonymous.getDmPolicy({ address: alice.address })).toEqual({ who: 'everyone' })
})

test('who keeps requests gets five messages of a stranger, on any instance, until it answers, accepts or is erased', async () => {
  const [alice, bob] = [await newcomer(undefined, other), await newcomer({ who: 'requests' })]
  expect(await times(7, () => alice.write(bob))).toEqual([...five, 'request_pending', 'request_pending'])
  await expect(
    alice.client.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: bob.address, message: 'gm' } }),
  ).rejects.toMatchObject({
    status: 429,
    message: `${bob.address} has not answered yet: five messages of 16 KiB together are the most until then.`,
  })
  // Deleting, blocking or forgetting does not make room.
  await alice.client.deleteConversation({ fromaddr: alice.address, toaddr: bob.address })
  await alice.client.setContact({ peer: bob.address, body: { state: 'unknown' } })
  expect(await alice.write(bob)).toBe('request_pending')
  await alice.client.setContact({ peer: bob.address, body: { state: 'blocked' } })
  await alice.client.setContact({ peer: bob.address, body: { blocked: false } })
  expect(await alice.write(bob)).toBe('request_pending')

  expect(await bob.write(alice)).toBe('sent')
  expect(await times(7, () => alice.write(bob))).toEqual(Array(7).fill('sent'))
  await bob.client.setContact({ peer: alice.address, body: { state: 'ignored' } })
  expect(await times(7, () => alice.write(bob))).toEqual([...five, 'request_pending', 'request_pending'])
  await bob.client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  expect(await times(7, () => alice.write(bob))).toEqual(Array(7).fill('sent'))
})

test('of requests 16 KiB together are kept; what is refused leaves no key behind', async () => {
  const [alice, bob] = [await newcomer(), await newcomer({ who: 'requests' })]
  expect(await alice.write(bob, 'x'.repeat(16_385), 'key')).toBe('request_pending')
  expect(await alice.write(bob, 'x'.repeat(10_000), 'key')).toBe('sent')
  expect(await alice.write(bob, 'x'.repeat(10_000), 'key')).toBe('sent')
  expect(await alice.write(bob, 'x'.repeat(6_385))).toBe('request_pending')
  expect(await alice.write(bob, 'x'.repeat(6_384))).toBe('sent')
  expect((await bob.texts(alice)).map(({ length }) => length)).toEqual([10_000, 6_384])
})

test.each([0, 1])(
  'of a hundred messages at once to who keeps requests five are stored, with keys: %i',
  async (keys) => {
    const [alice, bob, carol] = [await newcomer(), await newcomer({ who: 'requests' }), await newcomer()]
    const elsewhere = { ...(await newcomer()), address: alice.address, client: await other.as(alice.address) }
    const there: Person['write'] = (to, message) =>
      elsewhere.client
        .sendDirectMessage({ body: { fromaddr: alice.address, toaddr: to.address, message: message! } })
        .then(
          () => 'sent',
          (error: { code: string }) => error.code,
        )
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const to = n % 2 ? bob : carol
        return [
          to,
          await (n % 3 ? alice.write(to, `${n}`, keys ? `k${n}` : undefined) : there(to, `${n}`)),
        ] as const
      }),
    )
    const to = (one: Person) => outcomes.filter(([of]) => of === one).map(([, outcome]) => outcome)
    expect(to(carol)).toEqual(Array(50).fill('sent'))
    expect(to(bob).toSorted()).toEqual([...Array<string>(45).fill('request_pending'), ...five])
    expect(await bob.texts(alice)).toHaveLength(5)
    expect(await bob.client.countUnread({ address: bob.address })).toBe(5)
  },
)

test('who takes messages of contacts only gets none of a stranger; a contact that it has blocked is not told', async () => {
  const [alice, bob] = [await newcomer(), await newcomer({ who: 'contacts' }, other)]
  expect(await alice.write(bob)).toBe('not_accepting')
  expect(await bob.client.getInbox({ address: bob.address })).toEqual([])
  await bob.client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  expect(await alice.write(bob, 'as a contact')).toBe('sent')
  await bob.client.setContact({ peer: alice.address, body: { state: 'blocked' } })
  expect(await alice.write(bob, 'withheld')).toBe('sent')
  expect(await bob.texts(alice)).toEqual(['as a contact'])
  await bob.client.setContact({ peer: alice.address, body: { state: 'unknown' } })
  expect(await alice.write(bob)).toBe('not_accepting')
  const many = await Promise.all(Array.from({ length: 40 }, (_, n) => alice.write(bob, `${n}`)))
  expect(new Set(many)).toEqual(new Set(['not_accepting']))
})

test('holders may write to who takes messages of holders; while the chain is away they are requests', async () => {
  const bob = await newcomer({ who: 'holders', token: { chain: chain.chainId, contract } })
  const [holder, stranger, late] = [await newcomer(), await newcomer(), await newcomer()]
  await mint(holder.address, 1n)
  expect(await times(6, () => holder.write(bob))).toEqual([...five, 'sent'])
  expect(await stranger.write(bob)).toBe('not_accepting')
  await expect(
    stranger.client.sendDirectMessage({
      body: { fromaddr: stranger.address, toaddr: bob.address, message: 'gm' },
    }),
  ).rejects.toMatchObject({ status: 403, message: expect.stringContaining(contract) })
  // So do their edits: of who was a holder, and of who wrote before the policy.
  const carol = await newcomer()
  const sent = async ({ client, address }: typeof holder) =>
    (
      await client.sendDirectMessage({ body: { fromaddr: address, toaddr: carol.address, message: 'gm' } })
    )[0]!
  const [ofHolder, ofStranger] = [await sent(holder), await sent(stranger)]
  await carol.client.setDmPolicy({ body: { who: 'holders', token: { chain: chain.chainId, contract } } })
  const body = { message: 'x'.repeat(20_000), revision: 0 }
  await expect(holder.client.editMessage({ id: ofHolder.id, body })).resolves.toMatchObject([{ revision: 1 }])
  await expect(stranger.client.editMessage({ id: ofStranger.id, body })).rejects.toMatchObject({
    code: 'not_accepting',
    message: expect.stringContaining(contract),
  })
  proxy.intercept(() => ({ status: 500, body: '<html>' }))
  expect(await times(6, () => late.write(bob))).toEqual([...five, 'request_pending'])
  expect(await bob.texts(late)).toHaveLength(5)
})

const strict = useService({ beside: service, dmDefault: 'requests' })

test('a server may keep requests for all that have not chosen', async () => {
  const [alice, bob, carol] = [
    await newcomer(undefined, strict),
    await newcomer(undefined, strict),
    await newcomer({ who: 'everyone' }, strict),
  ]
  expect(await bob.client.getOwnDmPolicy()).toEqual({ who: 'requests', is_default: true })
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, n) => alice.write(n % 2 ? bob : carol, `${n}`)),
  )
  expect(many.filter((_, n) => n % 2 === 0)).toEqual(Array(20).fill('sent'))
  expect(many.filter((_, n) => n % 2).toSorted()).toEqual([
    ...Array<string>(15).fill('request_pending'),
    ...five,
  ])
  expect(await alice.write(alice, 'to myself')).toBe('sent')
})

test('who has blocked or ignored a wallet, or keeps its request, does not see it typing', async () => {
  const alice = await newcomer()
  const seen = async (decide: (bob: Person) => Promise<unknown>) => {
    const bob = await newcomer()
    await decide(bob)
    await using stream = await listenTo(other, bob.address)
    await alice.client.sendTyping({ body: { fromaddr: alice.address, toaddr: bob.address } })
    const marker = await newcomer()
    await marker.write(bob, 'marker')
    await expect.poll(() => stream.messages(), { timeout: 10_000 }).toEqual(['marker'])
    return stream.events().some(({ type }) => type === 'typing')
  }
  const peer = alice.address
  expect(await seen(async () => {})).toBe(true)
  expect(await seen((bob) => bob.client.setContact({ peer, body: { state: 'ignored' } }))).toBe(false)
  expect(await seen((bob) => bob.client.setContact({ peer, body: { state: 'blocked' } }))).toBe(false)
  expect(await seen((bob) => bob.client.setDmPolicy({ body: { who: 'requests' } }))).toBe(false)
  expect(
    await seen(async (bob) => {
      await bob.client.setDmPolicy({ body: { who: 'requests' } })
      await bob.client.setContact({ peer, body: { state: 'accepted' } })
    }),
  ).toBe(true)
})
