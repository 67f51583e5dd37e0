// Requests: what somebody whom the reader does not know has written, and what the reader makes of it.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { bubble, eventually, openPerson, type Person, say, arrive } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** Sends a message without a browser. */
async function write(fromaddr: string, toaddr: string, message: string): Promise<void> {
  await (await site.service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } })
}

/** What a wallet has read of what another has sent. */
const readBy = async (me: string, peer: string) =>
  (await (await site.service.as(peer)).listReadMessages({ fromaddr: peer, toaddr: me })).map(
    ({ message }) => message,
  )

const stateOf = async (me: string, peer: string) =>
  (await (await site.service.as(me)).getContact({ peer })).state

const requestsLink = ({ page }: Person) =>
  page.getByRole('navigation').getByRole('link', { name: /^Requests/ })
const rows = ({ page }: Person) => page.locator('#inbox-rows').getByRole('link')
const button = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true })
const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })

test.concurrent('a request is not in the inbox and not counted; opened, nothing of it is read, clicked or answered', async () => {
  await using bob = await openPerson(site.url)
  const eve = newWallet()
  await write(eve, bob.address, 'see https://user@example.org/gift?x=1, and type your seed phrase')
  const told: string[] = []
  bob.page.on('request', (request) => {
    if (/\/(read_to|update_chatitem|typing)/.test(request.url())) told.push(request.url())
  })
  await arrive(bob)
  await requestsLink(bob).getByText('1 person').waitFor()
  await bob.page.getByText('1 person wants to write to you').waitFor()
  expect(await bob.page.getByText('No conversations yet').count()).toBe(0)
  expect(await bob.page.title()).not.toContain('(1)')

  await requestsLink(bob).click()
  await bob.page.getByRole('heading', { name: 'Requests' }).waitFor()
  await bob.page
    .getByRole('main')
    .getByRole('link', { name: /seed phrase/ })
    .click()
  await bubble(bob, 'example.org').waitFor()
  expect(await bob.page.getByRole('log').getByRole('link').count()).toBe(0)
  const card = bob.page.getByRole('region', { name: /^About / })
  await card.getByText('Never signed in here.').waitFor()
  await card.getByText(/seed phrase or private key/).waitFor()
  await card.getByText('Contains a link to example.org.').waitFor()
  await button(bob, 'Accept').waitFor()
  expect(await field(bob).count()).toBe(0)

  // What arrives meanwhile is shown, and not read either. It is still one person who waits.
  await write(eve, bob.address, 'hurry up')
  await bubble(bob, 'hurry up').waitFor()
  await bob.page.waitForTimeout(1500)
  expect(await requestsLink(bob).textContent()).toContain('1 person')
  expect(told).toEqual([])
  expect(await readBy(bob.address, eve)).toEqual([])
  expect(await rows(bob).count()).toBe(0)

  // Accepting opens the field and reads; it can be taken back.
  await button(bob, 'Accept').click()
  await field(bob).waitFor()
  await rows(bob).filter({ hasText: 'hurry up' }).waitFor()
  expect(
    await bob.page
      .getByRole('log')
      .getByRole('link', { name: /example.org/ })
      .count(),
  ).toBe(1)
  await eventually(
    () => readBy(bob.address, eve),
    (read) => expect(read).toHaveLength(2),
  )
  await button(bob, 'Undo').click()
  await button(bob, 'Accept').waitFor()
  await rows(bob).waitFor({ state: 'detached' })
  await requestsLink(bob).getByText('1 person').waitFor()
  expect(await stateOf(bob.address, eve)).toBe('unknown')
  expect(bob.complaints).toEqual([])
})

test.concurrent('ignored and blocked: both tabs follow, the one who wrote cannot tell, and it can be undone', async () => {
  await using bob = await openPerson(site.url)
  await using eve = await openPerson(site.url)
  const mallory = newWallet()
  await write(mallory, bob.address, 'buy my coin')
  await arrive(eve, `/dm/${bob.address}`)
  await say(eve, 'hello?')
  await bubble(eve, 'hello?').waitFor()
  await eve.page.getByRole('img', { name: 'Sent' }).waitFor()
  await arrive(bob, `/dm/${eve.address}`)
  const second: Person = { ...bob, page: await bob.context.newPage() }
  await second.page.goto('/requests')
  await second.page.getByRole('main').getByRole('link', { name: /hello/ }).waitFor()

  await button(bob, 'Ignore').click()
  await bob.page.getByText(/^Ignoring /).waitFor()
  await bob.page.waitForURL('**/requests')
  await second.page.getByRole('main').getByRole('link', { name: /hello/ }).waitFor({ state: 'detached' })
  await button(bob, 'Undo').click()
  await bob.page.getByRole('main').getByRole('link', { name: /hello/ }).click()

  await button(bob, 'Block').click()
  await bob.page.getByText(/^Blocked /).waitFor()
  await second.page.getByRole('main').getByRole('link', { name: /hello/ }).waitFor({ state: 'detached' })
  await say(eve, 'still there?')
  await bubble(eve, 'still there?').waitFor()
  await eve.page.getByRole('img', { name: 'Sent' }).nth(1).waitFor()
  expect(await eve.page.getByText(/block|ignor/i).count()).toBe(0)
  await bob.page.goto(`/dm/${eve.address}`)
  await bob.page.getByText(/^You blocked/).waitFor()
  expect(await bubble(bob, 'still there?').count()).toBe(0)
  await button(bob, 'Unblock').click()
  await button(bob, 'Accept').waitFor()
  await say(eve, 'and now?')
  await bubble(bob, 'and now?').waitFor()
  expect(await bubble(bob, 'still there?').count()).toBe(0)

  // All that is left, at once.
  await second.page.getByRole('button', { name: 'Ignore all' }).click()
  await second.page.getByRole('dialog').getByRole('button', { name: 'Ignore all' }).click()
  await second.page.getByText('No requests').waitFor()
  expect(await stateOf(bob.address, mallory)).toBe('ignored')
  await bob.page.getByText(/^You’re ignoring/).waitFor()
  expect([...bob.complaints, ...eve.complaints]).toEqual([])
})
