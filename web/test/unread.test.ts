// What is unread: where a conversation opens, what reads it, and what a message that arrives costs.

import type { ChatItem } from '@parley/sdk'
import type { Page, Request } from 'playwright-core'
import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, bubble, openPerson, type Person, say, arrive } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** Sends messages in order. */
async function send(fromaddr: string, toaddr: string, ...texts: string[]): Promise<ChatItem[]> {
  const client = await site.service.as(fromaddr)
  const sent = []
  for (const message of texts)
    sent.push(...(await client.sendDirectMessage({ body: { fromaddr, toaddr, message } })))
  return sent
}

/** A new wallet and its community, which the other has joined. */
async function createCommunityWith(walletaddr: string) {
  const alice = newWallet()
  const asAlice = await site.service.as(alice)
  const community = `garden-${alice.slice(2, 10)}`
  await asAlice.createCommunity({ body: { community } })
  await (await site.service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr: community } })
  return { alice, asAlice, community }
}

/** Records whether a page ever shows the arrow to the newest message. */
async function recordArrow(page: Page): Promise<() => Promise<boolean>> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shown: false })
    new MutationObserver(() => {
      if (document.querySelector('button[aria-label^="To the newest"]'))
        Object.assign(globalThis, { shown: true })
    }).observe(document, { subtree: true, childList: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { shown: boolean }).shown)
}

const numbered = (count: number, name = 'message') =>
  Array.from({ length: count }, (_, i) => `${name} ${i + 1}`)

/** The requests of a page whose paths contain a text, by their methods. */
function requestsOf(page: Page, path: string): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(path)) found.push(request.method())
  })
  return found
}

/** Follows the requests of a page whose paths contain a text. */
function inProgress(page: Page, path: string) {
  const open = new Set<unknown>()
  let since = Date.now()
  const follow = (request: Request, isBegin: boolean) => {
    // The stream of events never ends.
    if (!request.url().includes(path) || request.url().includes('/v1/events')) return
    if (isBegin) open.add(request)
    else open.delete(request)
    since = Date.now()
  }
  page.on('request', (request) => follow(request, true))
  page.on('requestfinished', (request) => follow(request, false))
  page.on('requestfailed', (request) => follow(request, false))
  /** Milliseconds since the last one has ended; 0 while there is one. */
  return { rest: () => (open.size > 0 ? 0 : Date.now() - since) }
}

/** Long enough for a busy machine, and for what is gathered for a second. */
const soon = { timeout: 8_000 }

const unreadOf = async (wallet: string) => (await site.service.as(wallet)).countUnread({ address: wallet })

/** Pixels between the screen and the end of the messages. */
const distance = ({ page }: Person) =>
  page.getByRole('log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)

/** As if the window lost the focus to another one, or got it back. */
const focus = ({ page }: Person, has: boolean) =>
  page.evaluate((value) => {
    document.hasFocus = () => value
    dispatchEvent(new Event(value ? 'focus' : 'blur'))
  }, has)

const arrow = ({ page }: Person) => page.getByRole('button', { name: /^To the newest message/ })

test.concurrent('334 unread messages: it opens at the first one, and reaching the end reads them with one request', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  await send(alice, bob.address, 'an old one')
  const asBob = await site.service.as(bob.address)
  await asBob.markReadTo({ addr: alice, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  await send(alice, bob.address, ...numbered(334))
  await arrive(bob)
  const [marks, singly] = [requestsOf(bob.page, '/read_to/'), requestsOf(bob.page, '/update_chatitem/')]
  const row = bob.page.getByRole('link', { name: /message 334/ })
  await row.getByText('334 unread').waitFor({ state: 'attached' })
  await row.click()
  await bob.page.getByRole('separator', { name: '334 new messages' }).waitFor()
  expect(await bubble(bob, 'message 1').isVisible()).toBe(true)
  expect(await bubble(bob, 'message 334').count()).toBe(0)
  expect(marks).toEqual([])
  expect(await arrow(bob).getAttribute('aria-label')).toMatch(/, 3[12]\d new$/)

  await arrow(bob).click()
  await bubble(bob, 'message 334').waitFor()
  await row.getByText('unread').waitFor({ state: 'detached' })
  await bob.page.waitForFunction(() => !document.title.startsWith('('))
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  await expect.poll(() => [marks, singly], soon).toEqual([['PUT'], []])
  await bob.page.reload()
  await bubble(bob, 'message 334').waitFor()
  expect(await bob.page.getByRole('separator').count()).toBe(0)
  expect(bob.complaints).toEqual([])
})

test.concurrent('who leaves before the end has read what was on the screen, and comes back to the rest', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  await send(alice, bob.address, ...numbered(120))
  await arrive(bob, `/dm/${alice}`)
  await bob.page.getByRole('separator', { name: '120 new messages' }).waitFor()
  await bubble(bob, 'message 1').waitFor()
  await bob.page.getByRole('log').evaluate((log) => log.scrollBy(0, 1500))
  await bubble(bob, 'message 1').waitFor({ state: 'detached' })
  await bob.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await bob.page.getByRole('menuitem', { name: 'Profile and settings' }).click()
  await expect.poll(() => unreadOf(bob.address), soon).toBeLessThan(105)
  const left = await unreadOf(bob.address)
  expect(left).toBeGreaterThan(50)
  await bob.page.getByRole('link', { name: /message 120/ }).click()
  // What was on the screen may be reported once more while the page is left.
  const divider = bob.page.getByRole('separator', { name: /^\d+ new messages$/ })
  const count = Number.parseInt((await divider.getAttribute('aria-label'))!)
  expect(count).toBeLessThanOrEqual(left)
  expect(count).toBeGreaterThan(50)
  const places = await Promise.all(
    [bubble(bob, `message ${120 - count}`), divider, bubble(bob, `message ${121 - count}`)].map(
      async (one) => (await one.boundingBox())!.y,
    ),
  )
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test.concurrent('the arrow to the newest message follows each scroll, and counts what is new below', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  await send(alice, bob.address, ...numbered(80))
  const asBob = await site.service.as(bob.address)
  await asBob.markReadTo({ addr: alice, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  const wasShown = await recordArrow(bob.page)
  // A slow device measures the rows for a while, and earlier messages come meanwhile.
  const devtools = await bob.context.newCDPSession(bob.page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'message 80').waitFor()
  await expect
    .poll(() => bob.page.getByRole('log').evaluate(({ scrollHeight }) => scrollHeight))
    .toBeGreaterThan(2500)
  await expect.poll(() => distance(bob), soon).toBeLessThan(2)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  expect(await wasShown()).toBe(false)
  await bob.page.getByRole('log').hover()
  await bob.page.mouse.wheel(0, -900)
  await arrow(bob).waitFor()
  await bob.page.mouse.wheel(0, 2000)
  await arrow(bob).waitFor({ state: 'detached' })

  await bob.page.mouse.wheel(0, -900)
  await arrow(bob).waitFor()
  await send(alice, bob.address, 'one more', 'and another')
  await bob.page.getByRole('button', { name: 'To the newest message, 2 new' }).waitFor()
  await arrow(bob).click()
  await bubble(bob, 'and another').waitFor()
  await expect.poll(() => distance(bob), soon).toBeLessThan(2)
  await arrow(bob).waitFor({ state: 'detached' })
  await bob.page.getByRole('separator', { name: '2 new messages' }).waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
})

test.concurrent('a message that arrives in the open chat changes neither title nor icon nor badge', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  await send(alice, bob.address, 'first')
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'first').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  await bob.page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const look = () =>
      seen.push(`${document.title} ${document.querySelector('nav')?.textContent.includes('unread')}`)
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
  })
  const icon = () => bob.page.locator('link[rel=icon]').getAttribute('href')
  const before = await icon()
  await send(alice, bob.address, ...numbered(5))
  await bubble(bob, 'message 5').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  const seen: string[] = await bob.page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
  expect(seen.length).toBeGreaterThan(0)
  expect([...new Set(seen)]).toEqual([expect.stringMatching(/^0x\S+ · Parley false$/)])
  expect(await icon()).toBe(before)
})

test.concurrent('only a window that has the focus reads; who comes back finds what is new', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  await send(alice, bob.address, 'first')
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'first').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  await focus(bob, false)
  const marks = requestsOf(bob.page, '/read_to/')
  await send(alice, bob.address, 'are you there?', 'hello?')
  await bubble(bob, 'hello?').waitFor()
  await bob.page.waitForFunction(() => document.title.startsWith('(2) '))
  await bob.page.getByRole('separator', { name: '2 new messages' }).waitFor()
  expect([await unreadOf(bob.address), marks]).toEqual([2, []])
  await focus(bob, true)
  await bob.page.waitForFunction(() => !document.title.startsWith('('))
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  await expect.poll(() => marks, soon).toEqual(['PUT'])
})

test.concurrent('the sender sees what is read, live and after a broken connection; another device of the reader too', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await arrive(alice, `/dm/${bob.address}`)
  for (const text of ['one', 'two', 'three']) await say(alice, text)
  const ticks = (name: string) => alice.page.getByRole('log').getByRole('img', { name })
  await expect.poll(() => ticks('Sent').count(), soon).toBe(3)
  await arrive(bob)
  const badge = bob.page.getByRole('link', { name: /three/ }).getByText('3 unread')
  await badge.waitFor({ state: 'attached' })
  const asBob = await site.service.as(bob.address)
  const [, two, three] = await asBob.listConversation({ fromaddr: alice.address, toaddr: bob.address })
  await asBob.markReadTo({ addr: alice.address, body: { id: two!.id, context_type: 'dm' } })
  await expect.poll(() => ticks('Read').count(), soon).toBe(2)
  await bob.page.getByRole('link', { name: /three/ }).getByText('1 unread').waitFor({ state: 'attached' })
  await alice.context.setOffline(true)
  await alice.page.getByText('You’re offline.').waitFor()
  await asBob.markReadTo({ addr: alice.address, body: { id: three!.id, context_type: 'dm' } })
  await bob.page.getByRole('link', { name: /three/ }).getByText('unread').waitFor({ state: 'detached' })
  await alice.context.setOffline(false)
  await expect.poll(() => ticks('Read').count(), { timeout: 15_000 }).toBe(3)
})

test.concurrent('a community opens at the first unread post, and its end reads it; nobody who only looks in has read it', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const { alice, asAlice, community } = await createCommunityWith(bob.address)
  for (const message of numbered(70, 'post'))
    await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: community, message } })
  await arrive(bob, `/c/${community}`)
  await bob.page.getByRole('separator', { name: '70 new messages' }).waitFor()
  expect(await bubble(bob, 'post 1').isVisible()).toBe(true)
  expect(await unreadOf(bob.address)).toBe(70)
  const marks = requestsOf(bob.page, '/read_to/')
  await arrow(bob).click()
  await bubble(bob, 'post 70').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: community, message: 'live' } })
  await bubble(bob, 'live').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(0)
  await expect.poll(() => marks).toEqual(['PUT', 'PUT'])
  await focus(bob, false)
  await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: community, message: 'unseen' } })
  await bubble(bob, 'unseen').waitFor()
  await bob.page.waitForFunction(() => document.title.startsWith('(1) '))
  expect(await unreadOf(bob.address)).toBe(1)
})

test.concurrent('messages that arrive cost a few requests, and never the inbox, however long it is', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  // In portions: all at once wait longer for a connection than a busy database gives one.
  for (let i = 0; i < 299; i += 23)
    await Promise.all(Array.from({ length: 23 }, (_, j) => send(newWallet(), bob.address, `row ${i + j}`)))
  await send(alice, bob.address, 'first')
  await (await site.service.as(bob.address)).acceptRequests()
  const opening = inProgress(bob.page, site.url)
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'first').waitFor()
  // A message that arrives says that the stream is open. What was shown before is read again then.
  await send(alice, bob.address, 'second')
  await bubble(bob, 'second').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(299)
  await expect.poll(opening.rest, { timeout: 30_000 }).toBeGreaterThan(500)
  const traffic: { path: string; bytes: Promise<number> }[] = []
  bob.page.on('requestfinished', (request) => {
    // Files are loaded ahead when the page is idle.
    if (request.url().includes('/assets/')) return
    const bytes = request
      .sizes()
      .then((of) => of.responseBodySize + of.responseHeadersSize + of.requestBodySize)
      .catch(() => 0)
    traffic.push({ path: request.url().slice(site.url.length), bytes })
  })
  await send(alice, bob.address, ...numbered(20, 'live'))
  await bubble(bob, 'live 20').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(299)
  // One of another conversation, and the first one of a new one.
  const carol = newWallet()
  await send(carol, bob.address, 'hello from Carol')
  const asBob = await site.service.as(bob.address)
  await asBob.sendDirectMessage({ body: { fromaddr: bob.address, toaddr: carol, message: 'hello Carol' } })
  await bob.page.getByRole('link', { name: /You: hello Carol/ }).waitFor()
  const paths = traffic.map(({ path }) => path)
  const bytes = (await Promise.all(traffic.map((one) => one.bytes))).reduce((sum, of) => sum + of, 0)
  // The requests of strangers are a list of its own, which is read some seconds after the inbox.
  expect(paths.filter((path) => path.includes('/get_inbox/') && path.includes('main'))).toEqual([])
  expect(paths.length, paths.join(' ')).toBeLessThan(10)
  expect(bytes).toBeLessThan(20_000)
})

test.concurrent('of an NFT only what is said about it is read there', async ({ expect }) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  const nft = { nftaddr: newWallet(), nftid: '7' }
  const about = (message: string) =>
    site.service
      .as(alice)
      .then((client) =>
        client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob.address, message, ...nft } }),
      )
  await acquaint(site.service, alice, bob)
  await about('about it')
  await send(alice, bob.address, 'something else')
  await arrive(bob, `/dm/${alice}?nft=${nft.nftaddr}&token=7`)
  await bubble(bob, 'about it').waitFor()
  await bob.page.getByRole('separator', { name: '1 new message' }).waitFor()
  const row = bob.page.getByRole('link', { name: /something else/ })
  await row.getByText('1 unread').waitFor({ state: 'attached' })
  await expect.poll(() => unreadOf(bob.address), soon).toBe(1)
  await about('about it again')
  await bubble(bob, 'about it again').waitFor()
  await expect.poll(() => unreadOf(bob.address), soon).toBe(1)
  await bob.page
    .getByRole('link', { name: /about it again/ })
    .getByText('1 unread')
    .waitFor({ state: 'attached' })
})

test.concurrent('a new name of a peer is shown everywhere with its next message, and a member who joins is counted', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const { alice, asAlice, community } = await createCommunityWith(bob.address)
  await acquaint(site.service, alice, bob)
  await send(alice, bob.address, 'first')
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'first').waitFor()
  const name = `Zoe${alice.slice(2, 8)}`
  await asAlice.setName({ body: { address: alice, name } })
  await send(alice, bob.address, 'it is me')
  await bob.page.getByRole('heading', { name }).waitFor()
  await bob.page.getByRole('link', { name: new RegExp(`${name}.*it is me`) }).waitFor()
  await bob.page.getByPlaceholder(`Message ${name}`).waitFor()
  await expect.poll(() => bob.page.title(), soon).toBe(`${name} · Parley`)

  await bob.page.getByRole('link', { name: new RegExp(community) }).click()
  await bob.page.getByText('Community · 1 member').waitFor()
  await bob.page.getByText('Nobody has said anything yet').waitFor()
  await asAlice.joinChat({ body: { walletaddr: alice, nftaddr: community } })
  await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: community, message: 'hello all' } })
  await bubble(bob, 'hello all').waitFor()
  await bob.page.getByText('Community · 2 members').waitFor()
  expect(await bob.page.getByRole('log').getByText(name).count()).toBeGreaterThan(0)
})
