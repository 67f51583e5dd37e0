// What a reload shows without a connection, and that an update is taken with one.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { filesAreStored, startBehindProxy } from './behind-proxy.ts'
import { acquaint, bubble, eventually, openPerson, type Person, say, signIn } from './person.ts'

const paths = ({ page }: Person) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

/** All texts that the worker keeps. */
const keptTexts = ({ page }: Person) =>
  page.evaluate(async () => {
    const cache = await caches.open('shell')
    const pages = (await cache.keys()).filter(({ url }) => !url.includes('/assets/'))
    return Promise.all(pages.map(async (one) => (await cache.match(one))!.text()))
  })

const options = { serviceWorkers: 'allow' } as const

test.concurrent('a reload without a connection shows the client with what waits, which is sent once afterwards', async () => {
  await using site: Awaited<ReturnType<typeof startBehindProxy>> = await startBehindProxy()
  await using alice = await openPerson(site.url, options)
  const { page, context } = alice
  const bob = newWallet()
  await signIn(alice, `/dm/${bob}`)
  await filesAreStored(alice)
  site.set('away')
  await context.setOffline(true)
  await say(alice, 'written in a tunnel')
  await page.reload()
  await bubble(alice, 'written in a tunnel').waitFor()
  await page.getByText('You’re offline.').waitFor()
  const inbox = page.getByRole('navigation', { name: 'Conversations' })
  await inbox.getByRole('link', { name: /Waiting for a connection.*written in a tunnel/ }).waitFor()
  expect(await page.getByText('No conversations yet').count()).toBe(0)
  await page.getByText(/Last updated \d\d:\d\d\./).waitFor()
  expect(await page.getByText('Can’t reach').count()).toBe(0)
  // Pages that were not opened before are there too.
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Your data' }).waitFor()
  await page.goto('/')
  await inbox.getByRole('link', { name: /written in a tunnel/ }).click()
  await bubble(alice, 'written in a tunnel').waitFor()

  site.set('up')
  await context.setOffline(false)
  await page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor({ timeout: 15_000 })
  const items = await (await site.service.as(bob)).listConversation({ fromaddr: bob, toaddr: alice.address })
  expect(items.map(({ message }) => message)).toEqual(['written in a tunnel'])
  await inbox.getByRole('link', { name: /written in a tunnel/ }).waitFor()

  // What is kept is the same for everybody, also after signing out.
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  expect((await paths(alice)).filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
  expect((await keptTexts(alice)).join()).not.toMatch(new RegExp(`tunnel|${bob}|${alice.address}`))
})

test.concurrent('an update is taken at the next load, and then it is what is kept', async () => {
  await using site: Awaited<ReturnType<typeof startBehindProxy>> = await startBehindProxy()
  await using alice = await openPerson(site.url, options)
  const { page, context } = alice
  await signIn(alice)
  await filesAreStored(alice)
  const dropped = (await paths(alice)).find((path) => path.includes('AboutChatPage'))!
  const release = () => page.locator('meta[name=description]').getAttribute('content')
  expect(await release()).toBe('Messaging where your wallet is your name')

  // Another build: a page with other words, and a file less.
  const reword = (text: string) =>
    text.replace('Messaging where your wallet is your name', 'The next release')
  site.changed.set('/', reword)
  site.changed.set('/settings', reword)
  site.changed.set('/worker.js', (text) => text.replace(`"${dropped}",`, ''))
  await page.goto('/settings')
  expect(await release()).toBe('The next release')
  await eventually(
    () => paths(alice),
    (found) => expect(found).not.toContain(dropped),
  )
  await eventually(
    () => keptTexts(alice),
    (texts) => expect(texts.join()).toContain('The next release'),
  )
  site.set('away')
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Profile and settings' }).waitFor()
  expect(await release()).toBe('The next release')

  // A proxy that answers for a service that is away.
  site.set('bad gateway')
  await context.setOffline(false)
  await page.reload()
  await page.getByText('Reconnecting…').waitFor()
  expect(await page.getByText('Bad gateway').count()).toBe(0)
})

test.concurrent('a conversation that was opened without a connection is read when there is one again', async () => {
  await using site: Awaited<ReturnType<typeof startBehindProxy>> = await startBehindProxy()
  await using alice = await openPerson(site.url)
  const { page, context } = alice
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  await (
    await site.service.as(bob)
  ).sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message: 'gm' } })
  await signIn(alice)
  const row = page.getByRole('link', { name: /gm/ })
  await row.waitFor()
  await context.setOffline(true)
  await row.click()
  await page.getByText('Messages will appear when you’re back online.').waitFor()
  await context.setOffline(false)
  await bubble(alice, 'gm').waitFor()
  expect(await page.getByText('Its messages are shown').count()).toBe(0)
})

test.concurrent('a visitor who has not signed in is not made to load the whole client', async () => {
  await using site: Awaited<ReturnType<typeof startBehindProxy>> = await startBehindProxy()
  await using alice = await openPerson(site.url, options)
  await alice.page.goto('/')
  await alice.page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  expect(
    await alice.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0)
})
