// The pages of the settings, the links to them, and what is offered above the conversations.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faults } from './axe.ts'
import { arrive, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()
const root = path.join(import.meta.dirname, '../..')

/** What links to a card of the settings end with, in the docs, the client and the service. */
function linked(): string[] {
  const found = new Set<string>()
  for (const folder of ['docs', 'web/src', 'server/src', 'sdk/src'])
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/\.(?:md|tsx?)$/.test(name))
        for (const [, card] of readFileSync(path.join(root, folder, name), 'utf8').matchAll(
          /\/settings#([a-z][a-z-]*)/g,
        ))
          found.add(card!)
  return [...found]
}

const nav = ({ page }: Person) => page.getByRole('navigation', { name: 'Settings' })

test('settings are pages beside their list; a link to a card leads to the page that has it', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/settings')
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await nav(alice).getByRole('link').allInnerTexts()).toHaveLength(8)
  await nav(alice).getByRole('link', { name: 'Appearance' }).click()
  await page.waitForURL('**/settings/appearance')
  await page.getByRole('radio', { name: 'Dark' }).waitFor({ state: 'attached' })
  expect(await nav(alice).getByRole('link', { name: 'Appearance' }).getAttribute('aria-current')).toBe('page')
  const cards = linked()
  expect(cards).toContain('api-keys')
  for (const card of [...cards, 'encryption', 'webhooks', 'push', 'data']) {
    await visit(alice, `/settings#${card}`)
    await page.waitForURL((url) => /^\/settings\/[a-z]+$/.test(url.pathname) && url.hash === `#${card}`)
    await page.locator(`#${card}`).waitFor()
  }
  await visit(alice, '/settings/nothing')
  await page.waitForURL('**/settings')
  expect(alice.complaints).toEqual([])
})

test.each([390, 320])(
  'on a phone of %i px the list comes first, then a page with a way back',
  async (width) => {
    await using alice = await openPerson(site.url, { viewport: { width, height: 844 }, colorScheme: 'dark' })
    const { page } = alice
    await arrive(alice)
    await visit(alice, '/settings')
    const row = nav(alice).getByRole('link', { name: 'Encryption' })
    await row.waitFor()
    expect((await row.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    expect(await page.getByRole('main').getByLabel('Name', { exact: true }).isVisible()).toBe(false)
    expect(await faults(page, { screenOnly: true })).toEqual([])
    await row.click()
    await page.getByRole('button', { name: 'Turn on encryption' }).waitFor()
    expect(await nav(alice).isVisible()).toBe(false)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await row.waitFor()
  },
)

test('encryption is explained once, and is one row afterwards; the first page has one solid button', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice)
  const { page } = alice
  const card = page.getByRole('heading', { name: 'Encrypt your messages?' })
  await card.waitFor()
  await page.getByRole('button', { name: 'Copy link' }).filter({ visible: true }).waitFor()
  const solid = page.locator('button.bg-accent, a.bg-accent').filter({ visible: true })
  expect(await solid.allInnerTexts()).toEqual(['New conversation'])
  await page.reload()
  await card.waitFor()
  // A tab that is opened later.
  const later = await alice.context.newPage()
  await later.goto('/')
  const row = later.getByRole('link', { name: 'Turn on encryption' })
  await row.waitFor()
  expect((await row.boundingBox())!.height).toBe(44)
  expect(await later.getByRole('heading', { name: 'Encrypt your messages?' }).count()).toBe(0)
  await row.click()
  await later.waitForURL('**/settings/encryption')
  expect(alice.complaints).toEqual([])
})
