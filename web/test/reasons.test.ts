// A button that does nothing says why. `Button` has no `disabled`, so what is left are elements of another kind.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { suggestedName } from '../src/names/suggested-name.ts'
import { newWallet } from '../../testing/service/service.ts'
import { arrive, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const src = path.join(import.meta.dirname, '../src')

/** What may be disabled: a field while it is not known what it holds, and a button while it does what it was told. */
const allowed = /: (input|fieldset|Choice) |: button busy$|: Switch\.Root busy \|\| Boolean\(whyDisabled\)$/

test('no button is disabled but one that is busy: what does nothing says why', () => {
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const text = readFileSync(path.join(src, file), 'utf8')
      const elements = text.matchAll(/<([\w.]+)(?:[^<>]|=>)*?\sdisabled(?:=\{(.*?)\})?/gs)
      // Such as those that `cloneElement` gives.
      const others = text.matchAll(/\b(disabled): (.*)/g)
      return [...elements, ...others].map(([, element, value]) => `${file}: ${element} ${value ?? ''}`)
    })
  expect(found.filter((one) => !allowed.test(one))).toEqual([])
})

test.concurrent('the button that sends says why it does not, and a menu opens though its code comes later', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const letGo = Promise.withResolvers<void>()
  await page.route('**/assets/dropdown-menu*', async (route) => {
    await letGo.promise
    await route.continue()
  })
  await arrive(alice, `/dm/${newWallet()}`)
  const options = page.getByRole('button', { name: 'Conversation options' })
  await options.click()
  expect(await options.getAttribute('aria-busy')).toBe('true')
  letGo.resolve()
  await page.getByRole('menuitem', { name: 'View profile' }).waitFor()
  await page.keyboard.press('Escape')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await reasonOf(send, 'Write a message first.')
  const field = page.getByRole('textbox', { name: /^Message / })
  await field.fill('x'.repeat(200_000))
  await reasonOf(send, 'This is too long for a message. Split it in two.')
  await field.fill('gm')
  expect(await page.getByRole('alert').getByText('Write a message').count()).toBe(0)
  expect(await send.isEnabled()).toBe(true)
  await send.click()
  await page.getByRole('log').getByText('gm').waitFor()
  expect(alice.complaints).toEqual([])
})

test.each([
  ['Night Market', 'night-market'],
  ['  Night   Market ', 'night-market'],
  ['Painters', 'Painters'],
  ['rock & roll / berlin?', 'rock-roll-berlin'],
  ['Ärzte ohne Grenzen', 'ärzte-ohne-grenzen'],
  ['夜 市', '夜-市'],
  ['AC/DC', 'ac-dc'],
  ['example.org/x', 'example.org/x'],
  ['/ /', ''],
  ['', ''],
])('of %j the name %j is made', (typed, name) => expect(suggestedName(typed)).toBe(name))

/** Presses a button that does nothing and waits for its reason, which describes the button as well. */
async function reasonOf(button: Locator, reason: string | RegExp) {
  await button.click({ force: true })
  await button.page().getByRole('alert').getByText(reason).waitFor()
  const described = await button.getAttribute('aria-describedby')
  expect(await button.page().locator(`[id="${described}"]`).textContent()).toMatch(reason)
  expect(await button.isEnabled()).toBe(false)
}

const button = ({ page }: Person, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })

test.concurrent('the name of a community is suggested while one types, and it is created by it', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/communities/new')
  const field = page.getByRole('main').getByLabel('Name', { exact: true })
  await reasonOf(button(alice, 'Create community'), 'Enter a name with letters or digits.')
  await field.fill('Night Market')
  await page.getByText('It will be called “night-market”.').waitFor()
  expect(await page.getByRole('alert').getByText('Enter a name').count()).toBe(0)
  await field.press('Enter')
  await page.waitForURL('**/c/night-market')
  await page.getByRole('heading', { name: 'night-market' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('Enter in a field of a form that cannot be sent says why', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/communities/new')
  await page.getByRole('main').getByLabel('Name', { exact: true }).press('Enter')
  await page.getByRole('alert').getByText('Enter a name with letters or digits.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/communities/new')
})

test.concurrent('the name, an alias and a new key of settings have their reasons', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice, '/settings')
  await page.getByRole('main').getByLabel('Name', { exact: true }).press('Enter')
  await page.getByRole('alert').getByText('Enter a name.').waitFor()
  await visit(alice, '/settings/developer')
  await button(alice, 'Make a key').click()
  const dialog = page.getByRole('dialog')
  await reasonOf(dialog.getByRole('button', { name: 'Make the key' }), 'Enter a name.')
  await dialog.getByLabel('Name', { exact: true }).fill('x')
  await reasonOf(dialog.getByRole('button', { name: 'Make the key' }), 'Choose at least one permission.')
})

test.concurrent('with forced colours every button has a border, and no tail hides one of a bubble', async () => {
  await using alice = await openPerson(site.url, { forcedColors: 'active' })
  const { page } = alice
  const bob = newWallet()
  await (
    await site.service.as(bob)
  ).sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message: 'gm' } })
  await arrive(alice, `/dm/${bob}`)
  const accept = button(alice, 'Accept')
  const border = () =>
    accept.evaluate((element) => {
      const { borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element)
      return borderTopStyle === 'solid' && borderTopColor !== backgroundColor
    })
  await eventually(border, (value) => expect(value).toBe(true))
  const tails = page.getByRole('log').locator('svg[viewBox="0 0 8 14"]')
  expect(await tails.count()).toBeGreaterThan(0)
  expect(await tails.first().isVisible()).toBe(false)
  await visit(alice, '/communities/new')
  await button(alice, 'Create community').waitFor()
  const bare = await page.locator('main button').evaluateAll((buttons) =>
    buttons.flatMap((one) => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(one)
      return one.textContent && (borderTopStyle !== 'solid' || borderTopWidth === '0px')
        ? [one.textContent]
        : []
    }),
  )
  expect(bare).toEqual([])
})
