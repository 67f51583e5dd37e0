// Requests as they are decided: in an empty inbox, one after the other, by keys, and who is not whom they could be
// taken for.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const write = async (fromaddr: string, toaddr: string, message: string) =>
  (await site.service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } })
const name = async (address: string, chosen: string) =>
  (await site.service.as(address)).setName({ body: { address, name: chosen } })
const stateOf = async (me: string, peer: string) =>
  (await (await site.service.as(me)).getContact({ peer })).state

const main = ({ page }: Person) => page.getByRole('main')
const requests = (person: Person) =>
  main(person).getByRole('list', { name: 'Requests' }).getByRole('listitem')
const link = ({ page }: Person) => page.getByRole('navigation').getByRole('link', { name: /^Requests/ })

test.concurrent('an empty inbox shows the requests themselves, and they are decided there; later a row says whose they are', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const [mira, tom, ann, bob] = [newWallet(), newWallet(), newWallet(), newWallet()]
  await name(mira, 'Mira Fontaine')
  await name(tom, 'Tom Arden')
  await arrive(alice)
  await page.getByText('No conversations yet').waitFor()
  expect(await page.title()).not.toContain('(•)')
  await write(mira, alice.address, 'hello from the opening')
  const place = page.getByRole('region', { name: 'People who want to write to you' })
  await place.getByText('1 person wants to write to you').waitFor()
  expect(await page.getByText('No conversations yet').count()).toBe(0)
  await eventually(
    () => page.title(),
    (title) => expect(title).toMatch(/^\(•\) /),
  )
  await write(tom, alice.address, 'me too')
  await place.getByText('2 people want to write to you').waitFor()
  await place.getByRole('link', { name: /Mira Fontaine.*hello from the opening/ }).waitFor()
  await place.getByRole('button', { name: 'Ignore Tom Arden' }).click()
  await place.getByText('1 person wants to write to you').waitFor()
  expect(await stateOf(alice.address, tom)).toBe('ignored')
  await page.getByRole('button', { name: 'Undo' }).click()
  await place.getByText('2 people want to write to you').waitFor()
  await place.getByRole('button', { name: 'Accept Mira Fontaine' }).click()
  await page
    .locator('#inbox-rows')
    .getByRole('link', { name: /Mira Fontaine/ })
    .waitFor()
  await place.waitFor({ state: 'detached' })

  for (const peer of [ann, bob]) await write(peer, alice.address, 'and me')
  await eventually(
    () => link(alice).textContent(),
    (text) => expect(text).toMatch(/Tom Arden.*New since your last visit/),
  )
  await eventually(
    () => link(alice).locator('svg').count(),
    (count) => expect(count).toBe(3),
  )
  await link(alice).click()
  await requests(alice).nth(2).waitFor()
  await link(alice).getByText('New since').waitFor({ state: 'detached' })
  await eventually(
    () => page.title(),
    (title) => expect(title).not.toContain('(•)'),
  )
  // Another tab and the next visit know that they were seen, and what comes later is new.
  await page.goto('/settings')
  await link(alice).waitFor()
  await link(alice).getByText('3 people').waitFor()
  expect(await link(alice).getByText('New since').count()).toBe(0)
  await write(newWallet(), alice.address, 'a later one')
  await link(alice).getByText('New since').waitFor({ state: 'attached' })
  expect(alice.complaints).toEqual([])
})

test.concurrent('requests are decided by keys in the list, which shows where links really lead', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const peers = Array.from({ length: 4 }, () => newWallet())
  const texts = [
    'the oldest one',
    'sign here: https://аррӏе.com/gift?claim=1',
    'see https://example.org/a/very/long/path',
    'gm',
  ]
  for (const [n, peer] of peers.entries()) {
    await name(peer, ['Ada Quill', 'Bea Thorn', 'Cy Marsh', 'Di Lowe'][n]!)
    await write(peer, alice.address, texts[n]!)
  }
  await write(peers[3]!, alice.address, 'gm')
  await arrive(alice, '/requests')
  await requests(alice).nth(3).waitFor()
  // One of them has written twice.
  await link(alice).getByText('4 people').waitFor()
  const choices = requests(alice).first().getByRole('button')
  expect(await choices.allInnerTexts()).toEqual(['Accept', 'Ignore'])
  for (const choice of await choices.all())
    expect(await choice.evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true)
  const disguised = requests(alice).filter({ hasText: 'Bea Thorn' })
  await disguised.getByText('sign here: xn--').waitFor()
  expect(await disguised.textContent()).not.toContain('аррӏе')
  await disguised.getByRole('img', { name: /imitates another site/ }).waitFor()
  await requests(alice)
    .filter({ hasText: 'Cy Marsh' })
    .getByText('see example.org', { exact: true })
    .waitFor()
  await requests(alice)
    .filter({ hasText: 'Cy Marsh' })
    .getByRole('img', { name: /Contains a link to example\.org/ })
    .waitFor()
  expect(await requests(alice).filter({ hasText: 'Di Lowe' }).getByRole('img').count()).toBe(0)

  // The newest one is the first. A letter without a row does nothing.
  await page.keyboard.press('a')
  await page.keyboard.press('j')
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('li')?.textContent?.slice(0, 9) ?? '')
  expect(await focused()).toMatch(/^Di Lowe/)
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('a')
  await requests(alice).filter({ hasText: 'Di Lowe' }).waitFor({ state: 'detached' })
  expect(await focused()).toMatch(/^Cy Marsh/)
  await page.keyboard.press('i')
  await requests(alice).filter({ hasText: 'Cy Marsh' }).waitFor({ state: 'detached' })
  expect(await focused()).toMatch(/^Bea Thorn/)
  await page.keyboard.press('b')
  await requests(alice).filter({ hasText: 'Bea Thorn' }).waitFor({ state: 'detached' })
  const states = await Promise.all(peers.map((peer) => stateOf(alice.address, peer)))
  expect(states).toEqual(['unknown', 'blocked', 'ignored', 'accepted'])

  // Everybody is let in by a menu alone.
  expect(await main(alice).getByRole('button', { name: /all$/ }).allTextContents()).toEqual(['Ignore all'])
  await main(alice).getByRole('button', { name: 'More about all requests' }).click()
  await page.getByRole('menuitem', { name: 'Accept all' }).click()
  await page.getByText('This person can message you.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept all' }).click()
  await page.getByText('No requests').waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('on a phone the decisions are always there, 44 px high, and nothing is cut at 320 px', async () => {
  await using alice = await openPerson(site.url, {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  const { page } = alice
  const mira = newWallet()
  await name(mira, 'Mira with quite a long name')
  await write(mira, alice.address, 'https://example.org/hello and a text that does not fit')
  await arrive(alice)
  const accept = page.getByRole('button', { name: 'Accept Mira with quite a long name' })
  await accept.waitFor()
  const { height, x, width } = (await accept.boundingBox())!
  expect(height).toBeGreaterThanOrEqual(44)
  expect(x + width).toBeLessThanOrEqual(320)
  expect(await accept.evaluate((element) => getComputedStyle(element.parentElement!).opacity)).toBe('1')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  // A finger that moves over a request, to scroll or to go back, decides nothing and opens nothing.
  const row = page.getByRole('listitem').filter({ hasText: 'Mira with' })
  const devtools = await alice.context.newCDPSession(page)
  const swipe = async (by: number) => {
    const box = (await row.boundingBox())!
    const at = { x: box.x + box.width / 2, y: box.y + 30 }
    const send = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number }[]
    ) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', at)
    for (let part = 1; part <= 4; part++) await send('touchMove', { ...at, x: at.x + (by * part) / 4 })
    await send('touchEnd')
  }
  for (const by of [140, -140]) await swipe(by)
  expect(await row.evaluate((element) => element.getBoundingClientRect().x)).toBeGreaterThanOrEqual(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await stateOf(alice.address, mira)).toBe('unknown')
  await accept.tap()
  await page
    .locator('#inbox-rows')
    .getByRole('link', { name: /Mira with/ })
    .waitFor()
  expect(await stateOf(alice.address, mira)).toBe('accepted')
})

test.concurrent('a report of a request discloses all of its messages, and leads to the requests once it is blocked', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const eve = newWallet()
  await name(eve, 'Eve Mallow')
  for (const text of ['one', 'two', 'three']) await write(eve, alice.address, text)
  await arrive(alice, `/dm/${eve}`)
  await page.getByRole('button', { name: 'Report and block' }).click()
  const dialog = page.getByRole('dialog')
  for (const text of ['one', 'two', 'three'])
    expect(await dialog.getByRole('checkbox', { name: text }).isChecked(), text).toBe(true)
  await dialog.getByText('Operators will see these 3 messages').waitFor()
  await dialog.getByRole('checkbox', { name: 'two' }).uncheck()
  await dialog.getByText('Operators will see these 2 messages').waitFor()
  await dialog.getByText('Scam or phishing').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  await page.waitForURL('**/requests')
  await page.getByText('Reported and blocked Eve Mallow').waitFor()
  expect(await stateOf(alice.address, eve)).toBe('blocked')
  const [report] = await (await site.service.as(alice.address)).listOwnReports()
  expect(report).toMatchObject({ subject: eve, reason: 'scam' })
  expect(alice.complaints).toEqual([])
})

test.concurrent('a name like that of a contact is called out in requests, conversations and chats', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const [mira, copy, nora, other] = [newWallet(), newWallet(), newWallet(), newWallet()]
  await acquaint(site.service, alice, mira, nora)
  await name(mira, 'Mira Oyelaran')
  await name(nora, 'Nora Vance')
  await name(copy, 'Oyelaran Mira wallet')
  await name(other, 'Somebody Else')
  await write(mira, alice.address, 'the first Mira')
  await write(nora, alice.address, 'not like Mira')
  await write(copy, alice.address, 'hey it is me, new wallet')
  await write(other, alice.address, 'hello')
  await arrive(alice, '/requests')
  const row = requests(alice).filter({ hasText: 'Oyelaran Mira wallet' })
  await row.getByText('This is not Mira Oyelaran').waitFor()
  expect(await requests(alice).filter({ hasText: 'Somebody Else' }).getByText('This is not').count()).toBe(0)
  await row.getByRole('link').click()
  const note = page.getByRole('note').filter({ hasText: 'Not Mira Oyelaran' })
  await note.getByText('who has a name like this one').waitFor()
  expect(await note.locator('svg[viewBox="0 0 100 100"]').count()).toBe(2)

  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const warning = main(alice).getByRole('status').filter({ hasText: 'This is not Mira Oyelaran.' })
  await warning.getByText('Only the names are alike.').waitFor()
  expect(await warning.locator('svg[viewBox="0 0 100 100"]').count()).toBe(2)
  await visit(alice, `/dm/${nora}`)
  await main(alice).getByRole('heading', { name: 'Nora Vance' }).waitFor()
  expect(await warning.count()).toBe(0)

  const asCopy = await site.service.as(copy)
  await asCopy.createCommunity({ body: { community: 'oyelaran-club', social: [] } })
  await asCopy.postGroupMessage({ body: { fromaddr: copy, nftaddr: 'oyelaran-club', message: 'join us' } })
  const asAlice = await site.service.as(alice.address)
  await asAlice.joinChat({ body: { walletaddr: alice.address, nftaddr: 'oyelaran-club' } })
  await visit(alice, '/c/oyelaran-club')
  await page.getByRole('log').getByText('Not Mira Oyelaran').waitFor()

  // Who has a name of the reader's own is known.
  await asAlice.setContact({ peer: copy, body: { alias: 'Copycat' } })
  await page.getByRole('log').getByText('Not Mira Oyelaran').waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})
