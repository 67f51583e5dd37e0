// A wallet's ring of keys on several devices, also when the service loses a part of it.

import { generatePrivateKey } from 'viem/accounts'
import { test } from 'vitest'
import {
  arrive,
  arriveWithEncryption,
  bubble,
  encryptionIsOn,
  openPerson,
  type Person,
  say,
  turnOnEncryption,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const isSealed = ({ page }: Person) => page.getByRole('button', { name: 'Send encrypted' }).waitFor()
const settings = '/settings/encryption'
const press = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true }).click()
const sent = ({ page }: Person) =>
  page
    .getByRole('img', { name: /^(Sent|Read)$/ })
    .first()
    .waitFor()

/** Writes an encrypted note to oneself. */
async function note(person: Person, text: string): Promise<void> {
  await visit(person, `/dm/${person.address}`)
  await isSealed(person)
  await say(person, text)
  await bubble(person, text).waitFor()
  await sent(person)
}

const backupOf = async ({ address }: Person) => {
  const [published] = await (await site.service.as(address)).getKey({ address })
  return JSON.parse(published!.backup!)
}

test.concurrent('setting up anew asks first, and every device goes on reading what it could', async ({
  expect,
}) => {
  const key = generatePrivateKey()
  await using phone = await openPerson(site.url, { key })
  await arriveWithEncryption(phone)
  await note(phone, 'first')
  expect(phone.signed).toHaveLength(2)

  await using laptop = await openPerson(site.url, { key })
  await arrive(laptop, settings)
  await press(laptop, 'Start over…')
  const dialog = laptop.page.getByRole('dialog', { name: 'Make a new key?' })
  await dialog.getByText('Old ones stay readable').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await backupOf(phone)).keys).toHaveLength(1)
  expect(laptop.signed).toHaveLength(1)
  await press(laptop, 'Start over…')
  await press(laptop, 'Make a new key')
  await encryptionIsOn(laptop)
  expect((await backupOf(phone)).keys).toHaveLength(2)
  // The one signature has opened the older key too.
  expect(laptop.signed).toHaveLength(2)
  await note(laptop, 'second')
  await bubble(laptop, 'first').waitFor()

  await phone.page.reload()
  await bubble(phone, 'first').waitFor()
  await phone.page.getByRole('log').getByText('Unlock your messages on this device').waitFor()
  await phone.page.getByText('Your encryption key is locked on this device.').waitFor()
  await press(phone, 'Unlock')
  await bubble(phone, 'second').waitFor()
  await note(phone, 'third')
  await bubble(laptop, 'third').waitFor()
  expect([...phone.complaints, ...laptop.complaints]).toEqual([])
})

test.concurrent('a wallet whose signatures differ is told so, and its recovery code opens each key', async ({
  expect,
}) => {
  const key = generatePrivateKey()
  await using phone = await openPerson(site.url, { key, unsteady: true })
  await arriveWithEncryption(phone)
  await note(phone, 'first')

  // Another device finds out that signatures do not open the backup.
  await using laptop = await openPerson(site.url, { key, unsteady: true })
  await arrive(laptop, settings)
  await press(laptop, 'Unlock with your wallet')
  await laptop.page.getByText('This wallet can’t unlock these messages').first().waitFor()

  await phone.page.goto(settings)
  await phone.page.getByText('Your wallet can’t unlock these messages').waitFor()
  await press(phone, 'Show the recovery code')
  const dialog = phone.page.getByRole('dialog', { name: 'Write this code down' })
  const code = await dialog.getByText(/^([0-9A-Z]{4}-){7}[0-9A-Z]{4}$/).textContent()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await phone.page.getByText('Your recovery code can unlock these messages').waitFor()

  // The laptop makes a new key without the code, and opens the older one with it later.
  await laptop.page.goto(settings)
  await press(laptop, 'Start over…')
  await press(laptop, 'Make a new key')
  await encryptionIsOn(laptop)
  await laptop.page.getByText('One older key is not open on this device.').waitFor()
  await laptop.page.getByLabel('Recovery code').fill('not the code')
  await press(laptop, 'Unlock')
  await laptop.page.getByText('Wrong recovery code.').waitFor()
  await laptop.page.getByLabel('Recovery code').fill(code!.toLowerCase().replaceAll('-', ' '))
  await press(laptop, 'Unlock')
  await laptop.page.getByText('One older key').waitFor({ state: 'detached' })
  await visit(laptop, `/dm/${laptop.address}`)
  await bubble(laptop, 'first').waitFor()

  await visit(phone, `/dm/${phone.address}`)
  await bubble(phone, 'first').waitFor()
  expect([...phone.complaints, ...laptop.complaints]).toEqual([])
})

test.concurrent('a second signature shows that a wallet signs the same; then no recovery code is kept', async ({
  expect,
}) => {
  const key = generatePrivateKey()
  await using phone = await openPerson(site.url, { key })
  await arriveWithEncryption(phone)
  await press(phone, 'Check that it works')
  await phone.page.getByText('Your wallet can unlock these messages on other devices.').waitFor()
  expect(phone.signed).toHaveLength(3)
  const backup = await backupOf(phone)
  expect(backup).toMatchObject({ steady: true, keys: [{ locks: [{ kind: 'signature' }] }] })
  expect(backup.keys[0].locks).toHaveLength(1)
  // What another device has seen is not asked again.
  await using laptop = await openPerson(site.url, { key })
  await arrive(laptop, settings)
  await press(laptop, 'Unlock with your wallet')
  await encryptionIsOn(laptop)
  expect(laptop.signed).toHaveLength(2)
})

test.concurrent('a device goes on with its keys when the service loses them or goes back to earlier ones, and can store them again', async ({
  expect,
}) => {
  const key = generatePrivateKey()
  await using phone = await openPerson(site.url, { key })
  await arriveWithEncryption(phone)
  const asPhone = await site.service.as(phone.address)
  const [first] = await asPhone.getKey({ address: phone.address })
  await note(phone, 'first')
  await visit(phone, settings)
  await press(phone, 'Make a new key…')
  await press(phone, 'Make a new key')
  await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
  await note(phone, 'second')

  const { address, public_key, signature, backup } = first!
  for (const [text, put] of [
    [
      'third',
      () => asPhone.publishKey({ address, body: { address, public_key, signature, backup: backup! } }),
    ],
    ['fourth', () => site.service.ctx.db.query('delete from keys where address = $1', [address])],
  ] as const) {
    await put()
    await phone.page.reload()
    await bubble(phone, 'first').waitFor()
    await bubble(phone, 'second').waitFor()
    await note(phone, text)
    await visit(phone, settings)
    await phone.page.getByText('has lost a key of yours').waitFor()
    await press(phone, 'Store them again')
    await phone.page.getByText('has lost a key of yours').waitFor({ state: 'detached' })
    expect((await backupOf(phone)).keys).toHaveLength(2)
    await visit(phone, `/dm/${address}`)
  }
  expect(phone.complaints).toEqual([])
})

test.concurrent('a throw-away key needs no question and no code', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  await alice.page.goto('/')
  await press(alice, 'Try without a wallet')
  await alice.page.getByRole('heading', { name: 'Chats' }).waitFor()
  await turnOnEncryption(alice)
  await encryptionIsOn(alice)
  await alice.page.getByText('Your wallet can unlock these messages on other devices.').waitFor()
  expect(alice.signed).toEqual([])
})
