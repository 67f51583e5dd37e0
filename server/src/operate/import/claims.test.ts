// A person who was imported takes their name over, and an owner takes a community away: what everybody sees of it.

import { buffer } from 'node:stream/consumers'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { beforeEach, expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { newFolder, unzip } from '../../../../testing/service/files.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { parley } from '../../../../testing/service/processes.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { changeClaim } from '../../features/moving/commands.ts'
import { runImport } from './run.ts'

const service = useService({ rateLimits: true })

/** Imports the sample of Discord into a new community. `of` makes its people other ones than those of other tests. */
async function imported(wallets: [string, string][] = []) {
  const into = newName('garden')
  const [owner, reader] = await newCommunity(service, into, 1)
  await runImport({
    databaseUrl: service.databaseUrl,
    config: service.ctx.config,
    from: path.join(import.meta.dirname, 'samples/discord'),
    kind: 'discord',
    into,
    owner: undefined,
    channels: [],
    wallets: new Map(wallets),
    isDry: false,
  })
  return { into, owner: owner, reader: reader }
}

const rosa = 'discord:501'
/** The people of the samples are the same in all tests. */
beforeEach(() => changeClaim(service.databaseUrl, rosa, { remove: true }))

const codeFor = async (address: string) => (await changeClaim(service.databaseUrl, address, {})).code!
const filesOf = async (stream: ReadableStream<Uint8Array>) => unzip(await buffer(stream as never))

async function person() {
  const address = newWallet()
  const client = await service.as(address)
  return {
    address,
    client,
    claim: (code: string) => client.claimImported({ body: { code } }),
    claims: (addresses = rosa) => client.listImportedClaims({ query: { addresses } }),
  }
}

const beside = useService({ beside: service })

test('a person takes over their name with a code: others see it on every instance, and messages stay whose they were', async () => {
  const { into, reader } = await imported()
  const me = await person()
  await using asReader = await listenTo(beside, reader.address)
  await using asMe = await listenTo(beside, me.address)
  await using asStranger = await listenTo(beside, newWallet())
  const code = await codeFor(rosa)
  expect(code).toMatch(/^([2-9A-Z]{4}-){4}[2-9A-Z]{4}$/)
  expect(await me.claims()).toEqual([])
  const [claim] = await me.claim(` ${code.toLowerCase().replaceAll('-', ' ')} `)
  expect(claim).toMatchObject({ address: rosa, walletaddr: me.address, name: 'Rosa' })
  const ofChat = { type: 'imported', address: rosa, nftaddr: into }
  await expect.poll(() => asReader.events()).toContainEqual(ofChat)
  await expect.poll(() => asMe.events()).toEqual([{ type: 'imported', address: rosa }])
  const elsewhere = await beside.as(reader.address)
  expect(await elsewhere.listImportedClaims({ query: { addresses: `discord:502 ${rosa}` } })).toEqual([claim])
  // An answer may be lost: the same wallet repeats it. Nobody else can use the code.
  expect(await me.claim(code)).toEqual([claim])
  await expect((await person()).claim(code)).rejects.toMatchObject({ code: 'not_found' })
  await expect(codeFor(rosa)).rejects.toThrow(/is 0x\w+ here already/)

  const [first, second] = await reader.read()
  expect(first).toMatchObject({ fromaddr: rosa, sender_name: 'Rosa', imported: true })
  const edit = { message: 'mine', revision: 0 }
  await expect(me.client.editMessage({ id: first!.id, body: edit })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await me.client.removePost({ nftaddr: into, id: first!.id })
  expect((await reader.read())[0]).toMatchObject({ removed: true, removed_by: 'author', fromaddr: rosa })
  await expect(me.client.removePost({ nftaddr: into, id: second!.id })).rejects.toMatchObject({ status: 404 })

  const files = await filesOf(await me.client.exportAccount({ address: me.address }))
  expect(String(files.get('imported.jsonl'))).toContain(rosa)
  expect(String(files.get('imported-messages.jsonl'))).toContain('Tomatoes on Sunday?')
  expect(String(files.get('group-messages.jsonl'))).toBe('')

  await me.client.releaseImported({ imported: rosa })
  await expect(me.client.releaseImported({ imported: rosa })).rejects.toMatchObject({ status: 404 })
  const claimed = () => asReader.events().filter(({ type }) => type === 'imported')
  await expect.poll(claimed).toEqual([ofChat, ofChat])
  expect(asStranger.events()).toEqual([])
  expect([
    await me.client.listOwnImported(),
    await reader.client.listImportedClaims({ query: { addresses: rosa } }),
  ]).toEqual([[], []])
  await expect(me.claim(code)).rejects.toMatchObject({ code: 'not_found' })
  const { id } = (await reader.read())[2]!
  await expect(me.client.removePost({ nftaddr: into, id })).rejects.toMatchObject({ status: 404 })
})

test('of two wallets with one code one gets the name, the administrator takes it back, and an erasure takes the name away', async () => {
  const { into, reader } = await imported()
  const [one, two] = [await person(), await person()]
  const code = await codeFor(rosa)
  const both = await Promise.allSettled([one.claim(code), two.claim(code)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await using asReader = await listenTo(service, reader.address)
  expect((await changeClaim(service.databaseUrl, rosa, { remove: true })).text).toMatch(/no longer 0x/)
  await expect
    .poll(() => asReader.events())
    .toContainEqual({ type: 'imported', address: rosa, nftaddr: into })
  expect(await one.claims()).toEqual([])
  await expect(one.claim(code)).rejects.toMatchObject({ code: 'not_found' })

  const old = await codeFor(rosa)
  const newer = await codeFor(rosa)
  await expect(two.claim(old)).rejects.toMatchObject({ code: 'not_found' })
  await service.ctx.db.query('update claim_codes set expires_ms = $1', [service.ctx.db.now()])
  await expect(two.claim(newer)).rejects.toMatchObject({ code: 'not_found' })
  await two.claim(await codeFor(rosa))
  const text = JSON.stringify(await service.ctx.db.query('select * from claim_codes'))
  expect(text).not.toContain(newer.slice(0, 9))

  await two.client.eraseAccount({ address: two.address })
  expect(await one.claims()).toEqual([])
  const items = await reader.read()
  expect(items.map(({ sender_name: name, fromaddr }) => [name, fromaddr])).toEqual([
    ['', rosa],
    ['Basil', 'discord:502'],
    ['', rosa],
  ])
  // Another import does not bring the name back.
  const later = await imported()
  expect((await later.reader.read())[0]).toMatchObject({ fromaddr: rosa, sender_name: '' })
  expect(into).not.toBe(later.into)
})

test('a person of people.csv who erases everything leaves the imported messages without a name', async () => {
  const me = await person()
  await me.client.setName({ body: { address: me.address, name: `Ann ${newName('a').slice(-6)}` } })
  const { reader } = await imported([['502', me.address]])
  const mine = async () => (await reader.read()).find(({ fromaddr }) => fromaddr === me.address)
  expect(await mine()).toMatchObject({ imported: true, sender_name: expect.stringMatching(/^Ann/) })
  const files = await filesOf(await me.client.exportAccount({ address: me.address }))
  expect(String(files.get('group-messages.jsonl'))).toContain('"imported":true')
  await me.client.eraseAccount({ address: me.address })
  expect(await mine()).toMatchObject({ imported: true, sender_name: '' })
})

test('codes are for imported people alone, and wrong ones are limited', async () => {
  const { databaseUrl } = service
  for (const address of [newWallet(), 'rosa', 'icq:5'])
    await expect(changeClaim(databaseUrl, address, {})).rejects.toThrow(
      /not the address of an imported person/,
    )
  await expect(changeClaim(databaseUrl, 'discord:99999', {})).rejects.toThrow(/Nobody with the address/)
  await expect(changeClaim(databaseUrl, rosa, { days: '31' })).rejects.toThrow(/--days 1 to 30/)
  const { code, err } = await parley(['claim-code', 'discord:99999'], { DATABASE_URL: databaseUrl })
  expect([code, err]).toEqual([1, expect.stringContaining('Nobody with the address')])
  const guesser = await person()
  const tries = await Promise.all(
    Array.from({ length: 12 }, () =>
      guesser.claim('AAAA-AAAA-AAAA-AAAA-AAAA').catch((error: { code: string }) => error.code),
    ),
  )
  expect(tries.filter((one) => one === 'not_found')).toHaveLength(10)
  expect(new Set(tries)).toEqual(new Set(['not_found', 'rate_limited']))
})

test('a wallet that is muted unseen takes a name over that nobody else sees', async () => {
  const { reader } = await imported()
  const me = await person()
  await service.ctx.db.query(`insert into sanctions (subject, kind, ms) values ($1, 'shadow_mute', $2)`, [
    me.address,
    service.ctx.db.now(),
  ])
  await service.ctx.standing.refresh()
  await using asReader = await listenTo(service, reader.address)
  await using asMe = await listenTo(service, me.address)
  const [claim] = await me.claim(await codeFor('discord:502'))
  await expect.poll(() => asMe.events()).toEqual([{ type: 'imported', address: 'discord:502' }])
  await reader.post('later')
  await expect.poll(() => asReader.messages()).toEqual(['later'])
  expect(asReader.events()).toHaveLength(1)
  expect(await me.claims('discord:502')).toEqual([claim])
  expect(await (await person()).claims('discord:502')).toEqual([])
})

test('the owner of a community downloads what was said there, a few times a day, and another Parley imports it', async () => {
  const { into, owner, reader } = await imported()
  await owner.client.createRoom({ community: into, body: { room: 'tools' } })
  const tools = { fromaddr: reader.address, nftaddr: `${into}/tools`, message: 'a spade' }
  await reader.client.postGroupMessage({ body: tools })
  const gone = await reader.post('a mistake')
  await reader.client.removePost({ nftaddr: into, id: gone.id })
  await expect(reader.client.exportChat({ nftaddr: into })).rejects.toMatchObject({ code: 'forbidden' })
  await using folder = await newFolder('away')
  const from = path.join(folder.path, 'chat.zip')
  await pipeline(
    Readable.fromWeb((await owner.client.exportChat({ nftaddr: into })) as never),
    createWriteStream(from),
  )
  const other = newName('allotments')
  const { chats, left } = await runImport({
    databaseUrl: service.databaseUrl,
    config: service.ctx.config,
    from,
    kind: 'parley',
    into: other,
    owner: owner.address,
    channels: [],
    wallets: new Map(),
    isDry: false,
  })
  expect(left).toEqual({})
  expect(chats.map(({ chat, messages, files }) => [chat, messages, files])).toEqual([
    [other.toLowerCase(), 3, 1],
    [`${other.toLowerCase()}/tools`, 1, 0],
  ])
  await owner.client.exportChat({ nftaddr: `${into}/tools` })
  for (let n = 0; n < 2; n++) await (await owner.client.exportChat({ nftaddr: into })).cancel()
  await expect(owner.client.exportChat({ nftaddr: into })).rejects.toMatchObject({ code: 'rate_limited' })
})
