// Encrypted messages are found on the device of their reader: as they are now, back to the first one, and without a trace of a
// word on the disk.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { DeviceSearch } from '../src/search/found-message.ts'
import { faults } from './axe.ts'
import { edit } from './talking.ts'
import { arrive, bubble, eventually, openPerson, type Person, say, visit } from './person.ts'
import { useSealedTalk } from './sealed-talk.ts'
import { useSite } from './site.ts'
import { bytesStored, storedRecords } from './stored-records.ts'

const site = useSite()
const talking = useSealedTalk(site)

/** The part of the client that searches on the device. */
function devicePart(): string {
  const folder = path.join(import.meta.dirname, '../dist/assets')
  return `/assets/${readdirSync(folder).find((name) => /^indexing-.*\.js$/.test(name))}`
}

const call = <T>({ page }: Person, what: string): Promise<T> =>
  page.evaluate(`import('${devicePart()}').then((device) => device.${what})`)

/** Searches as the page does. */
const search = (person: Person, q: string, more: object = {}): Promise<DeviceSearch> =>
  call(person, `searchDevice(${JSON.stringify({ q, ...more })})`)

const textsOf = ({ hits }: DeviceSearch) => hits.map(({ item }) => item.message)

/** Waits until a search finds these texts. */
const finds = (person: Person, q: string, texts: string[]) =>
  eventually(
    async () => textsOf(await search(person, q)),
    (found) => expect(found).toEqual(texts),
  )

const searchRecords = async (person: Person) =>
  (await storedRecords(person)).filter(({ kind }) => ['head', 'segment', 'texts'].includes(kind))

const namesOf = async (person: Person) =>
  (await searchRecords(person)).map(({ kind, ...rest }) => `${kind} ${(rest as { name?: number }).name}`)

test('an encrypted message is found when it was sent, edited and deleted, with what matched', async () => {
  const talk = await talking()
  const { alice, bob } = talk
  await finds(alice, 'from', ['from Bob', 'from Alice'])
  await say(bob, 'the painting hangs in Genève')
  await bubble(alice, 'the painting hangs in Genève').waitFor()
  expect(textsOf(await search(alice, 'paint geneve'))).toEqual([])
  const [hit] = (await search(alice, 'geneve')).hits
  expect(hit).toMatchObject({
    item: { fromaddr: bob.address, message: 'the painting hangs in Genève' },
    marks: [[22, 28]],
    isSealed: true,
  })
  expect(hit!.item).not.toHaveProperty('encrypted_sym_x_key')
  expect(textsOf(await search(alice, 'painting', { from: alice.address }))).toEqual([])

  await edit(bob, 'the painting hangs in Genève', 'the sculpture stands in Genève')
  await bubble(alice, 'the sculpture stands in Genève').waitFor()
  await finds(alice, 'genève', ['the sculpture stands in Genève'])
  await finds(alice, 'painting', [])

  const [, , last] = await talk.stored()
  await (await site.service.as(bob.address)).deleteDirectMessage({ id: last!.id })
  await bubble(alice, 'the sculpture stands in Genève').waitFor({ state: 'detached' })
  expect(textsOf(await search(alice, 'sculpture'))).toEqual([])
  expect(alice.complaints).toEqual([])
})

test('the disk has no word of the messages, a reload finds them, and signing out deletes the index', async () => {
  const talk = await talking()
  const { alice } = talk
  await say(alice, 'behind the painting')
  await finds(alice, 'paint', ['behind the painting'])
  const bytes = await bytesStored(alice)
  expect(bytes).toContain('segment')
  for (const word of ['painting', 'behind']) expect(bytes).not.toContain(word)

  await alice.page.reload()
  await alice.page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
  await finds(alice, 'painting', ['behind the painting'])

  await alice.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await alice.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await eventually(
    () => searchRecords(alice),
    (records) => expect(records).toEqual([]),
  )
  expect(await search(alice, 'painting')).toMatchObject({ hits: [], state: 'none' })
})

test('two tabs index a message once, and without a connection what is here is searched', async () => {
  const talk = await talking()
  const { alice } = talk
  await finds(alice, 'from', ['from Bob', 'from Alice'])
  const names = await namesOf(alice)
  const other = { ...alice, page: await alice.context.newPage() }
  await arrive(other)
  await finds(other, 'from', ['from Bob', 'from Alice'])
  expect(await namesOf(other)).toEqual(names)
  await say(alice, 'a third one')
  await Promise.all([finds(alice, 'third', ['a third one']), finds(other, 'third', ['a third one'])])
  expect(await namesOf(other)).toHaveLength(names.length + 2)

  await alice.context.setOffline(true)
  expect(textsOf(await search(other, 'from bob'))).toEqual(['from Bob'])
  expect(textsOf(await search(alice, 'third'))).toEqual(['a third one'])
})

test('a device on which the messages are locked finds none and says so', async () => {
  const talk = await talking()
  await using laptop = await openPerson(site.url, { key: talk.alice.key })
  await arrive(laptop)
  await eventually(
    () => search(laptop, 'from'),
    (found) => expect(found).toEqual({ hits: [], state: 'locked' }),
  )
  expect(await searchRecords(laptop)).toEqual([])
})

test('a device that unlocks shows how far it has searched, pauses, and goes on when asked', async () => {
  const talk = await talking()
  await using laptop = await openPerson(site.url, { key: talk.alice.key })
  const { page } = laptop
  const lists = '**/v1/getall_chatitems/**'
  await page.route(lists, (route) => route.abort())
  await arrive(laptop, '/settings/encryption')
  await page.getByRole('button', { name: 'Unlock with your wallet' }).click()
  const line = page.getByRole('group', { name: 'Encrypted messages' })
  await line.getByText(/^Searched encrypted messages back to \d+ \w+ \d{4}\.$/).waitFor()
  expect(await faults(page)).toEqual([])
  await line.getByRole('button', { name: 'Pause' }).click()
  await line.getByRole('button', { name: 'Continue' }).waitFor()
  await page.reload()
  await line.getByRole('button', { name: 'Continue' }).waitFor()
  await page.unroute(lists)

  // It is paused, so that it reads only what is asked for.
  await line.getByRole('button', { name: 'Search further' }).click()
  await page.getByText('2 messages are searched').waitFor()
  await line.getByRole('button', { name: 'Continue' }).click()
  await line.getByText('Searched encrypted messages.', { exact: true }).waitFor()
  await expect.poll(() => line.getByRole('button').count()).toBe(0)
  expect(textsOf(await search(laptop, 'from'))).toEqual(['from Bob', 'from Alice'])
})

test('a device without room searches what it has, and says so', async () => {
  const talk = await talking()
  const { alice } = talk
  await finds(alice, 'from', ['from Bob', 'from Alice'])
  await alice.page.evaluate(() => {
    type Put = (this: IDBObjectStore, ...given: unknown[]) => IDBRequest
    const put = Reflect.get(IDBObjectStore.prototype, 'put') as Put
    const refusing: Put = function (...given) {
      if (this.name === 'search') throw new DOMException('full', 'QuotaExceededError')
      return put.apply(this, given)
    }
    Object.assign(IDBObjectStore.prototype, { put: refusing })
  })
  const names = await namesOf(alice)
  await say(alice, 'one too many')
  await bubble(alice, 'one too many').waitFor()
  await eventually(
    () => search(alice, 'from'),
    (found) => expect(found).toMatchObject({ state: 'full', hits: [{}, {}] }),
  )
  expect(textsOf(await search(alice, 'many'))).toEqual([])
  expect(await namesOf(alice)).toEqual(names)
  await visit(alice, '/settings/encryption')
  await alice.page.getByText('This browser has no room for more.').waitFor()
})

test('what retention has deleted leaves the device when the conversation is read', async () => {
  const talk = await talking()
  const { alice, bob } = talk
  const { db } = site.service.ctx
  const [first] = await talk.stored()
  await db.query('update direct_messages set ms = ms - 86400000::bigint * 60 where id = $1', [first!.id])
  await using laptop = await openPerson(site.url, { key: alice.key })
  await arrive(laptop, '/settings/encryption')
  await laptop.page.getByRole('button', { name: 'Unlock with your wallet' }).click()
  await laptop.page.getByText('2 messages are searched').waitFor()
  const texts = async () =>
    JSON.stringify((await searchRecords(laptop)).filter(({ kind }) => kind === 'texts'))
  const before = await texts()
  await db.query('delete from direct_messages where id = $1', [first!.id])
  await laptop.page.reload()
  await laptop.page.getByText('2 messages are searched').waitFor()
  expect(await texts()).toBe(before)
  await visit(laptop, `/dm/${bob.address}`)
  await bubble(laptop, 'from Bob').waitFor()
  await eventually(texts, (now) => expect(now).not.toBe(before))
  await visit(laptop, '/settings/encryption')
  await laptop.page.getByText('One message is searched').waitFor()
  expect(laptop.complaints).toEqual([])
})
