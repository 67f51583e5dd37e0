// What is read, sent and heard at the same time.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { eventually, type Person } from '../../web/test/person.ts'
import { part, press, requestsOf, texts, usePages, write } from './pages.ts'

const site = usePages('19')

async function talk() {
  const [me, peer] = [newWallet(), newWallet()]
  const asPeer = await site.service.as(peer)
  return {
    asPeer,
    say: async (message: string) =>
      (await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: me, message } }))[0]!,
    open: () => site.enter({ peer, show: 'conversation,inbox' }, { address: me }),
  }
}

const shows = (person: Person, expected: string[]) =>
  eventually(
    () => texts(person),
    (found) => expect(found).toEqual(expected),
  )

/** Holds the answers to some requests back, which the service gives at once. */
async function holdBack({ page }: Person, pattern: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: answered, resolve: isAnswered } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    const response = await route.fetch()
    isAnswered()
    await released
    await route.fulfill({ response })
  })
  return { answered, release }
}

test('a list that comes late neither brings back what was deleted nor loses what was said meanwhile', async () => {
  const t = await talk()
  const first = await t.say('first')
  await t.say('second')
  await using alice = await t.open()
  await shows(alice, ['first', 'second'])
  const { answered, release } = await holdBack(alice, '**/getall_chatitems/**')
  await press(alice, 'Reload', 'Conversation')
  await answered
  await t.asPeer.deleteDirectMessage({ id: first.id })
  await t.say('third')
  await shows(alice, ['second', 'third'])
  const over = alice.page.waitForResponse('**/getall_chatitems/**')
  release()
  await (await over).finished()
  await alice.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  expect(await texts(alice)).toEqual(['second', 'third'])
})

test('a sign-in that is answered after the visitor has signed out begins nothing, and its token ends', async () => {
  await using visitor = await site.open({ show: 'inbox' })
  const { answered, release } = await holdBack(visitor, '**/signin')
  const response = visitor.page.waitForResponse('**/signin')
  await press(visitor, 'Sign in')
  await answered
  await press(visitor, 'Sign out')
  const left = visitor.page.waitForResponse('**/v1/signout')
  release()
  const signedIn = await response
  const authorization = signedIn.headers()['authorization']!
  expect((await left).status()).toBeLessThan(300)
  expect(await visitor.page.getByRole('status').textContent()).toBe('signed-out')
  const inbox = new URL(`/v1/get_inbox/${visitor.address}`, signedIn.url())
  expect((await fetch(inbox, { headers: { authorization } })).status).toBe(401)
})

test('an own message whose event comes before its answer is there once, in its place and under its key', async () => {
  const t = await talk()
  await using alice = await t.open()
  await part(alice).and(alice.page.locator('[data-status=ready]')).waitFor()
  const { answered, release } = await holdBack(alice, '**/v1/create_chatitem')
  await write(alice, 'gm')
  await write(alice, 'are you there?')
  await part(alice)
    .locator('li')
    .first()
    .evaluate((element) => element.setAttribute('data-same', ''))
  await answered
  // The inbox has it by the event.
  await part(alice, 'Inbox').getByText('gm (0)').waitFor()
  await shows(alice, ['gm', 'are you there?'])
  expect(await part(alice).locator('[data-status=pending]').count()).toBe(2)
  release()
  await part(alice).locator('[data-status=sent]').nth(1).waitFor()
  await shows(alice, ['gm', 'are you there?'])
  expect(await part(alice).locator('[data-same]').textContent()).toBe('gm')
})

test('when events may be missing everything is read again, without a hole', async () => {
  const t = await talk()
  await t.say('before')
  await using alice = await t.open()
  await shows(alice, ['before'])
  // The next stream has nothing but the word that something may be missing.
  const streams = requestsOf(alice, '/v1/events')
  await alice.page.route('**/v1/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'retry: 60000\ndata: {"type":"resync"}\n\n' }),
  )
  await alice.page.context().setOffline(true)
  site.breakLines()
  const missed = Array.from({ length: 60 }, (_, i) => `${i}`)
  for (const message of missed) await t.say(message)
  await alice.page.context().setOffline(false)
  await shows(alice, missed.slice(-50))
  expect(streams.length).toBeGreaterThan(0)
  await press(alice, 'Older')
  await shows(alice, ['before', ...missed])
})
