// What one wallet may store, begin and make, and what it is told when that is used up.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@parley/sdk'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test } from 'vitest'
import { requestOf } from '../../testing/cases/callers.ts'
import { newHookOf } from '../../testing/people/secrets.ts'
import { newToken, newWallet, type Service, startService, useService } from '../../testing/service/service.ts'
import { addUsage, deleteOldUsage, erasureHash, none, rowOfErased } from '../src/limits/daily-usage.ts'
import { dayOf } from '../src/db/clock.ts'

const rate = { burst: 100_000, perSecond: 100_000 }
const settings = { rateLimits: true, readLimit: rate, writeLimit: rate, accountLimit: rate }
type Settings = Parameters<typeof startService>[0]
const start = (more: Settings = {}) => startService({ ...settings, ...more })
const shared = useService({
  ...settings,
  strangersADay: 3,
  commentsADay: 4,
  communitiesADay: 3,
  communitiesInAll: 5,
  bookmarksInAll: 4,
  refreshEvery: 20,
})

const person = async (service: Service) => {
  const address = newWallet()
  const client = await service.as(address)
  return { address, client, write: writer(client, address) }
}
const writer =
  (client: Client, fromaddr: string) =>
  async (toaddr: string, message = 'gm', idempotencyKey?: string) =>
    (
      await client.sendDirectMessage(
        { body: { fromaddr, toaddr, message } },
        idempotencyKey === undefined ? {} : { idempotencyKey },
      )
    )[0]!

/** How many of many calls at once succeeded; the others were refused with this. */
async function together(calls: Promise<unknown>[], refusal: object): Promise<number> {
  const settled = await Promise.allSettled(calls)
  for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject(refusal)
  return settled.filter(({ status }) => status === 'fulfilled').length
}

const usageOf = (service: Service, wallet: string) =>
  service.ctx.db.query<{ bytes: number; strangers: number; comments: number }>(
    'select bytes, strangers, comments from wallet_usage where walletaddr = $1',
    [wallet],
  )
const used = (service: Service, wallet: string, counts: object) =>
  expect.poll(() => usageOf(service, wallet), { timeout: 5_000 }).toEqual([expect.objectContaining(counts)])

const writing = Object.entries<Endpoint>(contract).filter(([, { method }]) => method !== 'GET')

test('what stores what it is sent counts its bytes, for the wallet that calls', () => {
  for (const [name, { quotas, access, byHook }] of writing)
    if (quotas) expect([name, quotas[0], access === 'public']).toEqual([name, 'bytes', byHook ?? false])
})

test('each of them is refused when the day is used up, until midnight; reads, deletions and marks go on', async () => {
  await using service = await start({ storedADay: 1 })
  const { db } = service.ctx
  const counted = await Promise.all(
    writing
      .filter(([, { quotas }]) => quotas)
      .map(async ([name, endpoint]) => Object.assign(await person(service), { name, endpoint })),
  )
  const full = { ...none(), bytes: 2 ** 20 - 1 }
  await addUsage(
    db,
    dayOf(db.now()),
    counted.map(({ address }) => ({ walletaddr: address, ...full })),
  )
  // An instance learns with the first write what others have counted.
  const [first] = await Promise.all(counted.map(({ address, write }) => write(address)))
  for (const { name, endpoint, address } of counted) {
    const answered = expect.poll(async () => {
      const answer = await service.app.inject(await requestBy(service, endpoint, address))
      return [
        name,
        answer.statusCode,
        answer.json().detail,
        dayOf(db.now() + Number(answer.headers['retry-after']) * 1000),
      ]
    })
    await answered.toEqual([
      name,
      429,
      expect.stringMatching(
        /^Your wallet may store 1 MiB a day, and this would be more\. It may do so again after 00:00 UTC, in \d+ (h|min)\.$/,
      ),
      dayOf(db.now()) + 1,
    ])
  }
  const { client, address } = counted[0]!
  expect(await client.getInbox({ address })).not.toEqual([])
  await client.deleteDirectMessage({ id: first!.id })
  await client.eraseAccount({ address })
  const again = await service.as(address)
  await expect(writer(again, address)(address)).rejects.toMatchObject({ status: 429 })
  await db.query('update wallet_usage set day = day - 1')
  await deleteOldUsage(db)
  expect(await db.query('select * from wallet_usage')).toEqual([])
})

test('what a wallet has used counts also while its account is erased, and after an erasure that failed', async () => {
  const { address } = await person(shared)
  const { quotas } = shared.ctx
  const who = { caller: address, network: '198.51.100.7', site: undefined }
  for (let n = 0; n < 3; n++) quotas.countUsed('strangers', who)
  await used(shared, address, { strangers: 3 })
  const failing = quotas.erase(address, async () => {
    quotas.countUsed('strangers', who)
    await used(shared, rowOfErased(erasureHash(shared.ctx.config.jwtSecret, address)), { strangers: 1 })
    await sleep(50)
    expect(quotas.hasLeft('strangers', who)).toBe(false)
    throw new Error('the database is away')
  })
  await expect(failing).rejects.toThrow('the database is away')
  expect(quotas.hasLeft('strangers', who)).toBe(false)
  await used(shared, address, { strangers: 3 })
})

/** A request about the wallet itself. */
const requestBy = async (service: Service, endpoint: Endpoint, address: string) => ({
  ...requestOf(endpoint, address, {
    addr: address,
    ...(endpoint.byHook && { secret: await newHookOf(service, address, newWallet()) }),
  }),
  headers: { authorization: `Bearer ${await newToken(service.ctx, address)}` },
})

test('what is refused for another reason, or was done before, uses nothing', async () => {
  const { address, client, write } = await person(shared)
  for (let n = 0; n < 3; n++) await write(address, 'gm', 'one-key')
  const comment = { fromaddr: address, message: 'What a hat.', nftaddr: newWallet(), nftid: 7 }
  await client.createComment({ body: comment })
  await expect(client.createComment({ body: { ...comment, nftid: -1 } })).rejects.toMatchObject({
    status: 400,
  })
  const bytes = [{ fromaddr: address, toaddr: address, message: 'gm' }, comment].map(
    (body) => JSON.stringify(body).length,
  )
  await used(shared, address, { bytes: bytes[0]! + bytes[1]!, strangers: 0, comments: 1 })
})

test('a wallet begins so many conversations a day; those that it knows, answers and notes go on', async () => {
  const [alice, bob, carol] = [await person(shared), await person(shared), await person(shared)]
  await bob.write(alice.address)
  const known = [newWallet(), newWallet(), newWallet()]
  for (const peer of known) for (let n = 0; n < 3; n++) await alice.write(peer)
  const refusal = {
    status: 429,
    message: expect.stringMatching(
      /^Your wallet may begin 3 conversations a day, and has .* in \d+ (h|min)\.$/,
    ),
  }
  const dave = newWallet()
  for (const key of [undefined, 'a-key', 'a-key'])
    await expect(alice.write(dave, 'gm', key)).rejects.toMatchObject(refusal)
  // At once, so in one batch, together with others who may.
  const batch = await Promise.all([
    together(
      Array.from({ length: 20 }, (_, n) => alice.write(newWallet(), 'gm', n % 2 ? `key-${n}` : undefined)),
      refusal,
    ),
    together(
      [...known, bob.address, alice.address].map((peer) => alice.write(peer)),
      refusal,
    ),
    together(
      Array.from({ length: 2 }, () => carol.write(newWallet())),
      refusal,
    ),
  ])
  expect(batch).toEqual([0, 5, 2])
  expect(
    await shared.ctx.db.query('select 1 as one from conversations where a = $1 or b = $1', [dave]),
  ).toEqual([])
  // Once the other one has written.
  await carol.write(alice.address)
  await alice.write(carol.address)
  await used(shared, alice.address, { strangers: 3 })
  await used(shared, bob.address, { strangers: 1 })
})

test('many messages at once to new wallets and known ones count each conversation once', async () => {
  await using service = await start({ beside: shared, strangersADay: 100 })
  const [alice, bob] = [await person(service), await person(service)]
  await alice.write(alice.address)
  const peers = Array.from({ length: 12 }, newWallet)
  for (const keyed of [true, false])
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => alice.write(peers[n % 12]!, 'gm', keyed ? `key-${n}` : undefined)),
    )
  await Promise.all(Array.from({ length: 40 }, () => bob.write(bob.address)))
  await used(service, alice.address, { strangers: 12 })
  await used(service, bob.address, { strangers: 0 })
})

test('two instances count together, and a restart forgets nothing that it could store', async () => {
  const one = shared
  const address = newWallet()
  const commentOn = (client: Client) =>
    client.createComment({ body: { fromaddr: address, message: 'gm', nftaddr: address, nftid: 1 } })
  const refusal = {
    status: 429,
    message: expect.stringMatching(/^Your wallet may write 4 comments a day, and has written them\. /),
  }
  {
    await using two = await start({ commentsADay: 4, beside: one })
    for (const service of [one, two]) await commentOn(await service.as(address))
    await used(one, address, { comments: 2 })
    await commentOn(await two.as(address))
  }
  expect(await usageOf(one, address)).toMatchObject([{ comments: 3 }])
  await commentOn(await one.as(address))
  await used(one, address, { comments: 4 })
  await expect(commentOn(await one.as(address))).rejects.toMatchObject(refusal)
  // It learns with the first write what others have counted.
  await using three = await start({ commentsADay: 4, beside: one })
  await commentOn(await three.as(address))
  await used(one, address, { comments: 5 })
  await sleep(100)
  await expect(commentOn(await three.as(address))).rejects.toMatchObject(refusal)
})

test('communities are counted exactly, a day and in all, from however many requests at once', async () => {
  const { address, client } = await person(shared)
  const create = (community: string) => client.createCommunity({ body: { community, social: [] } })
  const town = (n: number) => `Town-${n}-${address.slice(2, 12)}`
  const aDay = {
    status: 429,
    message: expect.stringMatching(/^Your wallet may create 3 communities a day, and has created them\. /),
  }
  const many = (from: number, refusal: object) =>
    together(
      Array.from({ length: 8 }, (_, n) => create(town(from + n))),
      refusal,
    )
  expect(await many(0, aDay)).toBe(3)
  // Not a new one, and one that another wallet has.
  const [{ community }] = (await shared.ctx.db.query<{ community: string }>(
    'select community from communities where creator = $1',
    [address],
  )) as [{ community: string }]
  await create(community)
  const other = await person(shared)
  await expect(other.client.createCommunity({ body: { community } })).rejects.toMatchObject({ status: 409 })
  await shared.ctx.db.query('update wallet_usage set day = day - 1')
  const inAll = {
    code: 'limit_reached',
    message: 'You have already created 5 communities, the maximum. Another wallet may create it.',
  }
  expect(await many(10, inAll)).toBe(2)
})

test('a wallet has so many bookmarks, from however many requests at once, and leaving a chat makes room', async () => {
  const { address, client } = await person(shared)
  const join = (nftaddr: string) => client.joinChat({ body: { walletaddr: address, nftaddr } })
  const refusal = {
    code: 'limit_reached',
    message: 'You already have 4 bookmarks, the maximum. Leave a chat first (POST /v1/delete_bookmark).',
  }
  expect(
    await together(
      Array.from({ length: 12 }, () => join(newWallet())),
      refusal,
    ),
  ).toBe(4)
  const joined = await client.listBookmarks({ address })
  expect(joined).toHaveLength(4)
  const { nftaddr } = joined[0]!
  await join(nftaddr)
  await client.leaveChat({ body: { walletaddr: address, nftaddr } })
  await join(newWallet())
  await expect(join(nftaddr)).rejects.toMatchObject(refusal)
})

test('with RATE_LIMITS=off no quota of a day holds, and those in all do', async () => {
  await using service = await start({
    rateLimits: false,
    strangersADay: 1,
    commentsADay: 1,
    communitiesADay: 1,
    communitiesInAll: 2,
    strangersOfAddress: 1,
    commentsOfAddress: 1,
    communitiesOfAddress: 1,
  })
  const { address, client, write } = await person(service)
  for (let n = 0; n < 3; n++) {
    await write(newWallet())
    await client.createComment({ body: { fromaddr: address, message: 'gm', nftaddr: address, nftid: n } })
  }
  for (const n of [1, 2]) await client.createCommunity({ body: { community: `Off-${n}` } })
  await expect(client.createCommunity({ body: { community: 'Off-3' } })).rejects.toMatchObject({
    code: 'limit_reached',
  })
})

test('while the table is out of reach wallets are counted in memory, and later in the table', async () => {
  const { address, client } = await person(shared)
  const comment = () =>
    client.createComment({ body: { fromaddr: address, message: 'gm', nftaddr: address, nftid: 1 } })
  await shared.ctx.db.query('alter table wallet_usage rename to away')
  for (let n = 0; n < 4; n++) await comment()
  await sleep(500)
  await expect(comment()).rejects.toMatchObject({ status: 429 })
  await shared.ctx.db.query('alter table away rename to wallet_usage')
  await used(shared, address, { comments: 4 })
})

test('of every table the documentation says how many rows a wallet can make', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/security.md'), 'utf8')
  const rows = page.split('How many rows one wallet can make')[1]!.split('\n\n')[1]!.split('\n')
  const listed = rows.flatMap((row) => [...row.split(': ')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  const tables = await shared.ctx.db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  // That one is made when a database is moved onto a cluster.
  const made = new Set([...tables.map(({ name }) => name), 'conversation_copies'])
  expect(listed.toSorted()).toEqual([...made].toSorted())
})
