// What is typed in a dialog, or shown in one once, is not lost by a stray key or click.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test } from 'vitest'
import { newName, newWallet } from '../../testing/service/service.ts'
import { arrive, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const said = (dialog: Locator) => dialog.getByText('Close again to discard what you wrote.')
const outside = (page: Page) => page.mouse.click(5, 400)
const escape = (page: Page) => page.keyboard.press('Escape')
const back = (page: Page) => page.evaluate(() => history.back())

/** Dialogs of different kinds, each with a field and what is changed there. */
const dialogs: {
  name: string | RegExp
  /** The page with the button that opens it, for this wallet. */
  path: (me: string) => string | Promise<string>
  open: string
  change: (dialog: Locator) => Promise<void>
}[] = [
  {
    name: 'Make a key',
    path: () => '/settings/developer',
    open: 'Make a key',
    change: (dialog) => dialog.getByLabel('Read my messages').check(),
  },
  {
    name: 'Make a hook',
    path: () => '/settings/developer',
    open: 'Make a hook',
    change: (dialog) => dialog.getByLabel('The chat').pressSequentially('pier'),
  },
  {
    name: 'New room',
    path: async (me) => {
      const community = newName('town')
      await (await site.service.as(me)).createCommunity({ body: { community } })
      return `/c/${community}/moderation`
    },
    open: 'New room',
    change: (dialog) => dialog.getByLabel('Title').pressSequentially('Tools'),
  },
  {
    name: /^Report /,
    path: async (me) => {
      const eve = newWallet()
      const client = await site.service.as(eve)
      await client.sendDirectMessage({ body: { fromaddr: eve, toaddr: me, message: 'buy my coin' } })
      return `/dm/${eve}`
    },
    open: 'Report and block',
    change: (dialog) => dialog.getByLabel('Anything else? (optional)').pressSequentially('They write daily'),
  },
]

test.each(dialogs)(
  'the dialog “$name” asks before it discards what was changed',
  async ({ name, path: at, open, change }) => {
    await using alice = await openPerson(site.url)
    const { page } = alice
    await arrive(alice, await at(alice.address))
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

/** Clicks and goes back within the page, so that nothing has time to be drawn in between. */
const atOnce = (page: Page, steps: ('open' | 'back' | 'escape')[]) =>
  page.evaluate(async (all) => {
    const opener = [...document.querySelectorAll('button')].find((one) =>
      one.textContent.endsWith('Make a hook'),
    )!
    const isOpen = () => document.querySelector('dialog') !== null
    for (const step of all) {
      if (step === 'open') opener.click()
      else if (step === 'back') history.back()
      else
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      if (step === 'back') continue
      // React draws what a key or a click changes before the next task.
      for (let turns = 0; isOpen() !== (step === 'open'); turns++)
        await new Promise<void>((resolve) => {
          if (turns < 50) queueMicrotask(resolve)
          else setTimeout(resolve)
        })
    }
  }, steps)

test('Back closes a dialog that has just opened; one that opens as another closes has its own place to go back from', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/settings')
  await page.getByRole('link', { name: 'Developer' }).click()
  await page.getByRole('button', { name: 'Make a hook' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Make a hook' })
  for (let i = 0; i < 5; i++) {
    await atOnce(page, ['open', 'back'])
    await dialog.waitFor({ state: 'detached' })
  }
  for (let i = 0; i < 5; i++) {
    await atOnce(page, ['open', 'escape', 'open'])
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(history.state)), { timeout: 10_000 })
      .toContain('dialogs')
    await back(page)
    await dialog.waitFor({ state: 'detached' })
  }
  expect(new URL(page.url()).pathname).toBe('/settings/developer')
  expect(alice.complaints).toEqual([])
})

test('closing counts as meant only within five seconds; typing over it or taking it back asks no more', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await page.clock.install()
  await arrive(alice, '/settings/developer')
  await page.getByRole('button', { name: 'Make a hook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a hook' })
  const field = dialog.getByLabel('Name', { exact: true })
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

test('a search is nothing that gets lost: the dialog closes without a question', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/settings')
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  for (const leave of [outside, escape, back]) {
    await page.getByRole('button', { name: 'New conversation' }).first().click()
    await dialog.getByLabel('Wallet address or name').fill('somebody')
    await leave(page)
    await dialog.waitFor({ state: 'detached' })
  }
  expect(alice.complaints).toEqual([])
})

test('each dialog of the client is the one that looks at its fields by itself', () => {
  const src = path.join(import.meta.dirname, '../src')
  const filesWith = (text: string) =>
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && readFileSync(path.join(src, name), 'utf8').includes(text))
      .toSorted()
  // All are opened by one function, by which notices are shown in the one on top.
  expect(filesWith('.showModal(')).toEqual(['ui/show-modal.ts'])
  // In these nothing would be lost: a viewer has no field, and what is typed in the others finds something.
  expect(filesWith('{ showModal }')).toEqual([
    'files/Viewer.tsx',
    'messages/emoji/EmojiPicker.tsx',
    'search/JumpToDate.tsx',
    'shell/Palette.tsx',
    'ui/Modal.tsx',
  ])
})

/** What asks for a secret that is shown once. */
const secrets = [
  {
    what: 'key',
    open: 'Make a key',
    make: 'Make the key',
    shown: 'Copy your key',
    fill: async (form: Locator) => {
      await form.getByLabel('Name', { exact: true }).fill('Alerts')
      await form.getByLabel('Read my messages').check()
    },
  },
  {
    what: 'address',
    open: 'Make a hook',
    make: 'Make the hook',
    shown: 'Copy the address of your hook',
    fill: async (form: Locator) => {
      await form.getByLabel('Name', { exact: true }).fill('Builds')
      await form.getByLabel('The chat').fill('pier')
    },
  },
  {
    what: 'secret',
    open: 'Add a webhook',
    make: 'Add it',
    shown: 'Copy the secret',
    fill: (form: Locator) => form.getByLabel('Address', { exact: true }).fill('https://example.org/hook'),
  },
]

test('what answers with a secret once is asked for only below the component that keeps it', () => {
  const src = path.join(import.meta.dirname, '../src')
  const makers = Object.entries(contract).flatMap(([name, endpoint]) =>
    /^(create|rotate)/.test(name) &&
    /only (in the answer|when it is made)/.test(JSON.stringify('response' in endpoint && endpoint.response))
      ? [name]
      : [],
  )
  expect(makers.toSorted()).toEqual(['createApiKey', 'createIncomingHook', 'createWebhook', 'rotateWebhook'])
  const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(path.join(src, name), 'utf8')] as const)
  for (const maker of makers) {
    const asking = texts.filter(([, text]) => text.includes(`client.${maker}(`))
    expect(asking, maker).toHaveLength(1)
    for (const [name, text] of asking) expect(text.includes('<MadeOnce'), name).toBe(true)
  }
})

async function openMaker(): Promise<Person> {
  const alice = await openPerson(site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const client = await site.service.as(newWallet())
  await client.createCommunity({ body: { community: 'pier' } }).catch(() => {})
  await arrive(alice, '/settings/developer')
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
      .getByText(/pr[lh]_|whsec_/)
      .first()
      .waitFor()
    await shown.getByRole('button', { name: `Copy the ${what}` }).click()
    await question.waitFor({ state: 'detached' })
    await escape(page)
    await shown.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/pr[lh]_|whsec_/)
    expect(alice.complaints).toEqual([])
  },
)

test.each(secrets)(
  'a $what that is being made is not lost by closing twice meanwhile',
  async ({ open, make, shown: title, fill }) => {
    await using alice = await openMaker()
    const { page } = alice
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/api_keys|incoming_hooks|webhooks/, async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await page.getByRole('button', { name: open }).click()
    const form = page.getByRole('dialog', { name: open })
    await fill(form)
    await form.getByRole('button', { name: make }).click()
    await form.locator('[aria-busy=true]').waitFor()
    for (const leave of [escape, outside, back, escape]) {
      await leave(page)
      await form.getByText('It is being made. If you close now, you never see its secret.').waitFor()
    }
    letGo()
    await page
      .getByRole('dialog', { name: title })
      .getByText(/pr[lh]_|whsec_/)
      .first()
      .waitFor()
    expect(alice.complaints).toEqual([])
  },
)

test('another secret of a webhook stays until it was copied', async () => {
  await using alice = await openMaker()
  const { page } = alice
  const client = await site.service.as(alice.address)
  await client.createWebhook({ body: { url: 'https://example.org/hook', events: ['message.direct'] } })
  await page.reload()
  await page.getByRole('button', { name: 'Change the secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change it' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the secret' })
  await shown.getByText(/The old secret works until/).waitFor()
  await escape(page)
  await shown.getByText('You have not copied this secret. Close anyway?').waitFor()
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await shown.waitFor({ state: 'detached' })
})

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
  await form.getByLabel('Name', { exact: true }).fill('Alerts')
  await form.getByLabel('Read my messages').check()
  await form.getByRole('button', { name: 'Make the key' }).click()
  const asking = page.getByRole('dialog', { name: 'Sign in again' })
  await asking.getByText('You signed in more than an hour ago.').waitFor()
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await form
    .getByRole('alert')
    .getByText(/Nothing was changed/)
    .waitFor()
  expect(await client.listApiKeys()).toEqual([])
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Alerts')

  await form.getByRole('button', { name: 'Make the key' }).click()
  await asking.getByRole('button', { name: 'Sign in again' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your key' })
  await shown.getByText(/^prl_/).waitFor()
  expect(await shown.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  expect(await client.listApiKeys()).toHaveLength(1)
  expect(alice.complaints).toEqual([])
})
