// What the service worker does with pushes: it always shows something, opens what that is about, and
// takes it away once it is read.

import { expect, test } from 'vitest'
import { stopUrl } from '../../server/src/features/notifications/stop-links.ts'
import { chatMember, newCommunity } from '../../testing/people/chat-members.ts'
import { newName, newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, eventually, openPerson } from './person.ts'
import { usePushes } from './pushing.ts'
import { useSite } from './site.ts'

const site = useSite()
const options = { serviceWorkers: 'allow' } as const

test('a push shows its title and text, under its tag, and leads to its page', async () => {
  await using alice = await openPerson(site.url, options)
  await arrive(alice, '/settings')
  const { push, shown, badges } = await usePushes(alice)
  await push({ title: 'Bob', body: 'gm', tag: 'dm-bob', url: '/dm/0xb0b?x=1#y', badge: 3 })
  await eventually(shown, (found) => expect(found).toHaveLength(1))
  const [notice] = await shown()
  expect(notice).toMatchObject({
    title: 'Bob',
    body: 'gm',
    tag: 'dm-bob',
    renotify: true,
    silent: false,
    data: { path: '/dm/0xb0b?x=1#y' },
  })
  expect(await badges()).toEqual([3])
  for (const file of [notice!.icon, notice!.badge]) {
    const answer = await fetch(site.url + file)
    expect(answer.headers.get('content-type')).toBe('image/png')
  }
  // The next one of the tag takes its place.
  await push({ title: 'Bob', body: 'again', tag: 'dm-bob', url: '/dm/0xb0b' })
  await eventually(shown, (found) => expect(found.map(({ body }) => body)).toEqual(['again']))
})

test('whatever comes, something is shown that opens a page of the client', async () => {
  await using alice = await openPerson(site.url, options)
  await arrive(alice, '/settings')
  const { push, deliver, shown, worker } = await usePushes(alice)
  let count = 0
  const next = async () => {
    count += 1
    await eventually(shown, (found) => expect(found).toHaveLength(count))
    return (await shown()).at(-1)!
  }
  const clear = async () => {
    await worker.evaluate(() => ((globalThis as unknown as { shown: unknown[] }).shown = []))
    count = 0
  }
  const something = { title: 'New message', body: '', data: { path: '/' } }
  for (const data of ['', 'gm', '{', 'null', '[]', '7', '"text"', '{"v":1}', '{"v":1,"title":"  "}']) {
    await deliver(data)
    expect(await next(), data).toMatchObject(something)
    await clear()
  }
  for (const payload of [
    { v: 2, title: 'Of a later version', url: '/dm/0xb0b' },
    { v: '1', title: 'gm' },
    { title: 7 },
    { title: { toString: 'x' } },
  ]) {
    await push(payload)
    expect(await next(), JSON.stringify(payload)).toMatchObject(something)
    await clear()
  }
  for (const url of [
    'https://elsewhere.example/dm/0xb0b',
    '//elsewhere.example',
    String.raw`/\elsewhere.example`,
    'javascript:alert(1)',
    'data:text/html,x',
    '/v1/anything',
    '/docs/start.html',
    '/users/0xb0b/nonce',
    'http://',
    '',
    7,
    null,
  ]) {
    await push({ title: 'gm', url, body: 7, tag: null, badge: 'many', at: -1 })
    expect(await next(), String(url)).toMatchObject({ title: 'gm', body: '', data: { path: '/' } })
  }
})

test('a click opens the conversation in the page that is open, without loading it anew', async () => {
  await using alice = await openPerson(site.url, options)
  const bob = newWallet()
  await arrive(alice, '/settings')
  const { push, click, shown, windows } = await usePushes(alice)
  await alice.page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  await push({ title: 'Bob', tag: 'b', url: `/dm/${bob}` })
  await eventually(shown, (found) => expect(found).toHaveLength(1))
  await click()
  await alice.page.getByRole('textbox', { name: /^Message / }).waitFor()
  expect(new URL(alice.page.url()).pathname).toBe(`/dm/${bob}`)
  expect(await alice.page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
  expect(await windows()).toEqual([])
  expect(await shown()).toEqual([])

  // The pages of the docs are no pages of the client.
  await alice.page.goto('/docs/start.html')
  await push({ title: 'Bob', tag: 'b', url: `/dm/${bob}` })
  await eventually(shown, (found) => expect(found).toHaveLength(1))
  await click()
  expect(await windows()).toEqual([`/dm/${bob}`])
  await alice.page.goto((await windows())[0]!)
  await alice.page.getByRole('textbox', { name: /^Message / }).waitFor()
})

test('a button of a push about an announcement stops those of its chat, and opens nothing', async () => {
  await using alice = await openPerson(site.url, options)
  await arrive(alice, '/settings')
  const { push, click, shown, windows } = await usePushes(alice)
  const nftaddr = newName('town')
  const { address } = alice
  await newCommunity(site.service, nftaddr, 0)
  const { client } = await chatMember(site.service, nftaddr, address)
  await client.setChatNotifications({ nftaddr, body: { tell: 'mentions', announcements: true } })
  const agreed = async () => (await client.getChatNotifications({ nftaddr })).announcements
  const announce = async (stop: string) => {
    await push({ kind: 'announcement', title: `News ${stop}`, tag: 'a', url: `/c/${nftaddr}`, stop })
    await eventually(shown, (found) => expect(found.map(({ title }) => title)).toEqual([`News ${stop}`]))
    return (await shown())[0]!.buttons
  }
  for (const stop of ['/v1/unsubscribe/x', 'https://elsewhere.example/', `${site.url}/v1/account`, ''])
    expect(await announce(stop), stop).toEqual([])
  expect(await announce(stopUrl(site.service.ctx.config, address, nftaddr.toLowerCase()))).toEqual([
    'Stop announcements',
  ])
  const before = alice.page.url()
  await click('Stop announcements')
  expect([await agreed(), await shown(), await windows()]).toEqual([false, [], []])
  expect(alice.page.url()).toBe(before)
})

test('what is notified goes when it is read, here or on another device, and is silent where it is looked at', async () => {
  await using alice = await openPerson(site.url, options)
  const [bob, carol] = [newWallet(), newWallet()]
  await acquaint(site.service, alice, bob, carol)
  const write = async (fromaddr: string, message: string) =>
    (await site.service.as(fromaddr)).sendDirectMessage({
      body: { fromaddr, toaddr: alice.address, message },
    })
  await arrive(alice, '/settings')
  const { push, shown } = await usePushes(alice)
  const { page } = alice
  const titles = async () => (await shown()).map(({ title }) => title)
  await write(bob, 'gm')
  const [written] = await write(carol, 'hi')
  await push({ title: 'Bob', body: 'gm', tag: 'b', url: `/dm/${bob}`, badge: 1 })
  await push({ title: 'Carol', body: 'hi', tag: 'c', url: `/dm/${carol}`, badge: 2 })
  await push({ kind: 'summary', title: '2 messages', tag: 's', url: '/', badge: 2 })
  await eventually(titles, (found) => expect(found).toHaveLength(3))

  await page.getByRole('link', { name: /gm/ }).click()
  await bubble(alice, 'gm').waitFor()
  await eventually(titles, (found) => expect(found).toEqual(['Carol', '2 messages']))

  // On another device: then nothing is unread.
  await (
    await site.service.as(alice.address)
  ).markReadTo({ addr: carol, body: { id: written!.id, context_type: 'dm' } })
  await eventually(titles, (found) => expect(found).toEqual([]))

  // It is shown all the same, because a browser counts what is not, and goes at once.
  const silent = page.evaluate(
    async () =>
      new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true }),
      ),
  )
  await push({ title: 'Bob', body: 'one more', tag: 'b', url: `/dm/${bob}`, badge: 1 })
  expect(await silent).toMatchObject({ type: 'pushed', path: `/dm/${bob}` })
  await eventually(titles, (found) => expect(found).toEqual([]))
})

test('requests are closed by looking at them', async () => {
  await using alice = await openPerson(site.url, options)
  await arrive(alice, '/settings')
  const { push, shown } = await usePushes(alice)
  await push({ kind: 'request', title: 'A request', tag: 'r', url: '/requests' })
  await eventually(shown, (found) => expect(found).toHaveLength(1))
  await alice.page.goto('/requests')
  await eventually(shown, (found) => expect(found).toEqual([]))
})
