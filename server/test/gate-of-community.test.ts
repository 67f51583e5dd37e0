// Nothing of a community with a gate reaches a member that has lost what the gate asks for, by any endpoint of the contract and
// by any stream. The calls are made from the contract, as for chats of holders (gate.test.ts).

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asked, holder, peer, requestsAbout } from '../../testing/cases/gate-calls.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { listenTo } from '../../testing/service/event-listener.ts'
import { unzip } from '../../testing/service/files.ts'
import { newToken, newWallet, useService } from '../../testing/service/service.ts'
import { enqueue } from '../src/jobs/queue.ts'

const former = newWallet()
const [town, room] = ['vault', 'vault/safe']
const secrets = ['the first secret', 'the second secret']
const name = 'poster of secrets'
const marks: string[] = []
let smtp: Awaited<ReturnType<typeof startSmtp>>

beforeAll(async () => void (smtp = await startSmtp()))
afterAll(() => smtp[Symbol.asyncDispose]())
const service = useService(() => ({ smtpUrl: smtp.url, tickEvery: 50 }))
beforeAll(async () => {
  await service.ctx.db.query(`select setval('item_numbers', 900000000)`)
  const asHolder = await service.as(holder)
  const asFormer = await service.as(former)
  await asHolder.createCommunity({ body: { community: town } })
  await asHolder.createRoom({ community: town, body: { room: 'safe' } })
  for (const [client, walletaddr] of [
    [asHolder, holder],
    [asFormer, former],
  ] as const)
    for (const nftaddr of [town, room]) await client.joinChat({ body: { walletaddr, nftaddr } })
  await asHolder.setName({ body: { address: holder, name } })
  for (const [i, message] of secrets.entries()) {
    const nftaddr = [town, room][i]!
    const [item] = await asHolder.postGroupMessage({ body: { fromaddr: holder, nftaddr, message } })
    marks.push(message, String(item!.id), item!.timestamp, String(Date.parse(item!.timestamp)))
  }
  marks.push(name)
  expect(await asFormer.countUnread({ address: former })).toBe(2)
  await asHolder.setGate({ nftaddr: town, body: { read: { wallets: [newWallet()] } } })
})

const found = (text: string) => marks.filter((mark) => text.includes(mark))

async function ask(wallet: string, endpointName: keyof typeof contract, chat: string): Promise<string> {
  const { produces }: Endpoint = contract[endpointName]
  const authorization = `Bearer ${await newToken(service.ctx, wallet)}`
  const seen: string[] = []
  for (const request of requestsAbout(endpointName, chat, wallet)) {
    const { headers, rawPayload } = await service.app.inject({ ...request, headers: { authorization } })
    const isArchive = produces === 'application/zip' && rawPayload[0] === 0x50
    const files = isArchive ? await unzip(rawPayload) : new Map()
    seen.push(JSON.stringify(headers), String(rawPayload), ...Array.from(files.values(), String))
  }
  return seen.join('\n')
}

test.each(asked)('a member that the gate leaves out learns nothing by %s', async (endpointName) => {
  for (const chat of [town, room]) expect(found(await ask(former, endpointName, chat))).toEqual([])
})

test('its counts are zero, its inbox rows are empty, and a search finds nothing; the owner sees all', async () => {
  const client = await service.as(former)
  const rows = await client.getInbox({ address: former })
  expect(rows.map(({ message, unread, fromaddr }) => [message, unread, fromaddr])).toEqual([
    ['', 0, ''],
    ['', 0, ''],
  ])
  const counts = [
    client.countUnread({ address: former }),
    client.countUnreadTotal({ address: former }),
    client.countUnreadByType({ address: former, type: 'community' }),
    client.countUnreadOfChat({ address: town, useraddress: former }),
    service.anonymous.countUnreadOfChat({ address: town, useraddress: former }),
  ]
  expect(new Set(await Promise.all(counts))).toEqual(new Set([0]))
  expect(found(await ask(holder, 'listGroupMessages', town))).toContain(secrets[0])
})

test('streams and mails of such a member say nothing of a post', async () => {
  const client = await service.as(former)
  await using live = await listenTo(service, former)
  await using resumed = await listenTo(service, former, { lastEventId: '0' })
  await using ofHolder = await listenTo(service, holder)
  await client.updateSettings({ body: { walletaddr: former, email: 'former@example.org', notify24: 'true' } })
  await service.ctx.db.query('update settings set verified = true where walletaddr = $1', [former])
  const message = `@${former} a live secret`
  await (await service.as(holder)).postGroupMessage({ body: { fromaddr: holder, nftaddr: room, message } })
  await expect.poll(() => ofHolder.messages()).toEqual([message])
  await enqueue(service.ctx.db, 'send-daily-summary', { walletaddr: former })
  await service.runJobs()
  // What comes last has come after everything else.
  const body = { fromaddr: peer, toaddr: former, message: 'a direct message' }
  await (await service.as(peer)).sendDirectMessage({ body })
  for (const stream of [live, resumed]) {
    await expect.poll(() => stream.messages().at(-1)).toBe('a direct message')
    expect(JSON.stringify(stream.received)).not.toContain('secret')
  }
  await service.runJobs()
  expect(JSON.stringify(smtp.inbox.map(({ mail }) => mail))).not.toContain('unread')
})
