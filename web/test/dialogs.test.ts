// What is typed in a dialog, or shown in one once, is not lost by a stray key or click.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service.ts'
import { arrive, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const said = (dialog: Locator) => dialog.getByText('Close again to discard what you wrote.')
const outside = (page: Page) => page.mouse.click(5, 400)
const escape = (page: Page) => page.keyboard.press('Escape')
const back = (page: Page) => page.evaluate(() => history.back())

/** Dialogs of different kinds, each with a field and what is changed there. */
const dialogs: { name: string; path: string; open: string; change: (dialog: Locator) => Promise<void> }[] = [
  {
    name: 'New conversation',
    path: '/settings',
    open: 'New conversation',
    change: (dialog) => dialog.getByLabel('Wallet address or name').fill('0x12'),
  },
  {
    name: 'Make a key',
    path: '/settings',
    open: 'Make a key',
    change: (dialog) => dialog.getByLabel('Read my messages').check(),
  },
  {
    name: 'Make a hook',
    path: '/settings',
    open: 'Make a hook',
    change: (dialog) => dialog.getByLabel('The chat').pressSequentially('pier'),
  },
]

test.each(dialogs)(
  'the dialog “$name” asks before it discards what was changed',
  async ({ name, path: at, open, change }) => {
    await using alice = await openPerson(site.url)
    const { page } = alice
    await arrive(alice, at)
    const dialog = page.getByRole('dialog', { name })
    const begin = () => page.getByRole('button', { name: open }).first().click()
    for (const leave of [outside, escape, back]) {
      await begin()
      await dialog.waitFor()
      // Nothing was changed: it closes at once.
      await leave(page)
      await dialog.waitFor({ state: 'detached' })
      await begin()
      await change(dialog)
      await leave(page)
      await said(dialog).waitFor()
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
      await leave(page)
      await dialog.waitFor({ state: 'detached' })
    }
    expect(alice.complaints).toEqual([])
  },
)

test('closing counts as meant only within five seconds; typing over it or taking it back asks no more', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await page.clock.install()
  await arrive(alice, '/settings')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  const field = dialog.getByLabel('Wallet address or name')
  await field.fill('somebody')
  await escape(page)
  await said(dialog).waitFor()
  await page.clock.runFor(6000)
  await said(dialog).waitFor({ state: 'detached' })
  await escape(page)
  await said(dialog).waitFor()
  expect(await field.inputValue()).toBe('somebody')
  await page.clock.runFor(6000)
  await said(dialog).waitFor({ state: 'detached' })
  // From the inside to the outside: a selection, and no click outside.
  const box = (await field.boundingBox())!
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(5, 400)
  await page.mouse.up()
  expect(await said(dialog).count()).toBe(0)
  await field.fill('')
  await escape(page)
  await dialog.waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test('each dialog of the client is the one that looks at its fields by itself', () => {
  const src = path.join(import.meta.dirname, '../src')
  const opening = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && readFileSync(path.join(src, name), 'utf8').includes('showModal('),
  )
  // The palette has nothing that would be lost: what is typed there finds a page.
  expect(opening.toSorted()).toEqual(['shell/Palette.tsx', 'ui/Modal.tsx'])
})

/** What asks for a secret that is shown once. */
const secrets = [
  {
    what: 'key',
    open: 'Make a key',
    make: 'Make the key',
    shown: 'Copy your key',
    fill: async (form: Locator) => {
      await form.getByLabel('What it is for').fill('Alerts')
      await form.getByLabel('Read my messages').check()
    },
  },
  {
    what: 'address',
    open: 'Make a hook',
    make: 'Make the hook',
    shown: 'Copy the address of your hook',
    fill: async (form: Locator) => {
      await form.getByLabel('What it is for').fill('Builds')
      await form.getByLabel('The chat').fill('pier')
    },
  },
]

async function openMaker(): Promise<Person> {
  const alice = await openPerson(site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const client = await site.service.as(newWallet())
  await client.createCommunity({ body: { community: 'pier' } }).catch(() => {})
  await arrive(alice, '/settings')
  return alice
}

test.each(secrets)(
  'a $what that is shown once stays until it was copied or confirmed',
  async ({ what, open, make, shown: title, fill }) => {
    await using alice = await openMaker()
    const { page } = alice
    await page.getByRole('button', { name: open }).click()
    const form = page.getByRole('dialog', { name: open })
    await fill(form)
    await form.getByRole('button', { name: make }).click()
    const shown = page.getByRole('dialog', { name: title })
    const question = shown.getByText(`You have not copied this ${what}. Close anyway?`)
    await shown.waitFor()
    for (const leave of [outside, escape, back, escape]) {
      await leave(page)
      await question.waitFor()
    }
    await shown.getByRole('button', { name: 'Close', exact: true }).click()
    await shown
      .getByText(/pr[lh]_/)
      .first()
      .waitFor()
    await shown.getByRole('button', { name: `Copy the ${what}` }).click()
    await question.waitFor({ state: 'detached' })
    await escape(page)
    await shown.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/pr[lh]_/)
    expect(alice.complaints).toEqual([])
  },
)

test('what takes a fresh sign-in goes on by itself after the signature; refused, all is as it was', async () => {
  await using alice = await openMaker()
  const { page, address } = alice
  const client = await site.service.as(address)
  await site.service.ctx.db.query(
    'update sessions set created_ms = created_ms - 3600000 where walletaddr = $1',
    [address],
  )
  await page.reload()
  await page.getByRole('button', { name: 'Make a key' }).click()
  const form = page.getByRole('dialog', { name: 'Make a key' })
  await form.getByLabel('What it is for').fill('Alerts')
  await form.getByLabel('Read my messages').check()
  await form.getByRole('button', { name: 'Make the key' }).click()
  const asking = page.getByRole('dialog', { name: 'Sign in again' })
  await asking.getByText('You signed in more than an hour ago.').waitFor()
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await form
    .getByRole('alert')
    .getByText(/nothing was done/)
    .waitFor()
  expect(await client.listApiKeys()).toEqual([])
  expect(await form.getByLabel('What it is for').inputValue()).toBe('Alerts')

  await form.getByRole('button', { name: 'Make the key' }).click()
  await asking.getByRole('button', { name: 'Sign in again' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your key' })
  await shown.getByText(/^prl_/).waitFor()
  expect(await shown.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  expect(await client.listApiKeys()).toHaveLength(1)
  expect(alice.complaints).toEqual([])
})
