import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, eventually, openPerson, type Person, turnTo, visit } from './person.ts'
import { useSite } from './site.ts'
import { fill, punks } from './places.ts'

const site = useSite()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const inbox = ({ page }: Person) => page.getByRole('heading', { name: 'Chats' }).waitFor()
const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const pathOf = ({ page }: Person) => new URL(page.url()).pathname

test.concurrent('the arrow of a conversation goes back, and so the phone’s own Back leaves the app from the inbox', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page } = alice
  await arrive(alice)
  const entries = await page.evaluate(() => history.length)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  await (
    await site.service.as(bob)
  ).sendDirectMessage({
    body: { fromaddr: bob, toaddr: alice.address, message: 'gm' },
  })
  const position = () => page.evaluate(() => (history.state as { idx: number }).idx)
  const before = await position()
  await page.getByRole('link', { name: /gm/ }).click()
  await field(alice).waitFor()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await inbox(alice)
  expect(await position()).toBe(before)
  expect(await page.evaluate(() => history.length)).toBe(entries + 1)

  // Opened by a link there is nothing to go back to but the inbox, which takes its place.
  await page.goto('about:blank')
  const opened = await alice.context.newPage()
  await opened.goto(`/dm/${bob}`)
  await opened.getByRole('textbox', { name: /^Message / }).waitFor()
  const length = await opened.evaluate(() => history.length)
  await opened.getByRole('link', { name: 'Back', exact: true }).click()
  await opened.getByRole('heading', { name: 'Chats' }).waitFor()
  expect(await opened.evaluate(() => history.length)).toBe(length)
})

test.concurrent('Back closes a dialog and stays on its page; a page opened from it leads back past it', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page } = alice
  await arrive(alice)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await inbox(alice)
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  const open = () => page.getByRole('button', { name: 'New conversation' }).first().click()

  await open()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await inbox(alice)

  // Closed otherwise, it leaves nothing behind in the history.
  const position = () => page.evaluate(() => (history.state as { idx: number }).idx)
  const before = await position()
  await open()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await eventually(position, (value) => expect(value).toBe(before))

  await open()
  await dialog.getByLabel('Wallet address or name').fill(newWallet())
  await dialog.getByLabel('Wallet address or name').press('Enter')
  await field(alice).waitFor()
  await page.goBack()
  await inbox(alice)
  await eventually(position, (value) => expect(value).toBe(before))
  expect(await dialog.count()).toBe(0)

  await open()
  await dialog.waitFor()
  await page.reload()
  await inbox(alice)
  expect(await dialog.count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test.concurrent('who does not add another wallet after all is back where they were', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page } = alice
  await arrive(alice)
  const position = () => page.evaluate(() => (history.state as { idx: number }).idx)
  const before = await position()
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Add another wallet' }).click()
  await page.getByRole('button', { name: /^Back to 0x/ }).click()
  await inbox(alice)
  expect(await position()).toBe(before)
})

test.concurrent('after a community was created, Back does not lead to its form', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page } = alice
  await arrive(alice)
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByRole('link', { name: 'Create a community' }).click()
  await page.getByRole('main').getByLabel('Name', { exact: true }).fill('walkers')
  await page.getByRole('button', { name: 'Create community' }).click()
  await page.waitForURL('**/c/walkers')
  await page.goBack()
  await inbox(alice)
  expect(pathOf(alice)).toBe('/')
})

/** What can be touched and is smaller than 44 pixels, the area around it included that reacts too. */
const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const selector =
      'button, a[href], input:not([type=file]), select, [role=tab], [role=switch], [role=menuitem]'
    // A second way to what a target beside it does.
    const again = 'button[tabindex="-1"]:not([role]), [role=log] [aria-label^="Profile of"]'
    const isText = (element: Element) =>
      element.matches('a') && getComputedStyle(element).display === 'inline'
    const reacts = (element: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y)
      const target = element.matches('input') ? (element.closest('label') ?? element) : element
      return hit !== null && (target.contains(hit) || hit.contains(element))
    }
    return Array.from(document.querySelectorAll(selector)).flatMap((element) => {
      // What is shown only to the keyboard is not touched.
      if (
        isText(element) ||
        element.matches(`.sr-only, ${again}`) ||
        !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
        return []
      element.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      // Hidden inputs of radios and the like, whose label is the target.
      if (width < 2 || height < 2) return []
      const [x, y] = [left + width / 2, top + height / 2]
      const wide = width >= 44 || (reacts(element, x - 21.5, y) && reacts(element, x + 21.5, y))
      const high = height >= 44 || (reacts(element, x, y - 21.5) && reacts(element, x, y + 21.5))
      return wide && high
        ? []
        : [`${element.outerHTML.slice(0, 140)} ${Math.round(width)}x${Math.round(height)}`]
    })
  })

test.concurrent('what is touched is 44 pixels high and wide, no page is wider than the screen, and each leads back', async () => {
  await using alice = await openPerson(site.url, { ...phone, viewport: { width: 360, height: 740 } })
  const { page } = alice
  await page.goto('/')
  await page.getByRole('button', { name: 'Try without a wallet' }).waitFor()
  expect(await smallTargets(page), 'sign in').toEqual([])
  await arrive(alice)
  const peers = [newWallet(), newWallet()]
  await fill(site.service, alice, peers, 'touch')
  const places: [string, string][] = [
    ['/', 'Alice'],
    [`/dm/${peers[0]}`, 'not going anywhere'],
    [`/nft/${punks}`, 'projector'],
    [`/nft/${punks}/721`, 'What a hat.'],
    [`/nft/${punks}/about`, 'Members'],
    ['/communities', 'Communities'],
    ['/communities/new', 'Links'],
    ['/settings', 'Your data'],
  ]
  for (const [path, text] of places) {
    await turnTo(alice, path, text)
    expect(await smallTargets(page), path).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(360)
    if (path !== '/') await page.getByRole('link', { name: 'Back', exact: true }).waitFor()
  }
  await visit(alice, '/')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByLabel('Wallet address or name').waitFor()
  expect(await smallTargets(page), 'new conversation').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await smallTargets(page), 'account menu').toEqual([])
})

test.concurrent('nothing lies under the notch or the bar of a phone', async () => {
  await using alice = await openPerson(site.url, phone)
  const { page } = alice
  const devtools = await alice.context.newCDPSession(page)
  // The parameters are newer than the types of the protocol.
  const insets = { insets: { top: 47, bottom: 34, left: 0, right: 0 } } as never
  await devtools.send('Emulation.setSafeAreaInsetsOverride' as never, insets)
  await arrive(alice)
  const place = async (name: 'top' | 'bottom', element: ReturnType<Page['locator']>) => {
    const { y, height } = (await element.boundingBox())!
    return name === 'top' ? y : y + height
  }
  expect(
    await place('top', page.getByRole('button', { name: 'Your wallets and settings' })),
  ).toBeGreaterThanOrEqual(47)
  await visit(alice, `/dm/${newWallet()}`)
  expect(await place('top', page.getByRole('link', { name: 'Back', exact: true }))).toBeGreaterThanOrEqual(47)
  expect(await place('bottom', field(alice))).toBeLessThanOrEqual(844 - 34)
  await visit(alice, '/settings/data')
  const last = page.getByRole('button', { name: 'Erase my wallet here' })
  const toTheEnd = async () => {
    await page.locator('main .overflow-y-auto').evaluate((element) => element.scrollTo(0, 99_999))
    return place('bottom', last)
  }
  await eventually(toTheEnd, (value) => expect(value).toBeLessThanOrEqual(844 - 34))
})

test.concurrent('with forced colours the selected tab and row, unread numbers and switches are still told apart', async () => {
  await using alice = await openPerson(site.url, { forcedColors: 'active' })
  const { page } = alice
  await arrive(alice)
  const [bob, carol] = [newWallet(), newWallet()]
  await acquaint(site.service, alice, bob, carol)
  for (const peer of [bob, carol])
    await (
      await site.service.as(peer)
    ).sendDirectMessage({
      body: { fromaddr: peer, toaddr: alice.address, message: `from ${peer}` },
    })
  await page.getByRole('link', { name: new RegExp(`from ${bob}`) }).click()
  await field(alice).waitFor()
  const outline = (element: ReturnType<Page['locator']>) =>
    element.evaluate((found) => getComputedStyle(found).outlineStyle)
  await page.getByRole('heading').first().focus()
  expect(await outline(page.getByRole('tab', { name: /^All/ }))).toBe('solid')
  expect(await outline(page.getByRole('tab', { name: /^Direct/ }))).toBe('none')
  expect(await outline(page.locator('nav a[aria-current=page]'))).toBe('solid')
  expect(await outline(page.getByRole('link', { name: new RegExp(`from ${carol}`) }))).toBe('none')
  const badge = page
    .getByRole('link', { name: new RegExp(`from ${carol}`) })
    .getByText('1 unread')
    .locator('..')
  expect(await badge.evaluate((found) => getComputedStyle(found).borderStyle)).toBe('solid')
})
