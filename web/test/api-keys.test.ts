import { expect, test } from 'vitest'
import { clientOf, newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, openPerson, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const phone = {
  viewport: { width: 320, height: 640 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
} as const

test.concurrent('a key is made, shown once and copied, does what was chosen and nothing else, and is deleted', async () => {
  await using alice = await openPerson(site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, address } = alice
  await arrive(alice, '/settings/developer')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const form = page.getByRole('dialog', { name: 'Make a key' })
  const make = form.getByRole('button', { name: 'Make the key' })
  expect(await make.isDisabled()).toBe(true)
  await form.getByLabel('Name', { exact: true }).fill('Alerts of my server')
  expect(await make.isDisabled()).toBe(true)
  await form.getByLabel('Read my messages').check()
  await form.getByLabel('Answer people').check()
  const peer = newWallet()
  await form.getByLabel(/^Only to/).fill('no address')
  await make.click()
  await form
    .getByRole('alert')
    .getByText(/dm:send:<address>/)
    .waitFor()
  await form.getByLabel(/^Only to/).fill(peer)
  expect(await faults(page)).toEqual([])
  await make.click()

  const shown = page.getByRole('dialog', { name: 'Copy your key' })
  const key = (await shown.getByText(/^prl_/).textContent())!
  await shown.getByRole('button', { name: 'Copy' }).click()
  // On the page it would be below the dialog, and inert.
  await shown.getByText('Key copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  expect(await faults(page)).toEqual([])
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText(`Read my messages, Answer people (${peer})`).waitFor()
  expect(await page.content()).not.toContain(key)

  const program = clientOf(site.service.app, { token: key })
  expect(await program.getInbox({ address })).toEqual([])
  const send = (toaddr: string) =>
    program.sendDirectMessage({ body: { fromaddr: address, toaddr, message: 'gm' } })
  await expect(send(peer)).rejects.toMatchObject({
    message: expect.stringContaining('begins no conversations'),
  })
  await expect(send(newWallet())).rejects.toMatchObject({ message: expect.stringContaining('dm:send') })
  const days = (Date.parse((await program.getApiKey())[0]!.expires_at!) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(90)

  await page.getByRole('button', { name: 'Delete the key Alerts of my server' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this key?' })
  expect(await faults(page)).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await program.getInbox({ address })).toEqual([])
  await page.getByRole('button', { name: 'Delete the key Alerts of my server' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Key deleted').waitFor()
  await page
    .getByRole('button', { name: 'Delete the key Alerts of my server' })
    .waitFor({ state: 'detached' })
  await expect(program.getInbox({ address })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(alice.complaints).toEqual([])
})

test.concurrent('on a phone all of it fits, and a key that has expired is marked', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page, address } = alice
  const client = await site.service.as(address)
  const label = `a-very-long-name-without-any-space-${'x'.repeat(60)}`
  const expires_at = new Date(Date.now() + 500).toISOString()
  await client.createApiKey({ body: { label, scopes: [`dm:send:${newWallet()}`, 'chat:post'], expires_at } })
  await new Promise((resolve) => setTimeout(resolve, 600))
  await arrive(alice)
  await visit(alice, '/settings/developer')
  await page.getByText(/, expired /).waitFor()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Make a key' }).click()
  const form = page.getByRole('dialog', { name: 'Make a key' })
  await form.getByLabel('Name', { exact: true }).fill('Phone')
  await form.getByLabel('Post in chats').check()
  await form.getByLabel(/^Only in/).fill('Gardeners')
  expect(await form.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
  expect(await faults(page)).toEqual([])
  await form.getByText('Until I delete it').click()
  await form.getByRole('button', { name: 'Make the key' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your key' })
  await shown.getByText(/^prl_/).waitFor()
  expect(await shown.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
  expect(await faults(page)).toEqual([])
  const [, made] = await client.listApiKeys()
  expect(made).toEqual({
    id: expect.any(String),
    label: 'Phone',
    scopes: ['chat:Gardeners:post'],
    created_at: expect.any(String),
  })
})
