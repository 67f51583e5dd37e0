import { readFile } from 'node:fs/promises'
import type { ApiError, NewChatItem } from '@parley/sdk'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { deleteBlobs, storedParts } from '../../../../testing/people/uploading.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { startSmtp } from '../../../../testing/outside/smtp.ts'
import type { Db } from '../../db/pool.ts'
import { features } from '../index.ts'
import { eraseWallet } from './erase.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'

let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => void (smtp = await startSmtp()))
afterAll(() => smtp[Symbol.asyncDispose]())
const service = useService(() => ({ adminApiKey, smtpUrl: smtp.url }))
const second = useService({ beside: service })

const background = { r: 20, g: 130, b: 30 }
const picture = (
  await sharp({ create: { width: 70, height: 70, channels: 3, background } })
    .png()
    .toBuffer()
).toString('base64')

async function newcomer(on = service) {
  const address = newWallet()
  const person = {
    address,
    client: await on.as(address),
    write: async (toaddr: string, message = 'gm', more: Partial<NewChatItem> = {}) => {
      const body = { fromaddr: address, toaddr, message, ...more }
      return (await person.client.sendDirectMessage({ body }))[0]!
    },
    /** Erases the wallet, and signs in again. */
    erase: async () => {
      await person.client.eraseAccount({ address })
      person.client = await on.as(address)
    },
    texts: async () => (await person.client.listDirectMessages({ address })).map(({ message }) => message),
  }
  return person
}

/** Returns the tables that contain a value, in any column. */
async function tablesWith(value: string): Promise<string[]> {
  const { db } = service.ctx
  const tables = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace::regnamespace::text in ('public', 'graphile_worker') and c.relkind = 'r' order by 1`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const sql = `select 1 as one from ${name} t where strpos(t::text, $1) > 0 limit 1`
      return (await db.query(sql, [value])).length > 0 ? [name] : []
    }),
  )
  return found.flat()
}

/** Returns how many files in the store have the bytes of this picture. */
async function filesWith(base64: string): Promise<number> {
  const stored = await Promise.all((await storedParts(service)).map((path) => readFile(path, 'base64')))
  return stored.filter((bytes) => bytes === base64).length
}

test('nothing of an erased name, mail address or picture is left in any table', async () => {
  const alice = await newcomer()
  const [name, email] = [`Alice-${alice.address.slice(2, 12)}`, `${alice.address.slice(2, 12)}@example.org`]
  const body = { walletaddr: alice.address, email, domain: `${name}.example`, notifydm: 'true' as const }
  await alice.client.setName({ body: { address: alice.address, name } })
  await alice.client.createProfilePicture(
    { body: { addr: alice.address, base64data: picture } },
    { idempotencyKey: 'picture' },
  )
  await alice.client.updateSettings({ body }, { idempotencyKey: 'settings' })
  // The calls of the admin's server for the wallet hold the address too.
  await service.app.inject({
    method: 'POST',
    url: '/v1/update_settings',
    headers: { authorization: `Bearer ${adminApiKey}`, 'idempotency-key': alice.address },
    payload: body,
  })
  await alice.client.sendDirectMessage(
    { body: { fromaddr: alice.address, toaddr: newWallet(), message: 'gm' } },
    { idempotencyKey: 'message' },
  )
  expect(await tablesWith(name)).toEqual(['idempotency_keys', 'names', 'profiles', 'settings'])
  expect(await tablesWith(email)).toEqual(['access_notices', 'idempotency_keys', 'settings'])
  // The bytes of a picture are in the store of files.
  expect(await tablesWith(picture)).toEqual(['idempotency_keys'])
  expect(await filesWith(picture)).toBe(1)

  await alice.erase()
  for (const value of [name, email, name.toLowerCase(), picture]) expect(await tablesWith(value)).toEqual([])
  await deleteBlobs(service)
  expect(await filesWith(picture)).toBe(0)
  expect(await alice.client.getSettings({ address: alice.address })).toEqual([])
  expect(await alice.client.getName({ name })).toEqual([])
  expect(await alice.client.getImage({ addr: alice.address })).toEqual([])
})

test("a peer keeps its copy under the bare address, while the erased wallet's side is empty and stays so", async () => {
  const [alice, bob] = [await newcomer(), await newcomer()]
  const punk = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '721' }
  await alice.client.setName({ body: { address: alice.address, name: `A${alice.address.slice(2, 12)}` } })
  await alice.write(bob.address, 'from Alice', punk)
  const received = await bob.write(alice.address, 'from Bob', punk)
  await alice.write(alice.address, 'a note to myself')
  const [mine, pair] = [{ address: alice.address }, { fromaddr: alice.address, toaddr: bob.address }]

  await alice.erase()
  expect(await bob.client.listConversation(pair)).toMatchObject([
    { message: 'from Alice', sender_name: '', ...punk },
    { message: 'from Bob', read: false },
  ])
  expect(await bob.client.getInbox({ address: bob.address })).toMatchObject([{ name: '', logo: '' }])
  expect(await bob.client.countUnread({ address: bob.address })).toBe(1)

  const { client } = alice
  expect(await client.listDirectMessages(mine)).toEqual([])
  expect(await client.listConversation(pair)).toEqual([])
  expect(await client.listConversationSince({ ...pair, time: 0 })).toEqual([])
  expect(await client.listReadMessages(pair)).toEqual([])
  expect(await client.listNftMessages(mine)).toEqual([])
  expect(await client.listNftMessagesOfWallet({ ...mine, ...punk })).toEqual([])
  expect(await client.listNftConversation({ ...pair, ...punk })).toEqual([])
  expect(await client.listNftMessagesOfToken(punk)).toEqual([])
  expect(await client.getInbox(mine)).toEqual([])
  expect(await client.countUnread(mine)).toBe(0)
  expect(await client.countUnreadOfNft({ ...mine, ...punk })).toBe(0)
  const mark = { ...pair, body: { ...received, read: true } }
  await expect(client.markDirectMessage(mark)).rejects.toMatchObject({ code: 'not_found' })

  // Later messages are there as always, and a deletion by Alice now affects only her side.
  const later = await bob.write(alice.address, 'later')
  expect(await alice.texts()).toEqual(['later'])
  expect(await client.getInbox(mine)).toMatchObject([{ id: later.id, unread: 1 }])
  await client.deleteConversation(pair)
  expect(await bob.texts()).toEqual(['from Alice', 'from Bob'])
  expect(await bob.client.countUnread({ address: bob.address })).toBe(1)
  await bob.client.deleteDirectMessage({ id: received.id })
  expect(await client.countUnread(mine)).toBe(0)
  await bob.client.deleteConversation(pair)
  expect(await bob.texts()).toEqual([])
})

test('what both ends have erased is deleted, and that they wrote to each other is forgotten', async () => {
  const [alice, bob, carol] = [await newcomer(), await newcomer(), await newcomer()]
  await alice.write(bob.address)
  await bob.write(alice.address)
  await carol.write(alice.address)
  const rows = (table: string) =>
    service.ctx.db.query(`select 1 as one from ${table} t where strpos(t::text, $1) > 0`, [alice.address])
  await alice.erase()
  expect(await rows('direct_messages')).toHaveLength(3)
  expect(await rows('conversations')).toHaveLength(2)
  await bob.erase()
  expect(await rows('direct_messages')).toHaveLength(1)
  expect(await rows('conversations')).toHaveLength(1)
  await carol.erase()
  expect(await rows('direct_messages')).toEqual([])
  expect(await rows('conversations')).toEqual([])
  expect(await alice.write(bob.address, 'anew')).toMatchObject({ message: 'anew' })
  expect(await bob.texts()).toEqual(['anew'])
})

test('chats and comments of others go on: members, comments and unread messages are as a recount says', async () => {
  const [alice, bob] = [await newcomer(), await newcomer()]
  const [town, nft] = [`Town-${alice.address.slice(2, 12)}`, { nftaddr: newWallet(), nftid: '7' }]
  await alice.client.createCommunity({ body: { community: town, social: [] } })
  for (const { client, address } of [alice, bob])
    await client.joinChat({ body: { walletaddr: address, nftaddr: town } })
  for (const { client, address } of [alice, bob, alice]) {
    await client.postCommunityMessage({ body: { fromaddr: address, nftaddr: town, message: 'hello' } })
    await client.createComment({ body: { fromaddr: address, ...nft, message: 'nice' } })
  }
  const infoFor = async ({ client, address }: typeof alice) =>
    (await client.getCommunity({ community: town, address }))[0]!
  expect(await infoFor(bob)).toMatchObject({ members: 2 })

  await alice.erase()
  const info = await infoFor(bob)
  expect(info).toMatchObject({ members: 1, name: town })
  expect(info.messages.map(({ fromaddr }) => fromaddr)).toEqual([alice.address, bob.address, alice.address])
  expect(await bob.client.countComments(nft)).toBe(1)
  expect(await bob.client.listComments(nft)).toMatchObject([{ fromaddr: bob.address }])
  expect(await alice.client.listBookmarks({ address: alice.address })).toEqual([])
  // The name is not free again, and no one can change the community.
  for (const { client, address } of [alice, bob]) {
    const change = client.createCommunity({ body: { community: town, social: [] } })
    await expect(change).rejects.toMatchObject({ code: 'conflict' })
    const image = client.createImage({ body: { addr: town, base64data: picture } })
    await expect(image, address).rejects.toMatchObject({ code: 'forbidden' })
  }
  // When it is back, all that others posted is new to it, and its own messages are not.
  await alice.client.joinChat({ body: { walletaddr: alice.address, nftaddr: town } })
  expect(await alice.client.countUnreadByType({ address: alice.address, type: 'community' })).toBe(1)
})

test('mails that wait for an erased wallet are not sent', async () => {
  const [alice, bob] = [await newcomer(), await newcomer()]
  const email = `${alice.address.slice(2, 12)}@example.org`
  await alice.client.updateSettings({ body: { walletaddr: alice.address, email } })
  await service.app.inject({
    method: 'POST',
    url: '/v1/update_settings',
    headers: { authorization: `Bearer ${adminApiKey}` },
    payload: { walletaddr: bob.address, email: `b${email}`, notifydm: 'true' },
  })
  await alice.write(bob.address)
  expect(await tablesWith(alice.address)).toContain('graphile_worker._private_jobs')
  await alice.erase()
  await service.runJobs()
  const mailsTo = (to: string) => smtp.inbox.filter(({ recipients }) => recipients.includes(to))
  expect(mailsTo(email)).toEqual([])
  expect(mailsTo(`b${email}`)).toHaveLength(1)
})

test('erasing twice does no harm and leaves one row without an address; no one erases another wallet', async () => {
  const [alice, mallory] = [await newcomer(), await newcomer()]
  const notes = () => service.ctx.db.query<{ row: string }>('select e::text as row from erasures e')
  const before = await notes()
  await expect(mallory.client.eraseAccount({ address: alice.address })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await notes()).toEqual(before)
  await alice.erase()
  await alice.erase()
  const after = await notes()
  expect(after).toHaveLength(before.length + 1)
  expect(after.filter(({ row }) => row.includes(alice.address.slice(2)))).toEqual([])
})

test('earlier tokens of an erased wallet are no longer valid, here at once and elsewhere soon; it may sign in again', async () => {
  const alice = await newcomer()
  const [before, there] = [alice.client, await second.as(alice.address)]
  await alice.erase()
  const read = { address: alice.address }
  await expect(before.getInbox(read)).rejects.toMatchObject({ code: 'unauthorized' })
  const code = () =>
    there.getInbox(read).then(
      () => '',
      (error: ApiError) => error.code,
    )
  await expect.poll(code, { timeout: 10_000 }).toBe('unauthorized')
  expect(await alice.client.getInbox(read)).toEqual([])
})

test('erasing while others write, on another instance: none of their messages is lost, and counts equal recounts', async () => {
  const alice = await newcomer()
  const peers = await Promise.all(Array.from({ length: 6 }, () => newcomer(second)))
  const sent = peers.map(() => 0)
  const state = { writing: true }
  const writers = peers.map(async (peer, i) => {
    while (state.writing || sent[i] === 0) {
      await peer.write(alice.address, String(sent[i]!))
      sent[i]!++
    }
  })
  for (let i = 0; i < 5; i++) {
    await alice.erase()
    await Promise.all(peers.map(({ address }) => alice.write(address)))
  }
  state.writing = false
  await Promise.all(writers)
  for (const [i, peer] of peers.entries()) {
    const items = await peer.client.listDirectMessages({ address: peer.address })
    const own = items.filter(({ fromaddr }) => fromaddr === peer.address)
    expect(own.map(({ message }) => message)).toEqual(Array.from({ length: sent[i]! }, (_, n) => String(n)))
    expect(await peer.client.countUnread({ address: peer.address })).toBe(5)
  }
  const items = await alice.client.listDirectMessages({ address: alice.address })
  const unread = items.filter(({ toaddr }) => toaddr === alice.address)
  expect(await alice.client.countUnread({ address: alice.address })).toBe(unread.length)
})

test('an erasure that breaks off at any statement is completed by the next one, and counts are right', async () => {
  const [alice, bob] = [await newcomer(), await newcomer()]
  const [chat, nft] = [newWallet(), { nftaddr: newWallet(), nftid: '7' }]
  for (const { client, address } of [alice, bob]) {
    await client.joinChat({ body: { walletaddr: address, nftaddr: chat } })
    await client.createComment({ body: { fromaddr: address, ...nft, message: 'nice' } })
  }
  await alice.client.setName({ body: { address: alice.address, name: `A${alice.address.slice(2, 12)}` } })
  await alice.write(bob.address, 'from Alice')
  await bob.write(alice.address, 'from Bob')

  let possible = 0
  const breaking = (db: Db): Db => ({
    ...db,
    query: (...asked) => (possible-- > 0 ? db.query(...asked) : Promise.reject(new Error('broken off'))),
    transaction: (work) => db.transaction((tx) => work(breaking(tx))),
  })
  const tries = async (statements: number) => {
    possible = statements
    return eraseWallet(features, breaking(service.ctx.db), alice.address, Buffer.from('hash')).then(
      () => true,
      () => false,
    )
  }
  let statements = 0
  while (!(await tries(statements))) statements++
  expect(statements).toBeGreaterThan(15)

  expect(await bob.texts()).toEqual(['from Alice', 'from Bob'])
  expect(await alice.texts()).toEqual([])
  expect(await bob.client.countComments(nft)).toBe(1)
  expect(await bob.client.getName({ name: alice.address })).toEqual([])
  const members = await service.ctx.db.query('select members from group_chats where chat = $1', [chat])
  expect(members).toEqual([{ members: 1 }])
})

test('a name and a picture that are set while they are erased are there as a whole or not at all', async () => {
  const alice = await newcomer()
  const { address } = alice
  for (let i = 0; i < 12; i++) {
    const [here, there] = [await service.as(address), await second.as(address)]
    const results = await Promise.allSettled([
      here.setName({ body: { address, name: `A${i}${address.slice(2, 12)}` } }),
      there.createProfilePicture({ body: { addr: address, base64data: picture } }),
      there.eraseAccount({ address }),
    ])
    // A sign-out may come first.
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unauthorized' })
    const [shown] = await service.ctx.db.query(
      `select n.name is not distinct from p.name::json #>> '{}' as name, (i.addr is null) = (p.logo is null) as picture,
         (p.address is null) = (n.address is null and i.addr is null) as "row"
       from (select $1::text as address) a left join profiles p using (address) left join names n using (address)
         left join images i on i.addr = a.address`,
      [address],
    )
    expect(shown).toEqual({ name: true, picture: true, row: true })
  }
})

test('open streams of the wallet get the event to start over and are closed; resuming from before brings nothing old', async () => {
  const [alice, bob] = [await newcomer(), await newcomer()]
  await using before = await listenTo(service, alice.address)
  await bob.write(alice.address, 'old')
  await before.receives(1)
  const lastEventId = before.state.lastId!.replace(/\..*/, '')
  await bob.write(alice.address, 'missed and erased')
  await before.receives(2)
  await alice.erase()
  await before.ends()
  expect(before.events().at(-1)).toMatchObject({ type: 'resync' })
  await using after = await listenTo(service, alice.address, { lastEventId })
  await bob.write(alice.address, 'new')
  await expect.poll(() => after.messages()).toEqual(['new'])
  expect(after.events()).toMatchObject([{ type: 'resync' }, { type: 'direct-message' }])
})
