// How much the sign-in page loads until the wallets are there.

import { expect, test } from 'vitest'
import { arrive, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test('up to the wallets the sign-in page loads at most 170 KB in 10 requests, and then what comes next', async () => {
  await using visitor = await openPerson(site.url)
  const { page } = visitor
  // The test may notice the wallets late, when what comes next is loading: so the page notes when they are there.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body?.innerText.includes('Test Wallet')) return
      performance.mark('wallets')
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  const loaded = () =>
    page.evaluate(() =>
      ['navigation', 'resource']
        .flatMap((type) => performance.getEntriesByType(type) as PerformanceResourceTiming[])
        .map(({ name, transferSize, startTime }) => ({
          name: new URL(name).pathname,
          size: transferSize,
          begins: startTime,
        })),
    )
  const findNext = async () => (await loaded()).find(({ name }) => name.startsWith('/assets/rooms-'))
  await expect.poll(findNext).toBeDefined()
  const next = (await findNext())!
  const shown = await page.evaluate(() => performance.getEntriesByName('wallets')[0]!.startTime)
  expect(next.begins).toBeGreaterThan(shown)
  await page.evaluate(() => document.fonts.ready)
  // What has begun to load by then counts too.
  const files = (await loaded()).filter(({ begins }) => begins < next.begins)
  expect(files.length).toBeLessThanOrEqual(10)
  expect(files.some(({ name }) => name.endsWith('.woff2'))).toBe(true)
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(170_000)
  expect(visitor.complaints).toEqual([])
})

test('a wallet that is signed in loads what it sees beside the client, not after it', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await arrive(alice)
  const begins = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource')
    const startOf = (name: string) => files.find((file) => file.name.includes(`/assets/${name}-`))!
    const read = files.find(({ name }) => new URL(name).pathname.startsWith('/v1/'))!
    return { rooms: startOf('rooms').startTime, client: startOf('index').startTime, read: read.startTime }
  })
  // The client has run by the time of its first request to the service.
  expect(begins.rooms).toBeLessThan(begins.read)
  expect(alice.complaints).toEqual([])
})
