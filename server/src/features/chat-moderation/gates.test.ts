import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewGate, NewGateRule } from '@parley/sdk/contract/gate-models.ts'
import type { Abi, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { wrongRules } from '../../../../testing/cases/wrong-gates.ts'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { type RpcProxy, startRpcProxy } from '../../../../testing/service/proxies.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { day } from '../../lib/times.ts'

const stack = new AsyncDisposableStack()
let chain: Chain
let proxy: RpcProxy
type Contract = { address: Hex; abi: Abi }
let gard: Contract
let hats: Contract
let badges: Contract
beforeAll(async () => {
  chain = stack.use(await startChain({ begins: Date.now() - 2 * day }))
  proxy = stack.use(await startRpcProxy(chain.url))
  gard = await chain.deploy('Coins.sol', 'Coins', ['Garden', 'GARD', 18])
  hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  badges = await chain.deploy('Tokens.sol', 'Badges')
  const multicall = await chain.deploy('Coins.sol', 'Multicall3')
  await chain.client.setCode({
    address: '0xca11bde05977b3631167028862be2a173976ca11',
    bytecode: (await chain.client.getCode(multicall))!,
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await stack.disposeAsync()
})
const settings = () => ({ rpcUrls: { [chain.chainId]: proxy.url }, refreshEvery: 50 })
const service = useService(settings)
const other = useService(() => ({ ...settings(), beside: service }))
afterEach(() => proxy.intercept(() => undefined))

const give = (to: string, coins: number) => chain.write(gard, 'give', [to, BigInt(coins) * 10n ** 18n])
const coins = (min: string, contract: string = gard.address): NewGateRule => ({
  chain: chain.chainId,
  contract,
  standard: 'erc20',
  min,
})
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  )
/** Makes a community whose owner sets a gate, which the other instance knows too. */
async function gated(community: string, body: NewGate, members = 2) {
  const people = await newCommunity(service, community, members)
  await people[0].client.setGate({ nftaddr: community, body })
  await expect.poll(() => other.ctx.chatGates.rulesOf(community)).not.toEqual({})
  return people
}
const realNow = performance.now.bind(performance)
let passed = 0
/** Lets so many seconds pass for what gates remember. */
async function pass(seconds: number) {
  passed += seconds * 1000
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passed)
  await sleep(5)
}

test('an owner asks for coins: members without them neither read nor post on any instance; the owner does', async () => {
  const [owner, poor, rich] = await gated('garden', {
    read: { any: [coins('100'), { wallets: [newWallet()] }] },
  })
  await give(rich.address, 100)
  await give(poor.address, 99)
  await owner.post('for those with coins')
  expect((await rich.read()).map(({ message }) => message)).toEqual(['for those with coins'])
  for (const on of [service, other]) {
    const client = await on.as(poor.address)
    const refused = {
      code: 'forbidden',
      message: expect.stringContaining(
        'you need at least 100 GARD on Chain 31337, or to be the listed wallet.',
      ),
    }
    const address = poor.address
    await expect(client.listGroupMessages({ address: 'garden', useraddress: address })).rejects.toMatchObject(
      refused,
    )
    await expect(
      client.postCommunityMessage({ body: { fromaddr: address, nftaddr: 'garden', message: 'hi' } }),
    ).rejects.toMatchObject(refused)
    await expect(client.getCommunity({ community: 'garden', address })).rejects.toMatchObject(refused)
  }
  expect([await poor.unread(), await rich.unread()]).toEqual([0, 0])
  const open = { open: true }
  const standing = await owner.client.getGateStanding({ nftaddr: 'garden' })
  expect(standing).toMatchObject({ role: true, read: open, post: open })
  expect((await owner.log())[0]).toEqual(['set_gate', ''])
})

test('a wallet reads what it has and lacks, and gets in at once with what it receives', async () => {
  const [owner, poor] = await gated('shed', { read: { all: [coins('100.5'), { not: coins('1000000') }] } })
  await give(poor.address, 20)
  const standing = () => poor.client.getGateStanding({ nftaddr: 'shed' })
  expect(await standing()).toEqual({
    role: false,
    read: {
      open: false,
      words: 'at least 100.5 GARD on Chain 31337, and less than 1,000,000 GARD on Chain 31337',
      conditions: [
        { words: 'at least 100.5 GARD on Chain 31337', met: false, has: '20 GARD', lacks: '80.5 GARD' },
        { words: 'less than 1,000,000 GARD on Chain 31337', met: true, has: '20 GARD' },
      ],
      groups: [],
    },
    post: { open: false, words: '', conditions: [], groups: [] },
  })
  await give(poor.address, 101)
  expect((await standing()).read).toMatchObject({ open: true, conditions: [{ met: true }, { met: true }] })
  expect(await outcome(poor.read())).toBe('ok')

  const none = { any: [coins('1000'), { all: [coins('10'), { wallets: [poor.address] }] }] }
  await owner.client.setGate({ nftaddr: 'shed', body: { read: { not: none } } })
  const less = (amount: string) => `less than ${amount} GARD on Chain 31337`
  expect((await standing()).read).toMatchObject({
    words: `${less('1,000')}, and (${less('10')}, or not to be the listed wallet)`,
    conditions: [
      { words: less('1,000'), met: true, has: '101 GARD' },
      { words: less('10'), met: false, has: '101 GARD', group: 0 },
      { words: 'not to be the listed wallet', met: false, group: 0 },
    ],
    groups: [{ how: 'any', met: false }],
  })
})

test('who may read a chat and not post reads and reacts; a list of wallets shows others its number alone', async () => {
  const named = newWallet()
  const [owner, reader] = await gated('news', { post: { wallets: [named, newWallet(), newWallet()] } })
  const { id } = await owner.post('news')
  expect(await outcome(reader.read())).toBe('ok')
  await expect(reader.post('my view')).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('To post in this chat you need to be one of 3 wallets.'),
  })
  const typing = { fromaddr: reader.address, nftaddr: 'news' }
  expect(await outcome(reader.client.sendTyping({ body: typing }))).toBe('forbidden')
  expect(await outcome(reader.client.react({ id, body: { values: ['👍'] } }))).toBe('ok')
  const seen = await reader.client.getGate({ nftaddr: 'news' })
  expect(seen).toEqual({
    post: { wallets: [], listed: 3 },
    read_words: '',
    post_words: 'to be one of 3 wallets',
  })
  const byNamed = await (await service.as(named)).getGate({ nftaddr: 'news' })
  expect(byNamed.post).toEqual({ wallets: [named], listed: 3 })
  expect((await owner.client.getGate({ nftaddr: 'news' })).post?.wallets).toHaveLength(3)
  const asNamed = await service.as(named)
  const body = { fromaddr: named, nftaddr: 'news', message: 'from the list' }
  expect(await outcome(asNamed.postCommunityMessage({ body }))).toBe('ok')
})

test('a room asks for its own rule and for that of its community', async () => {
  const [owner, inside, insider] = await gated('yard', { read: coins('1') })
  for (const { address } of [inside, insider]) await give(address, 1)
  const at = { nftaddr: 'yard/attic' }
  await owner.client.createRoom({ community: 'yard', body: { room: 'attic' } })
  await owner.client.setGate({ ...at, body: { read: { wallets: [insider.address, newWallet()] } } })
  const read = ({ client, address }: typeof owner) =>
    outcome(client.listGroupMessages({ address: at.nftaddr, useraddress: address }))
  expect([await read(owner), await read(inside), await read(insider)]).toEqual(['ok', 'forbidden', 'ok'])
  expect(await outcome(inside.read())).toBe('ok')
  expect((await insider.client.getGateStanding(at)).read).toMatchObject({
    open: true,
    words: 'at least 1 GARD on Chain 31337, and to be one of 2 wallets',
  })
  await give(insider.address, 0)
  await insider.client.getGateStanding(at)
  await pass(61)
  expect(await read(insider)).toBe('forbidden')
  const none = { nftaddr: 'yard/none', body: {} }
  expect(await outcome(owner.client.setGate(none))).toBe('not_found')
})

test('only the owner sets, tries and removes a gate; removed, it is open on all instances', async () => {
  const [owner, member] = await gated('lane', { read: coins('1') })
  const at = { nftaddr: 'lane' }
  const body = { read: { wallets: [member.address] } }
  for (const attempt of [
    () => member.client.setGate({ ...at, body }),
    () => member.client.tryGate({ ...at, body }),
    () => member.client.removeGate(at),
  ])
    expect(await outcome(attempt())).toBe('forbidden')
  expect(await outcome(member.read())).toBe('forbidden')
  await owner.client.removeGate(at)
  expect(await outcome(member.read())).toBe('ok')
  await expect.poll(() => other.ctx.chatGates.rulesOf('lane')).toEqual({})
  expect(await owner.client.getGate(at)).toEqual({ read_words: '', post_words: '' })
  expect(await outcome(owner.client.getGate({ nftaddr: 'nowhere' }))).toBe('not_found')
})

test('a gate is tried before it is set: members who would be left out are counted, and nothing changes', async () => {
  const [owner, rich, poor] = await newCommunity(service, 'plaza', 4)
  await give(rich.address, 5)
  const body = { read: coins('5'), post: { wallets: [poor.address] } }
  expect(await owner.client.tryGate({ nftaddr: 'plaza', body })).toMatchObject({
    members: 5,
    asked: 5,
    no_read: 3,
    no_post: 4,
    unknown: 0,
    gate: { read_words: 'at least 5 GARD on Chain 31337' },
  })
  expect(await outcome(poor.read())).toBe('ok')
  proxy.intercept(() => ({ status: 500, body: '<html>' }))
  const unknown = { read: { any: [{ wallets: [poor.address] }, coins('7')] } }
  // What the contract says of itself is not read again.
  expect(await outcome(owner.client.tryGate({ nftaddr: 'plaza', body: unknown }))).toBe('bad_gateway')
})

test('tokens with ids: those of ERC-721 by their owners, those of ERC-1155 by their balances', async () => {
  const [, one, two] = await gated('club', {
    read: {
      any: [
        { chain: chain.chainId, contract: hats.address, standard: 'erc721', ids: ['7', '8'], min: '2' },
        { chain: chain.chainId, contract: badges.address, standard: 'erc1155', ids: ['3', '4'], min: '10' },
      ],
    },
  })
  for (const id of [7n, 9n]) await chain.write(hats, 'mint', [one.address, id])
  await chain.write(badges, 'mint', [two.address, 3n, 4n])
  expect([await outcome(one.read()), await outcome(two.read())]).toEqual(['forbidden', 'forbidden'])
  await chain.write(hats, 'mint', [one.address, 8n])
  await chain.write(badges, 'mint', [two.address, 4n, 6n])
  for (const { client } of [one, two])
    expect(await client.getGateStanding({ nftaddr: 'club' })).toMatchObject({ read: { open: true } })
  expect([await outcome(one.read()), await outcome(two.read())]).toEqual(['ok', 'ok'])
})

test('while the chain is away the last answer counts for ten minutes; then the chat is closed, but not to its owner or a list', async () => {
  const listed = newWallet()
  const [owner, rich, unknown] = await gated('pier', { read: { any: [coins('1'), { wallets: [listed] }] } })
  await give(rich.address, 1)
  expect(await outcome(rich.read())).toBe('ok')
  proxy.intercept(() => ({ status: 500, body: '<html>' }))
  expect(await outcome(unknown.read())).toBe('bad_gateway')
  await pass(590)
  expect(await outcome(rich.read())).toBe('ok')
  await pass(25)
  expect(await outcome(rich.read())).toBe('bad_gateway')
  expect(await outcome(owner.read())).toBe('ok')
  const asListed = await service.as(listed)
  expect(await outcome(asListed.getCommunity({ community: 'pier', address: listed }))).toBe('ok')
  expect((await unknown.client.getGateStanding({ nftaddr: 'pier' })).read).not.toHaveProperty('open')
  proxy.intercept(() => undefined)
  await pass(3)
  expect(await outcome(rich.read())).toBe('ok')
})

test('the chat of a coin is open to all until the owner of its contract sets a gate', async () => {
  const coin = await chain.deploy('Coins.sol', 'Coins', ['Tea', 'TEA', 6])
  const [owner, member] = [newWallet(), newWallet()]
  const [asOwner, asMember] = [await service.as(owner), await service.as(member)]
  const read = () => asMember.listGroupMessages({ address: coin.address, useraddress: member })
  expect(await outcome(read())).toBe('ok')
  await chain.write(coin, 'transferOwnership', [owner])
  await asOwner.claimChat({ nftaddr: coin.address })
  await asOwner.setGate({ nftaddr: coin.address, body: { read: coins('0.5', coin.address) } })
  expect(await outcome(read())).toBe('forbidden')
  await chain.write(coin, 'give', [member, 500_000n])
  await asMember.getGateStanding({ nftaddr: coin.address })
  expect(await outcome(read())).toBe('ok')
})

test('a hostile contract lets nobody in and takes little: it reverts, never ends, answers 100 MB, or changes its decimals', async () => {
  const hostile = await chain.deploy('Coins.sol', 'HostileCoin')
  const [owner, member] = await newCommunity(service, 'trap', 1)
  const body = { read: coins('1', hostile.address) }
  const gate = await owner.client.setGate({ nftaddr: 'trap', body })
  expect(gate.read).toMatchObject({ symbol: 'USDC', name: '', decimals: 18 })
  for (const mode of [1n, 2n, 3n]) {
    await chain.write(hostile, 'setMode', [mode])
    const { read } = await member.client.getGateStanding({ nftaddr: 'trap' })
    expect(read).toMatchObject({ open: false, conditions: [{ met: false, has: '0 USDC' }] })
  }
  await chain.write(gard, 'setDecimals', [0])
  const [first, , last] = await gated('fixed', { read: { wallets: [member.address] } })
  await chain.write(gard, 'setDecimals', [18])
  await first.client.setGate({ nftaddr: 'fixed', body: { read: coins('2') } })
  await chain.write(gard, 'setDecimals', [0])
  await chain.write(gard, 'give', [last.address, 2n])
  expect(await outcome(last.read())).toBe('forbidden')
  await chain.write(gard, 'setDecimals', [18])
})

test('a crowd is read in few calls', async () => {
  const people = Array.from({ length: 150 }, newWallet)
  await give(people[7]!, 5)
  const [owner] = await gated('crowd', { read: coins('5') })
  proxy.calls.length = 0
  const closed = await Promise.all(people.map((wallet) => service.ctx.gate.closedTo(wallet, ['crowd'])))
  expect(closed.filter((chats) => chats.length === 0)).toHaveLength(1)
  expect(closed[7]).toEqual([])
  expect(proxy.calls.length).toBeLessThan(30)
  expect(await outcome(owner.read())).toBe('ok')
})

test('a token that was borrowed for a while does not count where it must have been held', async () => {
  const cap = await chain.deploy('Coins.sol', 'Coins', ['Cap', 'CAP', 0])
  const [faithful, returned, late] = [newWallet(), newWallet(), newWallet()]
  const hold = (wallet: string, amount: bigint) => chain.write(cap, 'give', [wallet, amount])
  const later = (hours: number) => chain.client.increaseTime({ seconds: hours * 3600 })
  // The chain begins two days ago.
  await hold(faithful, 3n)
  await hold(returned, 3n)
  await later(10)
  await hold(returned, 0n)
  await later(32)
  for (const wallet of [returned, late]) await hold(wallet, 3n)
  const read = { ...coins('3', cap.address), held_hours: 24 }
  const at = { nftaddr: 'faithful' }
  const [owner] = await newCommunity(service, at.nftaddr, 1)
  proxy.intercept(({ method, params }) =>
    method === 'eth_call' && params[1] !== 'latest'
      ? { error: { code: -32_000, message: 'missing trie node 1f3a' } }
      : undefined,
  )
  await expect(owner.client.setGate({ ...at, body: { read } })).rejects.toMatchObject({
    errors: [{ pointer: '/body/read/held_hours', detail: expect.stringContaining('archive') }],
  })
  proxy.intercept(() => undefined)
  const set = await owner.client.setGate({ ...at, body: { read } })
  expect(set.read_words).toBe('at least 3 CAP on Chain 31337 held for 1 day')
  await expect.poll(() => other.ctx.chatGates.rulesOf(at.nftaddr)).not.toEqual({})
  for (const on of [service, other])
    for (const [wallet, open, least] of [
      [faithful, true, '3 CAP'],
      [returned, false, '0 CAP'],
      [late, false, '0 CAP'],
    ] as const)
      expect((await (await on.as(wallet)).getGateStanding(at)).read, wallet).toMatchObject({
        open,
        conditions: [{ met: open, has: '3 CAP', least, since: expect.stringMatching(/T\d\d:00:00\.000Z$/) }],
      })
  await hold(faithful, 0n)
  const standing = await (await service.as(faithful)).getGateStanding(at)
  expect(standing.read.open).toBe(true)
  await pass(61)
  expect((await (await service.as(faithful)).getGateStanding(at)).read).toMatchObject({ open: false })
})

test('the door of the chat of a collection says what it takes, and lets in who has just received a token', async () => {
  const wallet = newWallet()
  const client = await service.as(wallet)
  await client.joinChat({ body: { walletaddr: wallet, nftaddr: hats.address } })
  const standing = async () => (await client.getGateStanding({ nftaddr: hats.address })).read
  const words = 'a token of Hats on Chain 31337'
  const conditions = [{ words, met: false, has: 'no token' }]
  expect(await standing()).toEqual({ open: false, words, conditions, groups: [] })
  await chain.write(hats, 'mint', [wallet, 4711n])
  expect(await standing()).toMatchObject({ open: true, conditions: [{ met: true, has: 'a token' }] })
})

test('the example of the documentation is a gate', async () => {
  const page = readFileSync(new URL('../../../../docs/moderation.md', import.meta.url), 'utf8')
  const example = /## Who gets in[^]*?```json\n([^]*?)```/.exec(page)![1]!
  const body = JSON.parse(
    example
      .replaceAll('8453', String(chain.chainId))
      .replaceAll('0x6b175474e89094c44da98b954eedeac495271d0f', gard.address)
      .replaceAll('0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', hats.address),
  )
  const [owner] = await newCommunity(service, 'example', 1)
  const gate = await owner.client.setGate({ nftaddr: 'example', body })
  expect(gate.read_words).toBe('at least 100 GARD on Chain 31337, or to be one of 2 wallets')
  expect(gate.post_words).toBe('a token of Hats on Chain 31337')
})

test('a rule that is wrong is refused with the place of each fault, and nothing is stored', async () => {
  const cases = wrongRules(coins, { hats: hats.address, badges: badges.address })
  const owner = newWallet()
  const client = await service.as(owner)
  const nftaddr = 'faults'
  await client.createCommunity({ body: { community: nftaddr } })
  for (const [what, rule, pointer] of cases) {
    const read = JSON.parse(JSON.stringify(rule))
    await expect(client.setGate({ nftaddr, body: { read } }), what).rejects.toMatchObject({
      code: 'bad_request',
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
    })
  }
  expect(await client.getGate({ nftaddr })).toEqual({ read_words: '', post_words: '' })
})
