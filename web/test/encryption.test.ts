import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  acquaint,
  arrive,
  arriveWithEncryption,
  bubble,
  eventually,
  openConversation,
  openPerson,
  type Person,
  say,
  signIn,
  visit,
} from './person.ts'
import { readQr } from './qr.ts'
import { useSite } from './site.ts'

const site = useSite({ encryptionVendor: 'acme' })

test.concurrent('two people with encryption write encrypted; the database has no plain text; a second device reads it', async () => {
  const key = generatePrivateKey()
  await using alice = await openPerson(site.url, { key })
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  await openConversation(alice, bob)
  await alice.page.getByText(/Only you and .* can read this/).waitFor()
  await say(alice, 'the vault is behind the painting')
  await bubble(alice, 'the vault is behind the painting').waitFor()

  await visit(bob, `/dm/${alice.address}`)
  await bubble(bob, 'the vault is behind the painting').waitFor()
  await bob.page.getByRole('log').getByRole('img', { name: 'Encrypted' }).waitFor()
  await say(bob, 'which painting?')
  await bob.page
    .getByRole('img', { name: /^(Sent|Read)$/ })
    .first()
    .waitFor()

  const rows = await site.service.ctx.db.query<{ all: string }>(
    'select row_to_json(m)::text as all from direct_messages m where $1 in (fromaddr, toaddr)',
    [alice.address],
  )
  expect(rows).toHaveLength(2)
  for (const { all } of rows) expect(all).not.toMatch(/vault|painting/)

  // The inbox has only the beginning of a long message, which cannot be decrypted; of the next one all.
  await say(bob, 'brush '.repeat(1000))
  await alice.page.goto('/')
  const row = alice.page.locator('#inbox-rows')
  await row.getByText('Encrypted message').waitFor()
  await say(bob, 'which one?')
  await row.getByText('which one?').waitFor()

  await using tablet = await openPerson(site.url, { key })
  await arrive(tablet, `/dm/${bob.address}`)
  await tablet.page.getByText('Encrypted. Unlock your messages').first().waitFor()
  await tablet.page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await bubble(tablet, 'the vault is behind the painting').waitFor()
  await bubble(tablet, 'which painting?').waitFor()
  expect([...alice.complaints, ...bob.complaints, ...tablet.complaints]).toEqual([])
})

test.concurrent('nothing is encrypted to a key that its wallet has not signed, and a changed key is shown', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await using eve = await openPerson(site.url)
  await arriveWithEncryption(alice, bob, eve)
  await visit(alice, `/dm/${bob.address}`)
  await alice.page.getByText(/Only you and .* can read this/).waitFor()

  // A service that lies: it answers Eve's key as Bob's.
  const swap = (column: string) => `(select ${column} from keys where address = $2)`
  await site.service.ctx.db.query(
    `update keys set public_key = ${swap('public_key')}, signature = ${swap('signature')} where address = $1`,
    [bob.address, eve.address],
  )
  await alice.page.reload()
  await alice.page.getByText(/is not signed by their wallet for .* Nothing is encrypted to it/).waitFor()

  // Bob sets it up again: a valid key, but not the one Alice knows.
  await visit(bob, '/settings/encryption')
  await bob.page.getByRole('button', { name: 'Make a new key…' }).click()
  await bob.page.getByRole('button', { name: 'Make a new key', exact: true }).click()
  await bob.page.getByRole('dialog').waitFor({ state: 'detached' })
  await alice.page.reload()
  await alice.page.getByText('has a new encryption key').waitFor()
  await alice.page.getByRole('button', { name: 'Send unencrypted' }).waitFor()
  await alice.page.getByRole('button', { name: 'Use new key' }).click()
  await alice.page.getByText(/Only you and .* can read this/).waitFor()
})

/** The number in the dialog that is open. */
const shownNumber = async ({ page }: Person) => {
  const number = page.getByRole('dialog').getByRole('group', { name: 'Number' })
  await number.filter({ hasText: /^(\d{5} ?){12}$/ }).waitFor()
  return number.textContent()
}
const sign = ({ page }: Person) => page.getByRole('button', { name: 'Safety number: compared' })
const close = ({ page }: Person) => page.getByRole('button', { name: 'Close' }).click()

test.concurrent('both see one safety number; a new key makes another one, takes the mark away and stands in the conversation', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  await visit(alice, `/dm/${bob.address}`)
  await visit(bob, `/dm/${alice.address}`)
  await say(alice, 'are you Bob?')
  await bubble(bob, 'are you Bob?').waitFor()
  const told = (person: Person, text: string) => person.page.getByRole('log').getByText(text)
  await told(bob, 'Encrypted from here on.').waitFor()
  for (const { page } of [alice, bob])
    await page.getByRole('button', { name: 'Safety number', exact: true }).click()
  const before = await shownNumber(alice)
  expect(await shownNumber(bob)).toBe(before)
  expect(await readQr(bob.page.getByRole('img', { name: 'The number as a QR code' }))).toBe(before)
  for (const person of [alice, bob]) {
    await person.page.getByRole('button', { name: 'Mark as compared' }).click()
    await person.page.getByText('Compared, on this device').waitFor()
    await close(person)
    await sign(person).waitFor()
  }
  await alice.page.reload()
  await sign(alice).waitFor()

  await visit(bob, '/settings/encryption')
  await bob.page.getByRole('button', { name: 'Make a new key…' }).click()
  await bob.page.getByRole('button', { name: 'Make a new key', exact: true }).click()
  await bob.page.getByRole('dialog').waitFor({ state: 'detached' })
  await visit(bob, `/dm/${alice.address}`)
  for (const { page } of [alice, bob]) await page.reload()
  await told(alice, 'encryption key changed.').waitFor()
  await alice.page.getByRole('log').getByRole('button', { name: 'Compare the number again' }).click()
  await alice.page.getByText('so this number is new too').waitFor()
  await bob.page.getByRole('button', { name: 'Conversation options' }).click()
  await bob.page.getByRole('menuitem', { name: 'Verify encryption…' }).click()
  const after = await shownNumber(alice)
  expect(after).not.toBe(before)
  expect(await shownNumber(bob)).toBe(after)
  for (const person of [alice, bob]) expect(await sign(person).count()).toBe(0)
  // Who compares the new number accepts the key.
  await alice.page.getByRole('button', { name: 'Mark as compared' }).click()
  await close(alice)
  await sign(alice).waitFor()
  await alice.page.getByText(/Only you and .* can read this/).waitFor()
  // By then the line has its place among messages, also after a reload.
  await say(alice, 'now I know')
  await alice.page.reload()
  // A message that was being sent is opened anew after the reload.
  await eventually(
    () => alice.page.getByRole('log').textContent(),
    (order) => expect(order).toMatch(/are you Bob\?.*encryption key changed.*now I know/),
  )
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('who signs in is offered encryption with one signature, and on another device to unlock it; both can wait', async () => {
  const key = generatePrivateKey()
  await using alice = await openPerson(site.url, { key })
  const offer = ({ page }: Person, name: string) => page.getByRole('region', { name })
  await signIn(alice)
  await alice.page.getByRole('button', { name: 'Encrypt my messages' }).click()
  await alice.page.getByText('Encryption is on').waitFor()
  await offer(alice, 'Encrypt your messages?').waitFor({ state: 'detached' })
  expect(await alice.page.evaluate(() => document.activeElement?.id)).toBe('chats')
  expect(alice.signed.map((text) => text.slice(0, 26))).toEqual([
    expect.stringContaining('127.0.0.1'),
    'Open my encrypted messages',
  ])
  const [published] = await (await site.service.as(alice.address)).getKey({ address: alice.address })
  expect(published!.public_key).not.toBe('')

  await using tablet = await openPerson(site.url, { key })
  await signIn(tablet)
  const locked = offer(tablet, 'Your messages are locked here')
  await locked.getByRole('button', { name: 'Not now' }).click()
  await locked.waitFor({ state: 'detached' })
  await visit(tablet, '/settings/encryption')
  await tablet.page.getByRole('button', { name: 'Unlock with your wallet' }).waitFor()
  expect(await locked.count()).toBe(0)
  await using phone = await openPerson(site.url, { key })
  await signIn(phone)
  await phone.page.getByRole('button', { name: 'Unlock my messages' }).click()
  await phone.page.getByText('Your messages are unlocked').waitFor()
  expect(phone.signed).toHaveLength(2)

  await using bob = await openPerson(site.url)
  await bob.page.goto('/')
  await bob.page.getByRole('button', { name: 'Try without a wallet' }).click()
  await offer(bob, 'Encrypt your messages?').getByRole('button', { name: 'Not now' }).click()
  await visit(bob, '/settings/encryption')
  await bob.page.getByRole('button', { name: 'Turn on encryption' }).waitFor()
  expect(await offer(bob, 'Encrypt your messages?').count()).toBe(0)
  for (const { complaints } of [alice, tablet, phone, bob]) expect(complaints).toEqual([])
})
