// What was read last is readable without a connection.

import { test } from 'vitest'
import { newWallet, type Service } from '../../testing/service/service.ts'
import { filesAreStored, startBehindProxy } from './behind-proxy.ts'
import { storedRecords } from './stored-records.ts'
import { useSite } from './site.ts'
import { acquaint, arrive, bubble, eventually, openPerson, type Person, say, visit } from './person.ts'

const site = useSite()
const options = { serviceWorkers: 'allow' } as const
type Site = Awaited<ReturnType<typeof startBehindProxy>>

async function write(service: Service, fromaddr: string, toaddr: string, ...messages: string[]) {
  const client = await service.as(fromaddr)
  const sent = []
  for (const message of messages)
    sent.push(...(await client.sendDirectMessage({ body: { fromaddr, toaddr, message } })))
  return sent
}

/** Waits until a text is stored, or is not any more. */
const storesText = (person: Person, text: string, isStored = true) =>
  eventually(
    async () => JSON.stringify(await storedRecords(person)).includes(text),
    (found) => {
      if (found !== isStored) throw new Error(`${text} is ${isStored ? 'not ' : ''}stored`)
    },
  )

async function goOffline(service: Site, { context }: Person): Promise<void> {
  service.set('away')
  await context.setOffline(true)
}

async function goOnline(service: Site, { context }: Person): Promise<void> {
  service.set('up')
  await context.setOffline(false)
}

const inbox = ({ page }: Person) => page.getByRole('navigation', { name: 'Conversations' })

test.concurrent('who scrolls up in what is stored gets what is newer too', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const lines = Array.from({ length: 120 }, (_, n) => `line ${n}`)
  await write(site.service, bob, alice.address, ...lines)
  const asAlice = await site.service.as(alice.address)
  await asAlice.markReadTo({ addr: bob, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  await arrive(alice, `/dm/${bob}`)
  await bubble(alice, 'line 119').waitFor()
  await storesText(alice, 'line 119')
  await alice.page.goto('about:blank')
  await write(site.service, bob, alice.address, 'meanwhile')
  let newest = 0
  await alice.page.route(/before=9007199254740991/, async (route) => {
    newest++
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await alice.page.goto(`${site.url}/dm/${bob}`)
  await bubble(alice, 'line 119').waitFor()
  await alice.page.getByRole('log').focus()
  for (let n = 0; n < 8; n++) await alice.page.keyboard.press('PageUp')
  await eventually(
    () => newest,
    (count) => expect(count).toBeGreaterThan(0),
  )
  await eventually(
    async () => {
      await alice.page.keyboard.press('End')
      return bubble(alice, 'meanwhile').count()
    },
    (count) => expect(count).toBe(1),
  )
})

test.concurrent('a reload without a connection shows the inbox and what was read last, says when that was, and sends what is written later', async ({
  expect,
}) => {
  await using away: Site = await startBehindProxy()
  await using alice = await openPerson(away.url, options)
  const { page, context } = alice
  const [bob, carol, dave] = [newWallet(), newWallet(), newWallet()]
  await acquaint(away.service, alice, bob, carol, dave)
  await (await away.service.as(bob)).setName({ body: { address: bob, name: 'Bob' } })
  const community = `garden-${bob.slice(2, 10)}`
  const asCarol = await away.service.as(carol)
  await asCarol.createCommunity({ body: { community } })
  await asCarol.postGroupMessage({ body: { fromaddr: carol, nftaddr: community, message: 'hello all' } })
  await (
    await away.service.as(alice.address)
  ).joinChat({ body: { walletaddr: alice.address, nftaddr: community } })
  await write(away.service, dave, alice.address, 'from Dave')
  await write(away.service, carol, alice.address, 'from Carol')
  await write(away.service, bob, alice.address, 'from Bob', 'and more')
  await arrive(alice, `/c/${community}`)
  await bubble(alice, 'hello all').waitFor()
  await visit(alice, `/dm/${carol}`)
  await bubble(alice, 'from Carol').waitFor()
  await visit(alice, `/dm/${bob}`)
  await bubble(alice, 'and more').waitFor()
  await say(alice, 'my answer')
  await page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor()
  await filesAreStored(alice)
  for (const text of ['hello all', 'from Carol', 'my answer']) await storesText(alice, text)

  await goOffline(away, alice)
  await page.reload()
  for (const text of ['from Bob', 'and more', 'my answer']) await bubble(alice, text).waitFor()
  await page.getByRole('heading', { name: 'Bob' }).waitFor()
  await page.getByText(/You’re offline\. Last updated \d\d:\d\d\. Messages will be/).waitFor()
  await page.getByText(/^Last updated \d\d:\d\d/).waitFor()
  for (const name of [/You: my answer/, /from Carol/, /from Dave/, /hello all/])
    await inbox(alice).getByRole('link', { name }).waitFor()
  await say(alice, 'written in a tunnel')
  await bubble(alice, 'written in a tunnel').waitFor()
  // Another one, and a chat.
  await inbox(alice)
    .getByRole('link', { name: /from Carol/ })
    .click()
  await bubble(alice, 'from Carol').waitFor()
  await inbox(alice)
    .getByRole('link', { name: /hello all/ })
    .click()
  await bubble(alice, 'hello all').waitFor()
  // One that was never opened here.
  await inbox(alice)
    .getByRole('link', { name: /from Dave/ })
    .click()
  await page.getByText('Not available offline').waitFor()
  await page.getByText('Messages will appear when you’re back online.').waitFor()
  expect(await page.getByText('Say hello').count()).toBe(0)
  // Another tab has the same.
  const tab = await context.newPage()
  await tab.goto(`/dm/${bob}`)
  for (const text of ['and more', 'written in a tunnel'])
    await bubble({ ...alice, page: tab }, text).waitFor()

  await write(away.service, carol, alice.address, 'later')
  await goOnline(away, alice)
  await bubble(alice, 'from Dave').waitFor()
  await page.getByText(/You are offline/).waitFor({ state: 'detached' })
  await inbox(alice).getByRole('link', { name: /later/ }).click()
  await bubble(alice, 'later').waitFor()
  const sent = async () => {
    const client = await away.service.as(bob)
    const items = await client.listConversation({ fromaddr: bob, toaddr: alice.address })
    return items.map(({ message }) => message)
  }
  await eventually(sent, (texts) =>
    expect(texts).toEqual(['from Bob', 'and more', 'my answer', 'written in a tunnel']),
  )
  await visit(alice, `/dm/${bob}`)
  await bubble(alice, 'written in a tunnel').waitFor()
  expect(await page.getByText(/^Read at/).count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test.concurrent('what was deleted, left or blocked does not come back from the device', async ({
  expect,
}) => {
  await using away: Site = await startBehindProxy()
  await using alice = await openPerson(away.url, options)
  const { page } = alice
  const [bob, carol, dave, erin] = [newWallet(), newWallet(), newWallet(), newWallet()]
  await acquaint(away.service, alice, bob, carol, dave, erin)
  const peers = { Bob: bob, Carol: carol, Dave: dave, Erin: erin }
  await arrive(alice)
  const written = new Map<string, number>()
  for (const [name, peer] of Object.entries(peers)) {
    const texts = [`secret of ${name}`, `word of ${name}`, `still ${name}`]
    for (const { id, message } of await write(away.service, peer, alice.address, ...texts))
      written.set(message, id)
    await visit(alice, `/dm/${peer}`)
    await bubble(alice, `still ${name}`).waitFor()
  }
  await filesAreStored(alice)
  for (const name of Object.keys(peers)) await storesText(alice, `still ${name}`)

  // On a page that has none of them in memory.
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Your data' }).waitFor()
  await inbox(alice)
    .getByRole('link', { name: /still Erin/ })
    .waitFor()
  const asBob = await away.service.as(bob)
  await asBob.deleteDirectMessage({ id: written.get('secret of Bob')! })
  await storesText(alice, 'secret of Bob', false)
  await storesText(alice, 'still Bob')
  const asCarol = await away.service.as(carol)
  await asCarol.deleteConversation({ fromaddr: carol, toaddr: alice.address })
  await storesText(alice, 'secret of Carol', false)
  await storesText(alice, 'still Carol', false)
  const asAlice = await away.service.as(alice.address)
  await asAlice.setContact({ peer: dave, body: { blocked: true } })
  await storesText(alice, 'secret of Dave', false)
  await storesText(alice, 'still Dave', false)

  // While this device is not there: the next connection tells.
  await goOffline(away, alice)
  const asErin = await away.service.as(erin)
  await asBob.deleteDirectMessage({ id: written.get('word of Bob')! })
  await asErin.deleteConversation({ fromaddr: erin, toaddr: alice.address })
  await page.goto('/')
  await inbox(alice)
    .getByRole('link', { name: /still Erin/ })
    .waitFor()
  await goOnline(away, alice)
  await inbox(alice)
    .getByRole('link', { name: /still Erin/ })
    .waitFor({ state: 'detached' })
  await storesText(alice, 'Erin', false)
  await storesText(alice, 'word of Bob', false)
  await goOffline(away, alice)
  await page.goto(`/dm/${bob}`)
  await bubble(alice, 'still Bob').waitFor()
  for (const text of ['secret of Bob', 'word of Bob']) expect(await bubble(alice, text).count()).toBe(0)
  for (const peer of [carol, dave, erin]) {
    await page.goto(`/dm/${peer}`)
    await page.getByText('Not available offline').waitFor()
  }
  expect(
    await inbox(alice)
      .getByRole('link', { name: /Carol|Dave|Erin/ })
      .count(),
  ).toBe(0)
  expect(alice.complaints).toEqual([])
})

test.concurrent('with a slow connection what is stored is shown at once, and then the first new message', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const numbered = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => `${name} ${i + 1}`)
  await write(site.service, bob, alice.address, ...numbered(30, 'old'))
  const asAlice = await site.service.as(alice.address)
  const unread = async () => asAlice.countUnread({ address: alice.address })
  await asAlice.markReadTo({ addr: bob, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  await arrive(alice, `/dm/${bob}`)
  await bubble(alice, 'old 30').waitFor()
  await storesText(alice, 'old 30')
  await page.goto('about:blank')
  await write(site.service, bob, alice.address, ...numbered(40, 'new'))

  const letGo = Promise.withResolvers<void>()
  await page.route(/\/v1\/(?:getall_chatitems|get_inbox)\//, async (route) => {
    await letGo.promise
    await route.continue()
  })
  await page.goto(`/dm/${bob}`)
  await bubble(alice, 'old 30').waitFor()
  await inbox(alice)
    .getByRole('link', { name: /old 30/ })
    .waitFor()
  expect(await page.getByRole('separator').count()).toBe(0)
  letGo.resolve()
  await page.getByRole('separator', { name: '40 new messages' }).waitFor()
  await bubble(alice, 'new 1').waitFor()
  expect(await bubble(alice, 'new 40').count()).toBe(0)
  expect(await unread()).toBe(40)
  expect(alice.complaints).toEqual([])
})
