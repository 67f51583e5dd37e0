// Nothing of a chat with a gate reaches a wallet that may not read it, by any endpoint and by any
// event. The calls of endpoints are made from the contract; a new event must be entered here.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ServiceEvent } from '@parley/sdk/contract/events.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { asked, holder, peer, requestsAbout } from '../../testing/cases/gate-calls.ts'
import { startChain } from '../../testing/chains/chain.ts'
import { listenTo } from '../../testing/service/event-listener.ts'
import { type RpcProxy, startRpcProxy } from '../../testing/service/proxies.ts'
import { newToken, newWallet, type Service, useService } from '../../testing/service/service.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { unzip } from '../../testing/service/files.ts'
import { enqueue } from '../src/jobs/queue.ts'

type EndpointName = keyof typeof contract

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'
const [former, stranger] = [newWallet(), newWallet()]
const secrets = ['the first secret', 'the second secret']
const name = 'poster of secrets'

const events: Record<ServiceEvent['type'], string> = {
  'group-message': 'of a chat',
  'post-removed': 'of a chat',
  edited: 'of a chat',
  reacted: 'of a chat',
  'reacted-mine': 'what the wallet itself did',
  pinned: 'of a chat',
  unpinned: 'of a chat',
  typing: 'of a chat',
  official: 'the team of the service is public',
  inbox: 'what the wallet itself did',
  rooms: 'of a community, which is no chat of an NFT',
  imported: 'of communities, into which histories are imported',
  'direct-message': 'direct messages',
  read: 'direct messages',
  'read-to': 'direct messages',
  deleted: 'direct messages',
  'conversation-deleted': 'direct messages',
  hidden: 'direct messages',
  'conversation-hidden': 'direct messages',
  contact: 'what a wallet says of itself',
  notice: 'what operators did',
  resync: 'has no content',
}

const stack = new AsyncDisposableStack()
let proxy: RpcProxy
let smtp: Awaited<ReturnType<typeof startSmtp>>
/** While `former` holds a token, and after it has given it away. */
let nftaddr: string
let send: (functionName: string, args: unknown[]) => Promise<void>
/** Everything that must not be told: texts, the poster, ids and times. */
const marks: string[] = []

let rpcUrls: Record<string, string>
beforeAll(async () => {
  const chain = stack.use(await startChain())
  proxy = stack.use(await startRpcProxy(chain.url))
  smtp = stack.use(await startSmtp())
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Hats'])
  nftaddr = hats.address
  send = (functionName, args) => chain.write(hats, functionName, args)
  await send('mint', [holder, 1n])
  await send('mint', [former, 2n])
  rpcUrls = { [chain.chainId]: proxy.url }
})
afterAll(async () => {
  vi.restoreAllMocks()
  await stack.disposeAsync()
})
const options = () => ({ rpcUrls: { ...rpcUrls }, adminApiKey, smtpUrl: smtp.url, tickEvery: 50 })
const before = useService(options)
beforeAll(async () => {
  // Ids that are like no other number in an answer.
  await before.ctx.db.query(`select setval('item_numbers', 900000000)`)
  for (const walletaddr of [holder, former, stranger])
    await (await before.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
  await (await before.as(holder)).setName({ body: { address: holder, name } })
  await post(before, former, 'my own')
  for (const secret of secrets) await post(before, holder, secret)
  marks.push(holder, name)
  await send('move', [newWallet(), 2n])
})
const service = useService(() => ({ ...options(), beside: before }))
afterEach(() => {
  proxy.intercept(() => undefined)
})

async function post(through: Service, fromaddr: string, message: string) {
  const [item] = await (await through.as(fromaddr)).postGroupMessage({ body: { fromaddr, nftaddr, message } })
  if (fromaddr !== holder) return
  const { id, timestamp } = item!
  marks.push(message, String(id), timestamp, String(Date.parse(timestamp)))
}

const realNow = performance.now.bind(performance)
let passed = 0
/** Lets so many seconds pass for what the gate remembers. */
async function pass(seconds: number) {
  passed += seconds * 1000
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passed)
  await sleep(5)
}

const found = (text: string) => marks.filter((mark) => text.includes(mark))

/** What an endpoint returns to a wallet: all that it sees. */
async function ask(through: Service, wallet: string, endpointName: EndpointName): Promise<string> {
  const { produces }: Endpoint = contract[endpointName]
  const authorization = `Bearer ${await newToken(through.ctx, wallet)}`
  const seen: string[] = []
  for (const request of requestsAbout(endpointName, nftaddr, wallet)) {
    const { headers, rawPayload } = await through.app.inject({ ...request, headers: { authorization } })
    const files =
      produces === 'application/zip' && rawPayload[0] === 0x50 ? await unzip(rawPayload) : new Map()
    seen.push(JSON.stringify(headers), String(rawPayload), ...Array.from(files.values(), String))
  }
  return seen.join('\n')
}

test('every event of the contract is entered here', () => {
  const types = ServiceEvent.anyOf.map(({ properties }) => properties.type.const)
  expect(Object.keys(events).toSorted()).toEqual(types.toSorted())
})

describe.each([
  ['a stranger that has a bookmark', stranger],
  ['a former holder', former],
])('%s', (_, wallet) => {
  test.each(asked)('learns nothing of what others wrote by %s', async (endpointName) => {
    expect(found(await ask(service, wallet, endpointName))).toEqual([])
  })

  test('sees the chat in its inbox like one without messages, and counts that agree', async () => {
    const client = await service.as(wallet)
    const inbox = await client.getInbox({ address: wallet })
    expect(inbox).toMatchObject([
      {
        id: 0,
        context_type: 'nft',
        nftaddr,
        type: '',
        message: '',
        fromaddr: '',
        sender_name: '',
        timestamp: '',
        unread: 0,
        read: true,
      },
    ])
    expect(await client.listBookmarks({ address: wallet })).toMatchObject([{ nftaddr }])
    const counts = [
      client.countUnread({ address: wallet }),
      client.countUnreadTotal({ address: wallet }),
      client.countUnreadByType({ address: wallet, type: 'all' }),
      client.countUnreadByType({ address: wallet, type: 'nft' }),
      client.countUnreadOfNftChats({ address: wallet }),
      client.countUnreadOfChat({ address: nftaddr, useraddress: wallet }),
      service.anonymous.countUnreadOfChat({ address: nftaddr, useraddress: wallet }),
    ]
    expect(new Set(await Promise.all(counts))).toEqual(new Set([0]))
  })

  test('is refused when it lists, posts or types', async () => {
    const client = await service.as(wallet)
    for (const attempt of [
      () => client.listGroupMessages({ address: nftaddr, useraddress: wallet }),
      () => client.postGroupMessage({ body: { fromaddr: wallet, nftaddr, message: 'let me in' } }),
      () => client.sendTyping({ body: { fromaddr: wallet, nftaddr } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is told nothing by events, live or missed', async () => {
    await using live = await listenTo(service, wallet)
    await using ofHolder = await listenTo(service, holder)
    await using resumed = await listenTo(service, wallet, { lastEventId: '0' })
    const asHolder = await service.as(holder)
    const text = `live, not for ${wallet}`
    await post(service, holder, text)
    await expect.poll(() => ofHolder.messages()).toEqual([text])
    const posts = await asHolder.listGroupMessages({ address: nftaddr, useraddress: holder })
    await asHolder.removePost({ nftaddr, id: posts.at(-1)!.id })
    await expect.poll(() => ofHolder.events().at(-1)?.type).toBe('post-removed')
    await asHolder.sendTyping({ body: { fromaddr: holder, nftaddr } })
    // What comes last has come after everything else.
    const after = { fromaddr: peer, toaddr: wallet, message: 'a direct message' }
    await (await service.as(peer)).sendDirectMessage({ body: after })
    for (const stream of [live, resumed]) {
      await expect.poll(() => stream.messages().at(-1)).toBe('a direct message')
      expect(found(JSON.stringify(stream.received))).toEqual([])
      expect(stream.events().map(({ type }) => type)).not.toContain('post-removed')
    }
    await (await service.as(peer)).deleteConversation({ fromaddr: peer, toaddr: wallet })
  })

  test('gets no mail that tells of it', async () => {
    const body = { walletaddr: wallet, email: `${wallet}@example.org`, notify24: 'true' } as const
    await (await service.as(wallet)).updateSettings({ body })
    await service.ctx.db.query('update settings set verified = true where walletaddr = $1', [wallet])
    await enqueue(service.ctx.db, 'send-daily-summary', { walletaddr: wallet })
    await service.runJobs()
    const subjects = smtp.inbox.map(({ mail }) => mail.subject)
    expect(subjects.filter((subject) => /unread/i.test(subject ?? ''))).toEqual([])
  })
})

test('a former holder keeps its own messages in its export', async () => {
  expect(await ask(service, former, 'exportAccount')).toContain('my own')
})

test('a holder sees, counts and hears all of it', async () => {
  const seen = await Promise.all(
    (['listGroupMessages', 'getInbox'] as const).map((each) => ask(service, holder, each)),
  )
  for (const text of seen) expect(found(text)).toEqual(expect.arrayContaining([holder, name]))
  const [asHolder, other] = [await service.as(holder), newWallet()]
  await send('mint', [other, 77n])
  const asOther = await service.as(other)
  await asOther.joinChat({ body: { walletaddr: other, nftaddr } })
  expect(await asOther.countUnread({ address: other })).toBeGreaterThan(2)
  expect(await asOther.countUnread({ address: other })).toBe(
    await asOther.countUnreadOfNftChats({ address: other }),
  )
  await using live = await listenTo(service, other)
  await using resumed = await listenTo(service, other, { lastEventId: '0' })
  await expect.poll(() => resumed.messages()).toEqual(expect.arrayContaining(secrets))
  await post(service, holder, 'for holders')
  await expect.poll(() => live.messages()).toEqual(['for holders'])
  // More than one a second are dropped, also of those before.
  const seesTyping = async () => {
    await asHolder.sendTyping({ body: { fromaddr: holder, nftaddr } })
    return live.events().some(({ type }) => type === 'typing')
  }
  await expect.poll(seesTyping, { timeout: 5_000 }).toBe(true)
})

test('who sells its token hears no more after a minute, on a stream that stays open; who buys it again is told to read again', async () => {
  const [seller, buyer] = [newWallet(), newWallet()]
  await send('mint', [seller, 99n])
  for (const walletaddr of [seller, buyer])
    await (await service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
  await using ofSeller = await listenTo(service, seller)
  await using ofBuyer = await listenTo(service, buyer)
  await using ofHolder = await listenTo(service, holder)
  await post(service, holder, 'while it holds')
  await expect.poll(() => ofSeller.messages()).toEqual(['while it holds'])

  await send('move', [buyer, 99n])
  await pass(61)
  await post(service, holder, 'after the sale')
  await expect.poll(() => ofHolder.messages()).toEqual(['while it holds', 'after the sale'])
  await expect.poll(() => ofBuyer.messages()).toEqual(['after the sale'])
  expect(ofBuyer.events().map(({ type }) => type)).toContain('resync')
  expect(ofSeller.messages()).toEqual(['while it holds'])
  await using resumed = await listenTo(service, seller, { lastEventId: ofSeller.state.lastId })
  await (
    await service.as(peer)
  ).sendDirectMessage({ body: { fromaddr: peer, toaddr: seller, message: 'done' } })
  await expect.poll(() => resumed.messages()).toEqual(['done'])

  await send('move', [seller, 99n])
  // Without a new message: closed gates are tried again now and then.
  await pass(61)
  await expect.poll(() => ofSeller.events().at(-1)?.type, { timeout: 10_000 }).toBe('resync')
  await post(service, holder, 'bought again')
  await expect.poll(() => ofSeller.messages()).toEqual(['while it holds', 'done', 'bought again'])
})

test('while a gate is asked the events of that wallet wait in their order, and those of others do not', async () => {
  await using ofHolder = await listenTo(service, holder)
  await using ofPeer = await listenTo(service, peer)
  await pass(61)
  await before.ctx.gate.closedTo(holder, [nftaddr])
  proxy.intercept(() => 'hang')
  await post(before, holder, 'first')
  const began = Date.now()
  const body = { fromaddr: peer, toaddr: holder, message: 'second' }
  await (await service.as(peer)).sendDirectMessage({ body })
  await expect.poll(() => ofPeer.messages()).toEqual(['second'])
  expect(Date.now() - began).toBeLessThan(1_000)
  expect(ofHolder.messages()).toEqual([])
  // The last answer is a minute old, and counts while the chain does not answer.
  await expect.poll(() => ofHolder.messages(), { timeout: 5_000 }).toEqual(['first', 'second'])
  await expect.poll(() => service.ctx.gate.isSettled(nftaddr, holder), { timeout: 10_000 }).toBe(true)
})

test('while the chain is away streams go on for ten minutes, then are silent, and told to read again when it is back', async () => {
  await using stream = await listenTo(service, holder)
  await pass(61)
  await post(service, holder, 'the chain is there')
  await expect.poll(() => stream.messages()).toEqual(['the chain is there'])
  proxy.intercept(() => ({ status: 500, body: '<html>' }))
  await pass(540)
  await post(service, holder, 'nine minutes')
  await expect.poll(() => stream.messages()).toEqual(['the chain is there', 'nine minutes'])
  await pass(120)
  const asHolder = await service.as(holder)
  await expect(asHolder.listGroupMessages({ address: nftaddr, useraddress: holder })).rejects.toMatchObject({
    code: 'bad_gateway',
  })
  // Through the other instance, which has an answer of its own.
  proxy.intercept(() => undefined)
  await before.ctx.gate.closedTo(holder, [nftaddr])
  proxy.intercept(() => ({ status: 500, body: '<html>' }))
  await post(before, holder, 'eleven minutes')
  await (
    await service.as(peer)
  ).sendDirectMessage({ body: { fromaddr: peer, toaddr: holder, message: 'hello' } })
  await expect.poll(() => stream.messages()).toEqual(['the chain is there', 'nine minutes', 'hello'])
  proxy.intercept(() => undefined)
  await pass(31)
  await expect.poll(() => stream.events().at(-1)?.type, { timeout: 10_000 }).toBe('resync')
})
