import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWallet, type Service, startSite } from '../../testing/service.ts'
import { launchBrowser } from './browser.ts'
import { encryptionIsOn, openPerson, say, signIn, turnOnEncryption } from './person.ts'
import { fill, punks } from './places.ts'

let browser: Browser
let service: Service
let url: string
beforeAll(async () => {
  ;[browser, service] = await Promise.all([launchBrowser(), startSite()])
  url = await service.listen()
})
afterAll(async () => {
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
})

/** The faults that axe finds in what is shown now. */
async function faults(page: Page, menuOpen = false): Promise<string[]> {
  // Animations end first, so that final colours and places are measured.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  )
  await page.evaluate(axe.source)
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  // An open menu is outside of the page's regions. Only the rules beyond WCAG forbid that.
  if (!menuOpen) runOnly.push('best-practice')
  // Only texts leave the browser: axe's whole result takes longer to transfer than to compute.
  return page.evaluate(async (tags) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await run(document, { runOnly: tags, resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  }, runOnly)
}

/** An address that begins and ends like another. */
const likeAnother = (address: string) =>
  `${address.slice(0, 6)}${newWallet().slice(6, 38)}${address.slice(-4)}`

test.concurrent.each([
  { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
] as const)('axe finds nothing on any page: %o', { timeout: 60_000 }, async (screen) => {
  await using alice = await openPerson(browser, url, screen)
  const { page } = alice
  await page.goto('/')
  await page.getByRole('button', { name: 'Try it with a throw-away key' }).waitFor()
  expect(await faults(page), 'sign in').toEqual([])
  await signIn(alice)
  await page.getByText('No conversations yet').waitFor()
  expect(await faults(page), 'empty inbox').toEqual([])
  const peers = [newWallet(), newWallet()]
  await fill(service, alice, peers, screen.colorScheme)
  const places: [string, string][] = [
    ['/', 'Alice'],
    [`/dm/${peers[0]}`, 'not going anywhere'],
    [`/dm/${peers[0]}?nft=${punks}&token=721`, 'until Friday'],
    [`/nft/${punks}`, 'projector'],
    [`/nft/${punks}/721`, 'What a hat.'],
    [`/c/gallery${screen.colorScheme}`, 'projector'],
    ['/c/nowhere', 'No such community'],
    [`/c/gallery${screen.colorScheme}/about`, 'Members'],
    [`/nft/${punks}/about`, 'Members'],
    ['/communities', `gallery${screen.colorScheme}`],
    ['/communities/new', 'Where else it is found'],
    ['/settings', 'Turn on encryption'],
    ['/nothing', 'There is no such page'],
    ['/dm/nobody', 'There is no such wallet'],
    [`/dm/${likeAnother(peers[0]!)}`, 'This is not'],
  ]
  for (const [path, text] of places) {
    await page.goto(path)
    await page.getByText(text).filter({ visible: true }).first().waitFor()
    // The inbox shows the text too, maybe before the page does.
    await page.locator('main h1').waitFor({ state: 'attached' })
    expect(await faults(page), path).toEqual([])
    const tooWide = await page.evaluate(() =>
      document.documentElement.scrollWidth > document.documentElement.clientWidth
        ? Array.from(document.querySelectorAll('body *'))
            .filter((element) => element.getBoundingClientRect().right > innerWidth)
            .map((element) => element.outerHTML.slice(0, 120))
        : [],
    )
    expect(tooWide, `${path} is no wider than the screen`).toEqual([])
  }
  await page.getByRole('button', { name: /^Profile of/ }).click()
  await page.getByRole('dialog').getByText('Not Alice').waitFor()
  expect(await faults(page), 'the card of a look-alike').toEqual([])
  await page.goto('/')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByLabel('Wallet address or name').fill(likeAnother(peers[0]!))
  await page.getByRole('dialog').getByText('This is not Alice').waitFor()
  expect(await faults(page), 'new conversation').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  expect(await faults(page, true), 'account menu').toEqual([])
  expect(alice.complaints).toEqual([])
})

test.concurrent('axe finds nothing where messages are encrypted, in both themes', async () => {
  await using alice = await openPerson(browser, url)
  await signIn(alice)
  await turnOnEncryption(alice)
  await encryptionIsOn(alice)
  await alice.page.goto(`/dm/${alice.address}`)
  await say(alice, 'a secret')
  await say(alice, 'and another one')
  await alice.page.getByRole('img', { name: 'Sent' }).nth(1).waitFor()
  expect(await alice.page.getByRole('log').getByRole('img', { name: 'Encrypted' }).count()).toBe(2)
  for (const colorScheme of ['light', 'dark'] as const) {
    await alice.page.emulateMedia({ colorScheme })
    expect(await faults(alice.page), colorScheme).toEqual([])
  }
})

test.concurrent('everything can be done with the keyboard', async () => {
  await using alice = await openPerson(browser, url)
  const { page } = alice
  await signIn(alice)
  await page.waitForFunction(() => document.activeElement?.id === 'chats')
  await page.getByRole('button', { name: 'Your wallets and settings', disabled: false }).waitFor()
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Your wallets and settings')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByLabel('Wallet address or name').waitFor()
  await page.keyboard.type('0x00000000000000000000000000000000000000cc')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: /^Message / }).focus()
  await page.keyboard.type('hello')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Sent' }).waitFor()
  await page.getByRole('tab', { name: 'All' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('tab', { name: 'Direct' }).getAttribute('aria-selected')).toBe('true')
})

// One at a time: axe looks at every request of the service here.
test.each([
  { colorScheme: 'light', viewport: { width: 1200, height: 800 }, background: 'rgb(244, 246, 245)' },
  { colorScheme: 'dark', viewport: { width: 360, height: 640 }, background: 'rgb(11, 14, 13)' },
] as const)(
  'the docs: requests work with a throw-away key, in the theme of the system: $colorScheme',
  async ({ background, ...screen }) => {
    await using visitor = await openPerson(browser, url, screen)
    const { page, complaints } = visitor
    const send = async (operation: string) => {
      const block = page.locator(`[id$="-${operation}"]`)
      await block.locator('.opblock-summary-control').click()
      await block.getByRole('button', { name: 'Try it out' }).click()
      await block.getByRole('button', { name: 'Execute' }).click()
      return block.locator('.live-responses-table')
    }
    const answers = (table: Locator, status: string) =>
      table.locator('td.response-col_status').filter({ hasText: status }).waitFor()
    await page.goto('/docs/index.html')
    const button = page.getByRole('button', { name: 'Try it with a throw-away key' })
    await button.and(page.locator(':enabled')).waitFor()
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background)
    await answers(await send('getSettings'), '401')
    await button.click()
    const address = await page.getByRole('status').locator('code').innerText()
    const sent = await send('sendDirectMessage')
    await answers(sent, '200')
    expect(await sent.innerText()).toContain(`"fromaddr": "${address}"`)
    await answers(await send('getInbox'), '200')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(screen.viewport.width)
    // These are in what Swagger UI renders.
    const itsOwn = /^(nested-interactive|label|landmark-unique|scrollable-region-focusable|target-size):/
    expect((await faults(page)).filter((fault) => !itsOwn.test(fault))).toEqual([])
    await page.reload()
    await button.waitFor()
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    expect(complaints).toEqual([])
  },
)
