import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { encryptionIsOn, openPerson, say, arrive, signIn, turnOnEncryption, visit } from './person.ts'
import { useSite } from './site.ts'
import { fill, punks } from './places.ts'

const site = useSite()

/** An address that begins and ends like another. */
const likeAnother = (address: string) =>
  `${address.slice(0, 6)}${newWallet().slice(6, 38)}${address.slice(-4)}`

test.concurrent.each([
  { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
] as const)('axe finds nothing on any page: %o', { timeout: 180_000 }, async (screen) => {
  const screenOnly = screen.colorScheme === 'dark'
  await using alice = await openPerson(site.url, screen)
  const { page } = alice
  await page.goto('/')
  await page.getByRole('button', { name: 'Try without a wallet' }).waitFor()
  expect(await faults(page, { screenOnly }), 'sign in').toEqual([])
  await arrive(alice)
  await page.getByText('No conversations yet').waitFor()
  expect(await faults(page, { screenOnly }), 'empty inbox').toEqual([])
  const peers = [newWallet(), newWallet()]
  await fill(site.service, alice, peers, screen.colorScheme)
  // Strangers: one who looks like a friend, one who is muted and blocked.
  const [stranger, blocked] = [likeAnother(peers[1]!), newWallet()]
  for (const fromaddr of [stranger, blocked])
    await (
      await site.service.as(fromaddr)
    ).sendDirectMessage({
      body: { fromaddr, toaddr: alice.address, message: 'wants something: https://a.example' },
    })
  const asAlice = await site.service.as(alice.address)
  await asAlice.setContact({ peer: blocked, body: { state: 'blocked', alias: 'Nobody' } })
  await asAlice.setContact({ peer: peers[1]!, body: { muted_until: 'forever' } })
  const places: [string, string][] = [
    ['/', 'Alice'],
    [`/dm/${peers[0]}?nft=${punks}&token=721`, 'until Friday'],
    [`/dm/${peers[0]}`, 'not going anywhere'],
    [`/nft/${punks}`, 'projector'],
    [`/nft/${punks}/721`, 'What a hat.'],
    [`/c/gallery${screen.colorScheme}`, 'projector'],
    ['/c/nowhere', 'No such community'],
    [`/c/gallery${screen.colorScheme}/about`, 'Members'],
    [`/nft/${punks}/moderation`, 'Claim this chat'],
    [`/nft/${punks}/about`, 'Members'],
    ['/communities', `gallery${screen.colorScheme}`],
    ['/communities/new', 'Links'],
    ['/settings', 'Privacy & contacts'],
    ['/settings/notifications', 'Notifications on your devices'],
    ['/settings/privacy', 'Who can write to you'],
    ['/settings/encryption', 'Turn on encryption'],
    ['/settings/developer', 'Make a key'],
    ['/settings/data', 'Download my data'],
    ['/requests', 'wants something'],
    [`/dm/${stranger}`, 'Ignore'],
    [`/dm/${blocked}`, 'You blocked'],
    ['/nothing', 'There is no such page'],
    ['/dm/nobody', 'There is no such wallet'],
    [`/dm/${likeAnother(peers[0]!)}`, 'This is not'],
  ]
  for (const [path, text] of places) {
    await visit(alice, path)
    // The inbox shows the text too, and the page before may.
    await page.locator('main h1:not([data-before])').waitFor({ state: 'attached' })
    await page.getByText(text).filter({ visible: true }).first().waitFor()
    expect(await faults(page, { screenOnly }), path).toEqual([])
    const tooWide = await page.evaluate(() =>
      document.documentElement.scrollWidth > document.documentElement.clientWidth
        ? Array.from(document.querySelectorAll('body *'))
            .filter((element) => element.getBoundingClientRect().right > innerWidth)
            .map((element) => element.outerHTML.slice(0, 120))
        : [],
    )
    expect(tooWide, `${path} is no wider than the screen`).toEqual([])
    await page.locator('main h1').evaluateAll((headings) => {
      for (const heading of headings) heading.dataset['before'] = ''
    })
  }
  await page.getByRole('button', { name: /^Profile of/ }).click()
  await page.getByRole('dialog').getByText('Not Alice').waitFor()
  expect(await faults(page, { screenOnly }), 'the card of a look-alike').toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Report…' }).click()
  await page.getByText('What is wrong?').waitFor()
  expect(await faults(page, { screenOnly }), 'report').toEqual([])
  await page.goto('/')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByLabel('Wallet address or name').fill(likeAnother(peers[0]!))
  await page.getByRole('dialog').getByText('This is not Alice').waitFor()
  expect(await faults(page, { screenOnly }), 'new conversation').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  expect(await faults(page, { menuOpen: true, screenOnly }), 'account menu').toEqual([])
  expect(alice.complaints).toEqual([])
})

test.concurrent('axe finds nothing where messages are encrypted, in both themes', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice)
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
  await using alice = await openPerson(site.url)
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
test('the docs: requests work with a throw-away key, in the theme of the system and on a phone', async () => {
  const viewport = { width: 1200, height: 800 }
  await using visitor = await openPerson(site.url, { colorScheme: 'light', viewport })
  const { page, complaints } = visitor
  const send = async (operation: string) => {
    const block = page.locator(`[id$="-${operation}"]`)
    // Of so many operations only those in view are in the page.
    await page.evaluate(() => scrollTo(0, 0))
    for (; (await block.count()) === 0; await page.waitForTimeout(20))
      await page.evaluate(() => {
        const { scrollY, innerHeight } = globalThis
        const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
        scrollTo(0, isAtEnd ? 0 : scrollY + innerHeight / 2)
      })
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Try it out' }).click()
    await block.getByRole('button', { name: 'Execute' }).click()
    return block.locator('.live-responses-table')
  }
  const answers = (table: Locator, status: string) =>
    table.locator('td.response-col_status').filter({ hasText: status }).waitFor()
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  // These are in what Swagger UI renders.
  const itsOwn =
    /^(nested-interactive|label|landmark-unique|scrollable-region-focusable|select-name|target-size):/
  const own = async (options?: { screenOnly: boolean }) =>
    (await faults(page, options)).filter((fault) => !itsOwn.test(fault))
  await page.goto('/docs/index.html')
  const button = page.getByRole('button', { name: 'Try without a wallet' })
  await button.and(page.locator(':enabled')).waitFor()
  expect(await background()).toBe('rgb(244, 246, 245)')
  await answers(await send('getSettings'), '401')
  await button.click()
  const address = await page.getByRole('status').locator('code').innerText()
  const sent = await send('sendDirectMessage')
  await answers(sent, '200')
  expect(await sent.innerText()).toContain(`"fromaddr": "${address}"`)
  await answers(await send('getInbox'), '200')
  expect(await width()).toBe(viewport.width)
  expect(await own()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 640 })
  expect(await background()).toBe('rgb(11, 14, 13)')
  expect(await width()).toBe(360)
  expect(await own({ screenOnly: true })).toEqual([])
  await page.reload()
  await button.waitFor()
  expect(await background()).toBe('rgb(11, 14, 13)')
  expect(await page.getByRole('link', { name: 'Guides' }).getAttribute('href')).toBe('/docs/start')
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
  expect(complaints).toEqual([])
})
