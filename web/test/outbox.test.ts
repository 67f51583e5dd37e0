// What is written is sent once, whichever tab, device or connection comes and goes.

import type { Page } from 'playwright-core'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { bubble, eventually, openPerson, type Person, say, arrive, visit } from './person.ts'
import { useSite } from './site.ts'
import { usePerson } from './talking.ts'

const site = useSite()
const signedIn = usePerson(site)

const field = ({ page }: { page: Page }) => page.getByRole('textbox', { name: /^Message / })

/** Another tab of the same browser, with the conversation open. */
async function openTab(person: Person, path: string): Promise<Person> {
  const page = await person.context.newPage()
  page.on('pageerror', (error) => person.complaints.push(error.message))
  await page.goto(path)
  const tab = { ...person, page }
  await field(tab).waitFor()
  // By then the tab has read the conversation, so what breaks later does not hold that up.
  await page.getByText('Say hello to').or(page.getByRole('log')).waitFor()
  return tab
}

/** The texts of a conversation, as the service has them. */
async function storedBetween(one: string, other: string): Promise<string[]> {
  const items = await (await site.service.as(one)).listConversation({ fromaddr: one, toaddr: other })
  return items.map(({ message }) => message)
}

/** Waits until exactly this many messages are sent. */
async function sent({ page }: Person, times: number): Promise<void> {
  const messages = page.getByRole('log').getByRole('img', { name: 'Sent' })
  await messages.nth(times - 1).waitFor()
  expect(await messages.count()).toBe(times)
}

const written = ({ page }: Person, text: string) =>
  page.waitForFunction((wanted) => document.querySelector('textarea')?.value === wanted, text)

test.concurrent('what two tabs wrote without a connection is sent once, also when both are closed', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await arrive(alice, `/dm/${bob}`)
  const second = await openTab(alice, `/dm/${bob}`)
  await alice.context.setOffline(true)
  await say(alice, 'from the first tab')
  await say(second, 'from the second tab')
  // Each tab shows what the other one wrote.
  for (const tab of [alice, second]) {
    await bubble(tab, 'from the first tab').waitFor()
    await bubble(tab, 'from the second tab').waitFor()
  }
  await alice.page.close()
  await second.page.close()
  await alice.context.setOffline(false)
  const third = await openTab(alice, `/dm/${bob}`)
  await sent(third, 2)
  expect(await storedBetween(bob, alice.address)).toEqual(['from the first tab', 'from the second tab'])
  expect(await third.page.evaluate(() => Object.keys(localStorage).join())).not.toContain('parley.outbox')
  expect(alice.complaints).toEqual([])
})

test.concurrent('one tab sends what all have written; a tab that is closed while it sends is replaced', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await arrive(alice, `/dm/${bob}`)
  const second = await openTab(alice, `/dm/${bob}`)
  const asked: string[] = []
  let areLost = true
  // The service stores what the tabs send, and its answers are lost while the first one is open.
  for (const [name, { page }] of Object.entries({ first: alice, second }))
    await page.route('**/v1/create_chatitem', async (route) => {
      asked.push(name)
      if (!areLost) return route.continue()
      await route.fetch().catch(() => {})
      await route.abort()
    })
  await say(alice, 'one')
  await alice.page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  await second.page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  // The other one may have begun before the tab in use took over; it does not begin again.
  expect(asked.filter((name, i) => name === 'second' && asked[i - 1] !== name).length).toBeLessThanOrEqual(1)
  areLost = false
  await alice.page.close()
  await sent(second, 1)
  expect(await bubble(second, 'one').count()).toBe(1)
  expect(await storedBetween(bob, alice.address)).toEqual(['one'])
  expect(alice.complaints).toEqual([])
})

test('a message whose answer was lost is one bubble, also when the conversation is read anew', async () => {
  const alice = await signedIn()
  const bob = newWallet()
  await visit(alice, `/dm/${bob}`)
  await alice.page.route('**/v1/create_chatitem', async (route) => {
    await route.fetch().catch(() => {})
    // The page may have been left meanwhile.
    await route.abort().catch(() => {})
  })
  await say(alice, 'one')
  await alice.page.getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  await eventually(
    () => storedBetween(bob, alice.address),
    (texts) => expect(texts).toEqual(['one']),
  )
  const read = alice.page.waitForResponse((response) => response.url().includes('/v1/getall_chatitems/'))
  await alice.page.reload()
  await (await read).finished()
  // Its inbox row comes from the service too.
  await alice.page.getByRole('link', { name: /You: one/ }).waitFor()
  await bubble(alice, 'one').first().waitFor()
  expect(await bubble(alice, 'one').count()).toBe(1)
  await alice.page.unroute('**/v1/create_chatitem')
  // The page tries again at once when it is opened.
  await alice.page.reload()
  await sent(alice, 1)
  expect(await bubble(alice, 'one').count()).toBe(1)
})

test.concurrent('a tab that the browser has stopped in the middle of sending does not hold up the one in use', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await arrive(alice, `/dm/${bob}`)
  const second = await openTab(alice, `/dm/${bob}`)
  // It never hears from the site.service, and holds its lock.
  await alice.page.route('**/v1/create_chatitem', () => {})
  await say(alice, 'one')
  await bubble(second, 'one').waitFor()
  await say(second, 'two')
  await sent(second, 2)
  await sent(alice, 2)
  expect(await storedBetween(bob, alice.address)).toEqual(['one', 'two'])
})

test.concurrent('the same text from two tabs and another device at once is shown once per message everywhere', async () => {
  const key = generatePrivateKey()
  await using alice = await openPerson(site.url, { key })
  await using phone = await openPerson(site.url, { key })
  const bob = newWallet()
  await arrive(alice, `/dm/${bob}`)
  await arrive(phone, `/dm/${bob}`)
  const second = await openTab(alice, `/dm/${bob}`)
  await Promise.all([alice, second, phone].map((one) => say(one, 'ok')))
  for (const one of [alice, second, phone]) {
    await sent(one, 3)
    expect(await bubble(one, 'ok').count()).toBe(3)
  }
  expect(await storedBetween(bob, alice.address)).toEqual(['ok', 'ok', 'ok'])
  // Nothing is different after reading it anew.
  await second.page.reload()
  await sent(second, 3)
  expect([...alice.complaints, ...phone.complaints]).toEqual([])
})

test('what another device sends is shown at once, also while a message of this one waits', async () => {
  const alice = await signedIn()
  const bob = newWallet()
  await visit(alice, `/dm/${bob}`)
  await alice.page.route('**/v1/create_chatitem', (route) => route.fulfill({ status: 503, json: {} }))
  await say(alice, 'from here')
  await alice.page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  const body = { fromaddr: alice.address, toaddr: bob, message: 'from the phone' }
  await (await site.service.as(alice.address)).sendDirectMessage({ body })
  await bubble(alice, 'from the phone').waitFor()
  await alice.page.unroute('**/v1/create_chatitem')
  await sent(alice, 2)
  expect(await storedBetween(bob, alice.address)).toEqual(['from the phone', 'from here'])
})

test('a message that was refused can be sent again or discarded in any tab', async () => {
  const alice = await signedIn()
  const bob = newWallet()
  await visit(alice, `/dm/${bob}`)
  const second = await openTab(alice, `/dm/${bob}`)
  const refuse = (detail: string) => ({
    status: 403,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: '/docs/errors#forbidden', status: 403, detail }),
  })
  await alice.context.route('**/v1/create_chatitem', (route) => route.fulfill(refuse('Not today.')))
  await say(alice, 'one')
  await second.page.getByText('Couldn’t send. Not today.').waitFor()
  await say(alice, 'two')
  await second.page.getByText('Couldn’t send.').nth(1).waitFor()
  await second.page.getByRole('button', { name: 'Delete' }).last().click()
  await bubble(alice, 'two').waitFor({ state: 'detached' })
  await alice.context.unroute('**/v1/create_chatitem')
  await second.page.getByRole('button', { name: 'Try again' }).click()
  await sent(second, 1)
  await sent(alice, 1)
  expect(await storedBetween(bob, alice.address)).toEqual(['one'])
})

test.concurrent('two tabs that each write a draft keep both, through a reload and after they were closed', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await arrive(alice, `/dm/${bob}`)
  const second = await openTab(alice, `/dm/${bob}`)
  await field(alice).pressSequentially('one')
  await field(second).pressSequentially('two')
  for (const { page } of [alice, second]) await page.reload()
  await written(alice, 'one')
  await written(second, 'two')
  await alice.page.close()
  await second.page.close()
  const third = await openTab(alice, `/dm/${bob}`)
  await written(third, 'two')
  await field(third).press('Enter')
  await sent(third, 1)
  await third.page.reload()
  await written(third, 'one')
})

test('a tab that opens the draft of another one goes on with it, and both show the same', async () => {
  const alice = await signedIn()
  const bob = newWallet()
  await visit(alice, `/dm/${bob}`)
  await field(alice).pressSequentially('half a ')
  const second = await openTab(alice, `/dm/${bob}`)
  await written(second, 'half a ')
  await field(second).press('End')
  await field(second).pressSequentially('thought')
  await written(alice, 'half a thought')
  await field(second).press('Enter')
  await written(alice, '')
})

test.concurrent('a wallet that signs out is asked where messages were not sent, and leaves neither them nor drafts behind', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice, `/dm/${newWallet()}`)
  const { page } = alice
  await page.route('**/v1/create_chatitem', (route) => route.fulfill({ status: 503, json: {} }))
  await say(alice, 'a secret')
  await say(alice, 'another secret')
  await field(alice).fill('half a secret')
  const kept = () => page.evaluate(() => JSON.stringify(localStorage))
  expect(await kept()).toMatch(/a secret.*half a secret|half a secret.*a secret/)
  const ask = async () => {
    await page.getByRole('button', { name: 'Your wallets and settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('2 messages haven’t been sent. Signing out deletes them.').waitFor()
  }
  await ask()
  await page.getByRole('button', { name: 'Keep me signed in' }).click()
  await bubble(alice, 'another secret').waitFor()
  expect(await kept()).toContain('another secret')
  await ask()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await kept()).not.toContain('secret')
})
