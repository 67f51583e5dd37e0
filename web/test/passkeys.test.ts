// A passkey opens an account of somebody without a wallet, and the messages of a wallet, in Chromium with an authenticator of
// its own.

import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { atName, plugIn } from './authenticator.ts'
import {
  arriveWithEncryption,
  bubble,
  encryptionIsOn,
  eventually,
  openPerson,
  type Person,
  say,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite(atName)
const url = () => site.url.replace('127.0.0.1', 'localhost')

const press = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true }).click()
const reads = ({ page }: Person, text: string | RegExp) =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor()
const isIn = ({ page }: Person) => page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })

/** Returns everything that the page stores as text, and the addresses that are signed in. */
async function storedBy({ page }: Person) {
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  )
  const accounts = await page.evaluate(() => localStorage.getItem('parley.accounts') ?? '{}')
  return { stored, address: (JSON.parse(accounts) as { current: string }).current }
}

test('who has no wallet writes after two taps, on each device that has the passkey, until the account is erased', async () => {
  await using guest = await openPerson(url(), { viewport: { width: 390, height: 844 } })
  const { page } = guest
  const unwilling = await plugIn(page, { agrees: false })
  await page.goto('/')
  await page.getByText(/It’s not for money/).waitFor()
  await press(guest, 'Continue with a passkey')
  await reads(guest, /No passkey was made: you cancelled.*Use a wallet or a temporary one instead/)
  await press(guest, 'I already have a passkey here')
  await reads(guest, /No passkey was used: you cancelled, or this device has none for localhost/)
  await unwilling.unplug()
  const device = await plugIn(page)
  await press(guest, 'Continue with a passkey')
  await isIn(guest)
  const { address, stored } = await storedBy(guest)
  await visit(guest, `/dm/${address}`)
  await say(guest, 'first words')
  await bubble(guest, 'first words').waitFor()

  // The key is shown after another check, and is nowhere in the clear.
  await visit(guest, '/settings/profile')
  await press(guest, 'Show private key…')
  const key = (await page.getByText(/^0x[0-9a-f]{64}$/).textContent()) as `0x${string}`
  expect(privateKeyToAccount(key).address.toLowerCase()).toBe(address)
  await press(guest, 'Done')
  const { db } = site.service.ctx
  const rows = await db.query<{ data: string }>('select data from guest_keys where walletaddr = $1', [
    address,
  ])
  expect(rows).toHaveLength(1)
  for (const text of [stored, (await storedBy(guest)).stored, JSON.stringify(rows)])
    expect(text).not.toContain(key.slice(2))

  await device.startAfresh('/')
  await press(guest, 'I already have a passkey here')
  await isIn(guest)
  await visit(guest, `/dm/${address}`)
  await bubble(guest, 'first words').waitFor()

  // A service that gives out other bytes is found out, and nobody is signed in.
  const keep = (data: string) =>
    db.query('update guest_keys set data = $2 where walletaddr = $1', [address, data])
  const { data } = rows[0]!
  await keep(`${data.slice(0, 40)}${data[40] === 'A' ? 'B' : 'A'}${data.slice(41)}`)
  await device.startAfresh('/')
  await press(guest, 'I already have a passkey here')
  await reads(guest, /gave out a changed key, which this passkey doesn’t open. You are not signed in/)
  await keep(data)
  await (await site.service.as(address)).eraseAccount({ address })
  await press(guest, 'I already have a passkey here')
  await reads(guest, /has nothing that this passkey opens: its account was erased/)
  // The passkey stays where it is: what the service says now may be wrong.
  expect(await device.passkeys()).toHaveLength(1)
  expect((await storedBy(guest)).address).toBeUndefined()
  expect(guest.complaints).toEqual([])
})

test('an account has passkeys on two devices; one whose passkeys keep no secret says so, and the other doors are there', async () => {
  await using guest = await openPerson(url())
  const { page } = guest
  const able = await plugIn(page)
  await page.goto('/')
  await press(guest, 'Continue with a passkey')
  await isIn(guest)
  const { address } = await storedBy(guest)
  const [passkey] = await able.passkeys()
  // The account can have a passkey on each of two devices.
  await visit(guest, '/settings/profile')
  await press(guest, 'Add another passkey')
  await reads(guest, 'This device already has a passkey for this.')
  await able.unplug()
  const second = await plugIn(page)
  await press(guest, 'Add another passkey')
  await page.getByText('This account has another passkey').waitFor()
  await second.startAfresh('/')
  await press(guest, 'I already have a passkey here')
  await isIn(guest)
  expect((await storedBy(guest)).address).toBe(address)
  await visit(guest, '/settings/profile')
  await second.refuse()
  await press(guest, 'Show private key…')
  await reads(guest, /No passkey was used/)
  expect(await page.getByText(/0x[0-9a-f]{64}/).count()).toBe(0)
  await second.startAfresh('/')
  await second.unplug()
  const device = await plugIn(page, { hasPrf: false })
  await press(guest, 'Continue with a passkey')
  await reads(guest, /can’t keep a secret, so the new one opens nothing. Delete the passkey for localhost/)
  await device.unplug()
  await (await plugIn(page)).receive(passkey!)
  await press(guest, 'I already have a passkey here')
  await reads(guest, /gives no secret in this browser, so it opens nothing here/)
  await press(guest, 'Try without a wallet')
  await isIn(guest)
  expect(guest.complaints).toEqual([])
})

test('a passkey unlocks the messages of a wallet on another device beside its signature, until it is removed', async () => {
  await using alice = await openPerson(url())
  const { page } = alice
  await plugIn(page)
  await arriveWithEncryption(alice)
  const locks = async () => {
    const [published] = await (await site.service.as(alice.address)).getKey({ address: alice.address })
    const { keys } = JSON.parse(published!.backup!) as { keys: { locks: { kind: string }[] }[] }
    return keys.at(-1)!.locks.map(({ kind }) => kind)
  }
  await press(alice, 'Add a passkey')
  await page.getByRole('button', { name: 'Remove the passkey' }).waitFor()
  await eventually(locks, (kinds) => expect(kinds).toEqual(['signature', 'passkey']))
  const signatures = alice.signed.length

  const forgetKeys = async () => {
    await page.evaluate(() => indexedDB.deleteDatabase('parley'))
    await page.reload()
  }
  await forgetKeys()
  await press(alice, 'Unlock with a passkey')
  await encryptionIsOn(alice)
  expect(alice.signed).toHaveLength(signatures)

  await press(alice, 'Remove the passkey')
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
  expect(await locks()).toEqual(['signature'])
  await forgetKeys()
  await page.getByRole('button', { name: 'Unlock with your wallet' }).waitFor()
  expect(await page.getByRole('button', { name: 'Unlock with a passkey' }).count()).toBe(0)
  expect(alice.complaints).toEqual([])
})
