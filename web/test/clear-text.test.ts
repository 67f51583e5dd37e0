// What goes out in the clear, and what does not, while keys are unknown, hidden, changed or locked.

import { test } from 'vitest'
import {
  arrive,
  bubble,
  encryptionIsOn,
  openPerson,
  type Person,
  say,
  turnOnEncryption,
  visit,
} from './person.ts'
import { useSealedTalk } from './sealed-talk.ts'
import { useSite } from './site.ts'

const site = useSite()
const talking = useSealedTalk(site)

/** The messages between two people as the service has them, oldest first; encrypted ones as "(sealed)". */
async function stored(one: Person, other: Person): Promise<string[]> {
  const asOne = await site.service.as(one.address)
  const items = await asOne.listConversation({ fromaddr: one.address, toaddr: other.address })
  return items.map(({ message, encrypted_sym_x_key }) => (encrypted_sym_x_key ? '(sealed)' : message))
}

const isSealed = ({ page }: Person) => page.getByText(/Only you and .* can read this/).waitFor()
/** What is there when a test begins. */
const before = ['(sealed)', '(sealed)']

const choices = ({ page }: Person) => page.getByRole('group', { name: 'Not encrypted: choose how to send' })
const choose = (person: Person, name: string) =>
  choices(person).getByRole('button', { name, exact: true }).click()
const refusal = ({ page }: Person) => page.getByText('Not sent yet. Choose how to send it below.')

test('what is entered before the keys are known waits for them, and is encrypted', async ({ expect }) => {
  const { alice, bob } = await talking()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await alice.page.route('**/v1/keys/*', async (route) => {
    await asked
    await route.continue()
  })
  // As on a device that has not seen Bob's key yet.
  await alice.page.evaluate(() => {
    for (const name of Object.keys(localStorage))
      if (name.includes('known-keys')) localStorage.removeItem(name)
  })
  await alice.page.reload()
  await say(alice, 'written while the key was loading')
  await alice.page.getByText('Looking for keys').first().waitFor()
  expect(await stored(alice, bob)).toEqual(before)
  // Somebody opens a menu meanwhile, which stays open.
  await alice.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  const item = alice.page.getByRole('menuitem', { name: 'Add another wallet' })
  await item.waitFor()
  answer()
  await bubble(alice, 'written while the key was loading').waitFor()
  expect(await item.isVisible()).toBe(true)
  await expect.poll(() => stored(alice, bob), { timeout: 8_000 }).toEqual([...before, '(sealed)'])
})

test('a second device is locked, and sends nothing in the clear without a tap', async ({ expect }) => {
  const { alice, bob } = await talking()
  await using tablet = await openPerson(site.url, { key: alice.key })
  await arrive(tablet, `/dm/${bob.address}`)
  await choices(tablet).getByText('Your encryption key is locked on this device.').waitFor()
  await say(tablet, 'from my second device')
  await refusal(tablet).waitFor()
  expect(await stored(alice, bob)).toEqual(before)
  await choose(tablet, 'Unlock')
  await isSealed(tablet)
  await bubble(tablet, 'from Alice').waitFor()
  await tablet.page.getByRole('button', { name: 'Send encrypted' }).click()
  await expect.poll(() => stored(alice, bob), { timeout: 8_000 }).toEqual([...before, '(sealed)'])
})

test('what was written to be encrypted is never sent in the clear by the outbox', async ({ expect }) => {
  const { alice, bob } = await talking()
  await alice.page.route('**/v1/create_chatitem', (route) => route.abort())
  await say(alice, 'second')
  const entry = () =>
    alice.page.evaluate(() => {
      const name = Object.keys(localStorage).find((one) => one.startsWith('parley.outbox.'))
      return name ? { name, text: localStorage.getItem(name)! } : undefined
    })
  await expect.poll(async () => (await entry())?.text, { timeout: 8_000 }).toContain('"prepared":true')
  // As a faulty page would leave it.
  const { name, text } = (await entry())!
  const faulty = JSON.parse(text)
  faulty.body = { fromaddr: alice.address, toaddr: bob.address, message: 'second' }
  await visit(alice, '/settings')
  await alice.page.evaluate(
    ([at, value]) => localStorage.setItem(at!, value!),
    [name, JSON.stringify(faulty)],
  )
  await alice.page.unroute('**/v1/create_chatitem')
  await visit(alice, `/dm/${bob.address}`)
  const refused = alice.page.getByText('Couldn’t send. It was not encrypted.')
  await refused.waitFor()
  expect(await stored(alice, bob)).toEqual(before)
  await alice.page.getByRole('button', { name: 'Delete', exact: true }).click()
  await refused.waitFor({ state: 'detached' })
})

test('a service that hides a known key gets nothing in the clear without a tap for each message', async ({
  expect,
}) => {
  const { alice, bob } = await talking()
  await alice.page.route(`**/v1/keys/${bob.address}`, (route) => route.fulfill({ json: [] }))
  await alice.page.reload()
  await choices(alice).getByText('may be hiding the key').waitFor()
  await say(alice, 'second')
  await refusal(alice).waitFor()
  expect(await stored(alice, bob)).toEqual(before)

  await choose(alice, 'Encrypt with the key you know')
  await expect.poll(() => stored(alice, bob), { timeout: 8_000 }).toEqual([...before, '(sealed)'])
  await visit(bob, `/dm/${alice.address}`)
  await bubble(bob, 'second').waitFor()

  await say(alice, 'third')
  await refusal(alice).waitFor()
  await choose(alice, 'Send unencrypted')
  await expect.poll(() => stored(alice, bob), { timeout: 8_000 }).toEqual([...before, '(sealed)', 'third'])
  await say(alice, 'fourth')
  await refusal(alice).waitFor()
  expect(await stored(alice, bob)).toHaveLength(4)
})

test('to a changed key nothing is sent until its reader has accepted it', async ({ expect }) => {
  const { alice, bob } = await talking()
  await site.service.ctx.db.query('delete from keys where address = $1', [bob.address])
  await using again = await openPerson(site.url, { key: bob.key })
  await arrive(again)
  await turnOnEncryption(again)
  await encryptionIsOn(again)
  await alice.page.reload()
  await choices(alice).getByText('has a new encryption key').waitFor()
  await say(alice, 'second')
  await refusal(alice).waitFor()
  expect(await stored(alice, bob)).toEqual(before)
  await choose(alice, 'Use new key')
  await isSealed(alice)
  await alice.page.getByRole('button', { name: 'Send encrypted' }).click()
  await expect.poll(() => stored(alice, bob), { timeout: 8_000 }).toEqual([...before, '(sealed)'])
})
