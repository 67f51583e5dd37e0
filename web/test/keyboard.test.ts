// The keys of the client, and the long press that is their counterpart on phones.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** A person with conversations of `count` messages: many are of their own, so that none is unread. */
async function withPeers(names: string[], count: number, options = {}): Promise<[Person, string[]]> {
  const alice = await openPerson(site.url, options)
  const peers: string[] = []
  for (const name of names) {
    const address = newWallet()
    const client = await site.service.as(address)
    // A test that is tried again finds the names of the first try taken.
    await client.setName({ body: { address, name: `${name} ${address.slice(2, 8)}` } })
    await acquaint(site.service, alice, address)
    const [fromaddr, toaddr] = count > 2 ? [alice.address, address] : [address, alice.address]
    const author = await site.service.as(fromaddr)
    for (let n = 1; n <= count; n++)
      await author.sendDirectMessage({ body: { fromaddr, toaddr, message: `${name} ${n}` } })
    peers.push(address)
  }
  return [alice, peers]
}

/** What has the focus: the text of a message, else the label of a field or what it is. The page itself has no text. */
const focused = ({ page }: Person) =>
  page.evaluate(() => {
    const element = document.activeElement!
    if (element === document.body) return ''
    const text = element.querySelector('[id$=-text] > div')?.textContent
    return element.matches('[role=article]')
      ? text
      : (element.ariaLabel ?? element.textContent ?? element.tagName)
  })
const isFocused = (person: Person, what: string | RegExp) =>
  eventually(
    () => focused(person),
    (value) => expect(value).toMatch(what),
  )

test.concurrent('Alt with an arrow goes through the conversations, Escape in the empty field back to their list', async () => {
  const [alice] = await withPeers(['Avocet', 'Bittern', 'Curlew'], 1)
  await using _ = alice
  const { page } = alice
  await arrive(alice)
  await page.getByRole('link', { name: /Curlew/ }).click()
  const field = (name: string) => page.getByRole('textbox', { name: `Message ${name}` })
  await field('Curlew').waitFor()
  await page.keyboard.press('Alt+ArrowUp')
  await field('Curlew').waitFor()
  for (const name of ['Bittern', 'Avocet']) {
    await page.keyboard.press('Alt+ArrowDown')
    await field(name).waitFor()
    await isFocused(alice, `Message ${name}`)
  }
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await field('Bittern').fill('not sent')
  await page.keyboard.press('Escape')
  await isFocused(alice, 'Message Bittern')
  await field('Bittern').fill('')
  await page.keyboard.press('Escape')
  await isFocused(alice, /^Bittern/)
  await page.keyboard.press('ArrowDown')
  await isFocused(alice, /^Avocet/)
  await page.keyboard.press('Enter')
  await field('Avocet').waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('the messages are one tab stop; arrows, Home and End go through them, Enter opens the options', async () => {
  const [alice, [peer]] = await withPeers(['Dipper'], 60)
  await using _ = alice
  const { page } = alice
  const asAlice = await site.service.as(alice.address)
  await asAlice.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: peer!, message: 'mine https://example.org/a' },
  })
  const asPeer = await site.service.as(peer!)
  await asPeer.sendDirectMessage({ body: { fromaddr: peer!, toaddr: alice.address, message: 'the last' } })
  await arrive(alice, `/dm/${peer}`)
  await bubble(alice, 'the last').waitFor()
  // Older messages are read and put in above.
  await page.waitForTimeout(500)
  await isFocused(alice, 'Message Dipper')
  // One stop: the field, the messages, and what is above them.
  await page.keyboard.press('Shift+Tab')
  await isFocused(alice, /^(Dipper \d+|mine.*|the last)$/)
  await page.keyboard.press('End')
  await isFocused(alice, 'the last')
  await page.keyboard.press('Shift+Tab')
  await isFocused(alice, 'Conversation options')
  await page.keyboard.press('Tab')
  await isFocused(alice, 'the last')
  await page.keyboard.press('Tab')
  await isFocused(alice, 'Message Dipper')

  // A link of a message is the next stop.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await isFocused(alice, /^mine/)
  await page.keyboard.press('Tab')
  await isFocused(alice, 'https://example.org/a')
  await page.keyboard.press('ArrowUp')
  await isFocused(alice, 'Dipper 60')
  await page.keyboard.press('Home')
  await isFocused(alice, /^Dipper \d+$/)
  await page.getByRole('button', { name: /^To the newest message/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await isFocused(alice, 'the last')
  expect(await bubble(alice, 'the last').isVisible()).toBe(true)
  for (const key of ['Enter', 'Shift+F10']) {
    await page.keyboard.press(key)
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor({ timeout: 8_000 })
    // It takes the focus a moment after it is shown, and gives it back when it has gone.
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[role=menu]').waitFor({ state: 'detached' })
    await isFocused(alice, 'the last')
  }
  await page.keyboard.press('Escape')
  await isFocused(alice, 'Message Dipper')
  expect(alice.complaints).toEqual([])
})

test.concurrent('a message that has the focus stays in the page while another part of it is looked at', async () => {
  const [alice, [peer]] = await withPeers(['Eider'], 60)
  await using _ = alice
  const { page } = alice
  await arrive(alice, `/dm/${peer}`)
  await bubble(alice, 'Eider 60').waitFor()
  // Older messages are read and put in above.
  await page.waitForTimeout(500)
  await page.keyboard.press('Shift+Tab')
  await isFocused(alice, /^Eider \d+$/)
  await page.keyboard.press('End')
  await isFocused(alice, 'Eider 60')
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -5000)
  await bubble(alice, 'Eider 12').waitFor()
  await isFocused(alice, 'Eider 60')
  await page.keyboard.press('ArrowUp')
  await isFocused(alice, 'Eider 59')
  await page.waitForFunction(() => {
    const { top, bottom } = document.activeElement!.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
})

test.concurrent('a question mark shows the keys where no text is written, and can be switched off', async () => {
  const [alice, [peer]] = await withPeers(['Fulmar'], 1)
  await using _ = alice
  const { page } = alice
  await arrive(alice, `/dm/${peer}`)
  await isFocused(alice, 'Message Fulmar')
  await page.keyboard.press('?')
  const field = page.getByRole('textbox', { name: 'Message Fulmar' })
  expect(await field.inputValue()).toBe('?')
  await field.fill('')
  await page.keyboard.press('ArrowUp')
  await isFocused(alice, 'Fulmar 1')
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByText('The conversation above').waitFor()
  await dialog.getByRole('switch', { name: 'Single keys' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await isFocused(alice, 'Fulmar 1')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('keyboard')
  expect(await dialog.count()).toBe(0)
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  expect(alice.complaints).toEqual([])
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test.concurrent('on a phone a long press opens the options of a message as a sheet, a tap does nothing', async () => {
  const [alice, [peer]] = await withPeers(['Gannet'], 2, phone)
  await using _ = alice
  const { page } = alice
  await arrive(alice)
  await visit(alice, `/dm/${peer}`)
  const text = bubble(alice, 'Gannet 2')
  await text.waitFor()
  const devtools = await alice.context.newCDPSession(page)
  const touch = async (milliseconds: number, moved = 0) => {
    const { x, y, width, height } = (await text.boundingBox())!
    const at = { x: x + width / 2, y: y + height / 2 }
    const send = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
    // A tap and a move are sent in one go: a busy machine would make a long press of them.
    const sent = [send('touchStart', at)]
    if (moved) sent.push(send('touchMove', { x: at.x, y: at.y - moved }))
    if (milliseconds) {
      await Promise.all(sent)
      await page.waitForTimeout(milliseconds)
    }
    await Promise.all([...sent, send('touchEnd')])
  }
  const menu = page.getByRole('menu')
  await touch(0)
  await touch(450, 30)
  await page.waitForTimeout(200)
  expect(await menu.count()).toBe(0)
  expect(await page.locator('[aria-label^="Message options"]').first().boundingBox()).toMatchObject({
    width: 1,
  })

  await touch(420)
  await menu.getByRole('menuitem', { name: 'Report…' }).waitFor()
  const box = (await menu.boundingBox())!
  expect(box.x).toBe(0)
  expect(box.width).toBe(390)
  expect(Math.round(box.y + box.height)).toBe(844)
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  await page.goBack()
  await menu.waitFor({ state: 'detached' })
  await text.waitFor()

  await touch(700)
  await menu.getByRole('menuitem', { name: 'Select text' }).click()
  const dialog = page.getByRole('dialog', { name: 'Select text' })
  await dialog.getByText('Gannet 2').waitFor()
  await menu.waitFor({ state: 'detached' })
  await page.waitForTimeout(300)
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await text.waitFor()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await page.getByRole('heading', { name: 'Chats' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('the button of a menu keeps the focus while the page loads its parts, and opens the menu by keyboard', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const library = Promise.withResolvers<void>()
  await page.route(/\/dropdown-menu-/, async (route) => {
    await library.promise
    await route.continue()
  })
  await arrive(alice)
  const button = page.getByRole('button', { name: 'Your wallets and settings' })
  await button.evaluate((element) => (element.dataset['same'] = ''))
  await button.focus()
  const loaded = page.waitForResponse(/\/dropdown-menu-/)
  library.resolve()
  await (await loaded).finished()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  expect(
    await button.evaluate((element) => [element === document.activeElement, 'same' in element.dataset]),
  ).toEqual([true, true])
  for (const key of ['ArrowDown', 'Enter', ' ']) {
    await page.keyboard.press(key)
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    const hasFocus = () => button.evaluate((element) => element === document.activeElement)
    await eventually(hasFocus, (value) => expect(value).toBe(true))
  }
})

test.concurrent('a page that arrives leaves the menu open in which somebody chooses', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const arrives = Promise.withResolvers<void>()
  await page.route(/\/SettingsPage-/, async (route) => {
    await arrives.promise
    await route.continue()
  })
  await arrive(alice)
  await visit(alice, '/settings')
  const button = page.getByRole('button', { name: 'Your wallets and settings' })
  await button.click()
  await page.getByRole('menuitem', { name: 'Add another wallet' }).waitFor()
  arrives.resolve()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  await page.getByRole('menuitem', { name: 'Add another wallet' }).click()
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  expect(alice.complaints).toEqual([])
})
