// What lies on the device of what was read: never the text of an encrypted message, and nothing of a wallet that
// has left.

import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { everythingStored, storedRecords } from './stored-records.ts'
import {
  acquaint,
  arrive,
  arriveWithEncryption,
  bubble,
  eventually,
  openPerson,
  type Person,
  say,
  signIn,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

async function write(fromaddr: string, toaddr: string, message: string): Promise<void> {
  await (await site.service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } })
}

/** Waits until a text is stored. */
const storesText = (person: Person, text: string) =>
  eventually(
    async () => JSON.stringify(await storedRecords(person)),
    (records) => {
      if (!records.includes(text)) throw new Error(`${text} is not stored`)
    },
  )

const keepsNothing = (person: Person) =>
  eventually(
    () => storedRecords(person),
    (records) => {
      if (records.length > 0) throw new Error(`${records.length} records are stored`)
    },
  )

/** A person who has read a message, which is stored. */
async function reader(): Promise<Person> {
  const alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  await write(bob, alice.address, 'for Alice')
  await signIn(alice, `/dm/${bob}`)
  await bubble(alice, 'for Alice').waitFor()
  await storesText(alice, 'for Alice')
  return alice
}

test.concurrent(
  'of an encrypted conversation only what the service answered lies on the device',
  { timeout: 120_000 },
  async ({ expect }) => {
    await using alice = await openPerson(site.url)
    await using bob = await openPerson(site.url)
    await acquaint(site.service, alice, bob)
    await arriveWithEncryption(alice, bob)
    await visit(alice, `/dm/${bob.address}`)
    await visit(bob, `/dm/${alice.address}`)
    for (const person of [alice, bob]) await person.page.getByText(/Only you and .* can read this/).waitFor()
    await say(alice, 'behind the painting')
    await bubble(bob, 'behind the painting').waitFor()
    await say(bob, 'which painting')
    await bubble(alice, 'which painting').waitFor()
    await alice.page
      .getByRole('log')
      .getByRole('img', { name: /^(?:Sent|Read)$/ })
      .waitFor()
    await alice.page.getByRole('link', { name: /which painting/ }).waitFor()
    await write(bob.address, alice.address, 'in clear')
    await bubble(alice, 'in clear').waitFor()
    for (const person of [alice, bob]) {
      await storesText(person, 'in clear')
      const histories = await storedRecords(person, 'history')
      expect(JSON.stringify(histories)).toContain('encrypted_sym_x_key')
      expect(await everythingStored(person)).not.toMatch(/painting/)
    }
    // It is read from there all the same.
    await alice.page.route('**/v1/**', (route) => route.abort())
    await alice.page.reload()
    await bubble(alice, 'behind the painting').waitFor()
    await bubble(alice, 'in clear').waitFor()
    expect(await everythingStored(alice)).not.toMatch(/painting/)
  },
)

test.concurrent('signing out deletes what is stored', async ({ expect }) => {
  await using alice = await reader()
  await alice.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await alice.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await keepsNothing(alice)
  expect(await everythingStored(alice)).not.toMatch(/for Alice/)
})

test.concurrent('signing out everywhere on another device deletes it when this one hears of it', async () => {
  await using alice = await reader()
  await (await site.service.as(alice.address)).signOutEverywhere()
  await alice.page.reload()
  const notice = alice.page.getByText('You’ve been signed out.')
  await notice.waitFor()
  await keepsNothing(alice)
  // The page may have heard of it before it was loaded again.
  await alice.page.reload()
  await notice.waitFor()
  await signIn(alice)
  await alice.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await alice.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await notice.waitFor({ state: 'detached' })
})

test.concurrent('erasing the wallet deletes it', async () => {
  await using alice = await reader()
  await visit(alice, '/settings/data')
  await alice.page.getByRole('button', { name: 'Erase my wallet here' }).click()
  const dialog = alice.page.getByRole('dialog', { name: 'Erase this wallet here?' })
  await dialog.getByRole('textbox').fill(alice.address.slice(-4))
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await keepsNothing(alice)
})

test.concurrent('another wallet that signs in deletes it, a throw-away one too, also in the other tab', async ({
  expect,
}) => {
  await using alice = await reader()
  const tab = { ...alice, page: await alice.context.newPage() }
  await tab.page.goto('/')
  await tab.page.getByRole('link', { name: /for Alice/ }).waitFor()
  await visit(alice, '/sign-in')
  await alice.page.getByRole('button', { name: 'Try without a wallet' }).click()
  await alice.page.getByText('No conversations yet').first().waitFor()
  await tab.page.getByText('No conversations yet').first().waitFor()
  await eventually(
    async () => JSON.stringify(await storedRecords(alice)),
    (records) => expect(records).not.toMatch(new RegExp(`for Alice|"wallet":"${alice.address}"`)),
  )

  // What the throw-away wallet reads is stored, and goes with it.
  const throwAway = await alice.page.evaluate(
    () => (JSON.parse(localStorage.getItem('parley.accounts')!) as { current: string }).current,
  )
  const bob = newWallet()
  await acquaint(site.service, throwAway, bob)
  await write(bob, throwAway, 'for a moment')
  await visit(alice, `/dm/${bob}`)
  await bubble(alice, 'for a moment').waitFor()
  await storesText(alice, 'for a moment')
  await alice.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await alice.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await eventually(
    async () => JSON.stringify(await storedRecords(alice)),
    (records) => expect(records).not.toMatch(/for a moment/),
  )
})

test.concurrent('what a client of another shape has stored is thrown away', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  await alice.page.route('**/', (route) => route.fulfill({ contentType: 'text/html', body: 'nothing' }))
  await alice.page.goto('/')
  await alice.page.evaluate(
    async () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('parley-kept', 1)
        opening.addEventListener('upgradeneeded', () =>
          opening.result
            .createObjectStore('records', { autoIncrement: true })
            .add({ old: 'of another shape' }),
        )
        opening.addEventListener('success', () => {
          opening.result.close()
          resolve()
        })
      }),
  )
  expect(await everythingStored(alice)).toMatch(/of another shape/)
  await alice.page.unrouteAll()
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  await write(bob, alice.address, 'for Alice')
  await arrive(alice, `/dm/${bob}`)
  await storesText(alice, 'for Alice')
  expect(await everythingStored(alice)).not.toMatch(/of another shape/)
})

test.concurrent('a full disk, and a browser without IndexedDB, change nothing but that', async ({
  expect,
}) => {
  for (const breakIt of [
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    },
    () => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }),
  ]) {
    await using alice = await openPerson(site.url)
    await alice.context.addInitScript(breakIt)
    const bob = newWallet()
    await acquaint(site.service, alice, bob)
    await write(bob, alice.address, 'for Alice')
    await arrive(alice, `/dm/${bob}`)
    await bubble(alice, 'for Alice').waitFor()
    await write(bob, alice.address, 'and more')
    await bubble(alice, 'and more').waitFor()
    await alice.page.waitForTimeout(1000)
    await alice.page.reload()
    await bubble(alice, 'and more').waitFor()
    expect(alice.complaints).toEqual([])
  }
})

test.concurrent('the newest hundred messages of the thirty conversations that were read last are stored', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  const peers = Array.from({ length: 32 }, () => newWallet())
  await acquaint(site.service, alice, peers[0]!)
  for (const peer of peers) await write(peer, alice.address, `from ${peer}`)
  const asAlice = await site.service.as(alice.address)
  await asAlice.acceptRequests()
  const [last] = peers.slice(-1)
  for (let i = 1; i <= 120; i++) await write(last!, alice.address, `number ${i} `)
  await asAlice.markReadTo({ addr: last!, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  await arrive(alice)
  for (const peer of peers.slice(0, -1)) {
    await visit(alice, `/dm/${peer}`)
    await bubble(alice, `from ${peer}`).waitFor()
  }
  await visit(alice, `/dm/${last}`)
  await bubble(alice, 'number 120').waitFor()
  // Older pages are read too.
  const log = alice.page.getByRole('log')
  const atTop = async () => {
    await log.evaluate((element) => element.scrollTo(0, 0))
    return bubble(alice, 'number 5').count()
  }
  await expect.poll(atTop, { timeout: 15_000 }).toBe(1)
  await storesText(alice, 'number 120 ')
  // Conversations are stored a moment after they were read, one by one.
  await eventually(
    () => storedRecords(alice, 'history'),
    (records) => {
      const histories = JSON.stringify(records)
      expect(records).toHaveLength(30)
      expect(histories).toContain(`from ${peers[2]}`)
      expect(histories).not.toContain(`from ${peers[0]}`)
      expect(histories).not.toContain('number 20 ')
    },
  )
})
