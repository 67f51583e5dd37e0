import type { ApiError, Client } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import {
  clientOf,
  newName,
  newWallet,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { issueToken } from '../../auth/tokens.ts'

const service = useService()
const other = useService({ beside: service })

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'sent',
    (error: ApiError) => error.code,
  )

async function newcomer() {
  const address = newWallet()
  const client = await service.as(address)
  return { address, client, send: (toaddr: string) => codeOf(write(client, address, toaddr)) }
}

const write = (client: Client, fromaddr: string, toaddr: string) =>
  client.sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })

async function newBot() {
  const bot = await newcomer()
  await bot.client.becomeBot()
  return bot
}

const storedBy = async (wallet: string) =>
  (
    await service.ctx.db.query<{ n: number }>(
      'select count(*)::integer as n from direct_messages where fromaddr = $1',
      [wallet],
    )
  )[0]!.n

test('a wallet makes itself a bot for good; repeating it changes nothing, and only a recent sign-in may', async () => {
  const { client, address } = await newcomer()
  expect(await client.getBot()).toEqual({ is_bot: false })
  const key = clientOf(service.app, { token: await newApiKeyOf(service, address, ['profile:write']) })
  await expect(key.becomeBot()).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('No API key'),
  })
  const old = await issueToken(service.ctx, address, { signedIn: Date.now() - 3_700_000 })
  await expect(clientOf(service.app, { token: old }).becomeBot()).rejects.toMatchObject({
    code: 'old_sign_in',
  })
  await expect(service.anonymous.becomeBot()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await client.getBot()).toEqual({ is_bot: false })
  for (let n = 0; n < 2; n++) expect(await client.becomeBot()).toEqual({ is_bot: true })
  for (const one of [client, key]) expect(await one.getBot()).toEqual({ is_bot: true })
  for (const method of ['DELETE', 'POST'] as const)
    expect((await service.app.inject({ method, url: '/v1/bot' })).statusCode).toBe(405)
  await client.signOutEverywhere()
  expect(await (await service.as(address)).getBot()).toEqual({ is_bot: true })
})

test('wherever a wallet is looked at, a bot is shown as one, and of people nothing is said', async () => {
  const [alice, bob, bot] = [await newcomer(), await newcomer(), await newBot()]
  const town = newName('Town')
  await alice.client.createCommunity({ body: { community: town } })
  for (const { client, address } of [alice, bob, bot])
    await client.joinChat({ body: { walletaddr: address, nftaddr: town } })
  const members = await alice.client.listMembers({ nftaddr: town })
  for (const one of members)
    expect(one, one.walletaddr).toEqual({
      walletaddr: one.walletaddr,
      name: '',
      logo: '',
      ...(one.walletaddr === bot.address && { is_bot: true }),
    })
  expect(members).toHaveLength(3)
  for (const [peer, is] of [[bot, true] as const, [bob, undefined] as const]) {
    const { address } = peer
    expect((await alice.client.getTrust({ peer: address }))[0]!.is_bot).toBe(is)
    expect(await alice.client.getConversation({ toaddr: address })).toEqual(is ? { is_bot: true } : {})
  }
  const ask = (addresses: string) => alice.client.listBots({ query: { addresses } })
  const checksummed = bot.address.toUpperCase().replace('0X', '0x')
  expect(await ask([alice.address, checksummed, bob.address].join(' '))).toEqual([bot.address])
  expect(await ask(bob.address)).toEqual([])
  for (const wrong of ['', ' ', `${bob.address} `, `${bob.address}\n`, Array(51).fill(bob.address).join(' ')])
    await expect(ask(wrong), wrong).rejects.toMatchObject({ code: 'bad_request' })
})

test('a bot answers who wrote, and itself; it cannot tell that it is accepted, ignored or blocked', async () => {
  const bot = await newBot()
  const [alice, bob, carol] = [await newcomer(), await newcomer(), await newcomer()]
  expect(await bot.send(bot.address)).toBe('sent')
  await expect(write(bot.client, bot.address, alice.address)).rejects.toMatchObject({
    status: 403,
    code: 'not_asked',
    message: expect.stringContaining('a bot begins no conversations'),
  })
  expect(await alice.send(bot.address)).toBe('sent')
  expect(await bot.send(alice.address)).toBe('sent')
  for (const state of ['accepted', 'ignored', 'unknown', 'blocked'] as const) {
    for (const one of [alice, bob]) await one.client.setContact({ peer: bot.address, body: { state } })
    expect([await bot.send(alice.address), await bot.send(bob.address)]).toEqual(['sent', 'not_asked'])
  }
  expect(await bot.send(carol.address)).toBe('not_asked')
})

test('what it began as a person ends with becoming a bot, until the other answers', async () => {
  const [bot, alice] = [await newcomer(), await newcomer()]
  expect(await bot.send(alice.address)).toBe('sent')
  await bot.client.becomeBot()
  expect(await bot.send(alice.address)).toBe('not_asked')
  expect(await alice.send(bot.address)).toBe('sent')
  expect(await bot.send(alice.address)).toBe('sent')
})

test('of ten first messages at once to each of ten wallets, on two instances, none is stored', async () => {
  const bot = await newBot()
  const clients = [bot.client, await other.as(bot.address)]
  await expect.poll(async () => (await clients[1]!.getBot()).is_bot, { timeout: 2_500 }).toBe(true)
  const peers = Array.from({ length: 10 }, newWallet)
  const codes = await Promise.all(
    peers.flatMap((peer) =>
      Array.from({ length: 10 }, (_, n) => codeOf(write(clients[n % 2]!, bot.address, peer))),
    ),
  )
  expect(new Set(codes)).toEqual(new Set(['not_asked']))
  expect(await storedBy(bot.address)).toBe(0)
  const rows = await service.ctx.db.query('select 1 as one from conversations where $1 in (a, b)', [
    bot.address,
  ])
  expect(rows).toEqual([])
})

test('an instance that starts later knows all bots, also while the database shows nothing new', async () => {
  const bot = await newBot()
  await service.ctx.db.query('update bots set since_ms = 1')
  await using late = await startService({ beside: service })
  expect(await codeOf(write(await late.as(bot.address), bot.address, newWallet()))).toBe('not_asked')
})

test('erasing ends it on every instance, and a mark that is made meanwhile is not left over', async () => {
  const bot = await newBot()
  const elsewhere = () => other.as(bot.address)
  await expect.poll(async () => (await (await elsewhere()).getBot()).is_bot, { timeout: 2_500 }).toBe(true)
  await bot.client.eraseAccount({ address: bot.address })
  for (const where of [service, other]) {
    const client = await where.as(bot.address)
    expect(await client.getBot()).toEqual({ is_bot: false })
    expect(await codeOf(write(client, bot.address, newWallet()))).toBe('sent')
  }
  for (let n = 0; n < 5; n++) {
    const { client, address } = await newcomer()
    await Promise.allSettled([client.becomeBot(), client.eraseAccount({ address })])
    expect(await (await service.as(address)).getBot()).toEqual({ is_bot: false })
  }
})
