// What a person notices of refusals, of a connection that breaks, and of components that come and go.

import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newToken, newWallet } from '../../testing/service/service.ts'
import { eventually, type Person } from '../../web/test/person.ts'
import { part, press, requestsOf, texts, usePages, write } from './pages.ts'

const site = usePages('19')

/** A person with a conversation open, and the one who writes to them. */
async function talk(asked: Record<string, string> = {}) {
  const [me, peer] = [newWallet(), newWallet()]
  const [asMe, asPeer] = [await site.service.as(me), await site.service.as(peer)]
  return {
    me,
    peer,
    asMe,
    say: async (message: string, more = {}) =>
      (await asPeer.sendDirectMessage({ body: { fromaddr: peer, toaddr: me, message, ...more } }))[0]!,
    asPeer,
    pair: { fromaddr: me, toaddr: peer },
    open: () => site.enter({ peer, show: 'conversation', ...asked }, { address: me }),
  }
}

const shows = (person: Person, expected: string[]) =>
  eventually(
    () => texts(person),
    (found) => expect(found).toEqual(expected),
  )

test('a message without a connection is shown at once, fails with words, and is sent once when it is tried again', async () => {
  const t = await talk()
  await using alice = await t.open()
  await alice.page.locator('[data-status=ready]').waitFor()
  const keys = requestsOf(alice, '/v1/create_chatitem')
  // The second request is stored, and its answer is lost.
  const lose = async (route: Parameters<Parameters<Person['page']['route']>[1]>[0]) => {
    if (keys.length === 2) await route.fetch()
    await route.abort('connectionreset')
  }
  await alice.page.route('**/v1/create_chatitem', lose)
  await write(alice, 'are you there?')
  await part(alice).locator('[data-status=pending]').getByText('are you there?').waitFor()
  await part(alice).getByText('offline: The service can’t be reached.').waitFor()
  await alice.page.unroute('**/v1/create_chatitem', lose)
  await press(alice, 'Retry')
  await part(alice).locator('[data-status=sent]').getByText('are you there?').waitFor()
  await shows(alice, ['are you there?'])
  expect(keys).toHaveLength(5)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(await t.asMe.listConversation(t.pair)).toHaveLength(1)
})

test('a message that the service refuses says why, and can be removed', async () => {
  const t = await talk()
  await t.asPeer.setContact({ peer: t.me, body: { state: 'accepted' } })
  const key = await newApiKeyOf(site.service, t.me, ['inbox:read', `dm:send:${newWallet()}`])
  await using alice = await site.enter({ peer: t.peer, show: 'conversation' }, { address: t.me, token: key })
  await write(alice, 'may I?')
  await part(alice).locator('[data-status=failed]').getByText('may I?').waitFor()
  expect(await part(alice).getByRole('alert').textContent()).toMatch(/^forbidden: .*key/i)
  await press(alice, 'Discard')
  await shows(alice, [])
})

test('what is not sent is there again when the conversation is opened again', async () => {
  const t = await talk()
  await using alice = await t.open()
  await alice.page.route('**/v1/create_chatitem', (route) =>
    route.fulfill({ status: 403, json: { type: '/docs/errors#forbidden', detail: 'Not now.' } }),
  )
  await write(alice, 'a long letter')
  await part(alice).getByText('forbidden: Not now.').waitFor()
  await press(alice, 'Close')
  await eventually(
    () => alice.page.evaluate(() => Array.from(window.parley.entries.values(), ({ run }) => run?.refresh)),
    (runs) => expect(runs).toEqual([undefined]),
  )
  await press(alice, 'Open')
  await part(alice).locator('[data-status=failed]').getByText('a long letter').waitFor()
})

test('older pages come in order and once, and an answer that is late changes nothing', async () => {
  const t = await talk()
  const numbers = Array.from({ length: 130 }, (_, i) => `${i}`)
  for (const message of numbers) await t.say(message)
  await using alice = await t.open()
  await shows(alice, numbers.slice(-50))
  await press(alice, 'Older')
  await shows(alice, numbers.slice(-100))
  const lists = requestsOf(alice, '/getall_chatitems/')
  await alice.page.getByRole('button', { name: 'Older' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await shows(alice, numbers)
  await alice.page.getByRole('button', { name: 'Older' }).waitFor({ state: 'detached' })
  await t.say('130')
  await shows(alice, [...numbers, '130'])
  // All of them are read again, in one request.
  lists.length = 0
  await press(alice, 'Reload')
  await eventually(
    () => lists.map((url) => new URL(url).searchParams.get('limit')),
    (limits) => expect(limits).toEqual(['131']),
  )
  await shows(alice, [...numbers, '130'])
})

test('after the lines broke, what was sent meanwhile comes in order, without a second read', async () => {
  const t = await talk()
  await using alice = await t.open()
  await t.say('before')
  await shows(alice, ['before'])
  const lists = requestsOf(alice, '/getall_chatitems/')
  const streams = requestsOf(alice, '/v1/events')
  await alice.page.context().setOffline(true)
  site.breakLines()
  for (const message of ['one', 'two', 'three']) await t.say(message)
  await alice.page.context().setOffline(false)
  await shows(alice, ['before', 'one', 'two', 'three'])
  expect(streams.length).toBeGreaterThan(0)
  expect(lists).toEqual([])
})

test('a list that could not be read is read when the connection is back', async () => {
  const t = await talk()
  await t.say('hello')
  await using alice = await site.open({})
  await alice.page.route(/\/v1\/(?:events|getall)/, (route) => route.abort())
  const token = await newToken(site.service.ctx, t.me)
  await site.open({ peer: t.peer, show: 'conversation', address: t.me, token }, alice)
  await part(alice).getByText('offline: The service can’t be reached.').waitFor()
  await alice.page.unroute(/\/v1\/(?:events|getall)/)
  await shows(alice, ['hello'])
  expect(await part(alice).getByRole('alert').count()).toBe(0)
})

test('edits, deletions and reactions of the other one come by themselves', async () => {
  const t = await talk()
  // Reactions of strangers are not shown.
  await t.asMe.setContact({ peer: t.peer, body: { state: 'accepted' } })
  await using alice = await t.open()
  const first = await t.say('frist')
  await t.say('second')
  await shows(alice, ['frist', 'second'])
  await t.asPeer.editMessage({ id: first.id, body: { message: 'first', revision: 0 } })
  await shows(alice, ['first', 'second'])
  await t.asPeer.react({ id: first.id, body: { values: ['🎉'] } })
  await part(alice).getByText('🎉').waitFor()
  await t.asPeer.deleteDirectMessage({ id: first.id })
  await shows(alice, ['second'])
  await t.asPeer.deleteConversation(t.pair)
  await shows(alice, [])
})

test('a conversation about an NFT has its messages alone, and what is sent is about it', async () => {
  const nft = { nftaddr: newWallet(), nftid: '721' }
  const t = await talk(nft)
  await t.say('about something else')
  await t.say('about the hat', nft)
  await using alice = await t.open()
  await shows(alice, ['about the hat'])
  await t.say('something else again')
  await t.say('the hat again', nft)
  await write(alice, 'how much?')
  await part(alice).locator('[data-status=sent]').getByText('how much?').waitFor()
  await shows(alice, ['about the hat', 'the hat again', 'how much?'])
  expect((await t.asMe.listConversation(t.pair)).at(-1)).toMatchObject({ message: 'how much?', ...nft })
})

test('a whole conversation has an answer that names no token, and what is sent is about the token', async () => {
  const nft = { nftaddr: newWallet(), nftid: '721' }
  const t = await talk({ ...nft, whole: '' })
  await t.say('about the hat', nft)
  await using alice = await t.open()
  await shows(alice, ['about the hat'])
  await write(alice, 'how much?')
  await part(alice).locator('[data-status=sent]').getByText('how much?').waitFor()
  await t.say('a lot')
  await shows(alice, ['about the hat', 'how much?', 'a lot'])
  expect((await t.asMe.listConversation(t.pair))[1]).toMatchObject({ message: 'how much?', ...nft })
})

test('an encrypted conversation is never continued in the clear', async () => {
  const t = await talk()
  await t.say('c2VhbGVk', { encrypted_sym_x_key: 'x25519:9f86d08', x_access_conditions: '{"scheme":"hpke"}' })
  await using alice = await t.open()
  await part(alice).getByText('encrypted', { exact: true }).waitFor()
  const sent = requestsOf(alice, '/v1/create_chatitem')
  await write(alice, 'in the clear')
  await part(alice).getByText('encrypted: This conversation is encrypted.').waitFor()
  expect(sent).toEqual([])
})

test('a token for comments alone reads and shows them; the rest says why it is refused, once', async () => {
  const nft = { nftaddr: newWallet(), nftid: '7' }
  const t = await talk()
  await t.asPeer.createComment({ body: { fromaddr: t.peer, message: 'What a hat.', ...nft } })
  const key = await newApiKeyOf(site.service, t.me, ['public:read'])
  await using alice = await site.open({})
  const asked = requestsOf(alice, '/v1/')
  const show = 'conversation,inbox,unread,comments'
  await site.open({ peer: t.peer, ...nft, show, address: t.me, token: key }, alice)
  await part(alice, 'Comments').getByText('What a hat.').waitFor()
  expect(await part(alice, 'Comments').getByRole('alert').count()).toBe(0)
  for (const name of ['Conversation', 'Inbox', 'Unread'])
    await part(alice, name)
      .getByRole('alert')
      .filter({ hasText: /^forbidden: .*inbox:read/ })
      .waitFor()
  const before = asked.length
  await alice.page.waitForTimeout(4000)
  expect(asked).toHaveLength(before)
  expect(before).toBe(5)
})

test('a sign-in that has ended says so, and shows nothing of it any longer', async () => {
  const t = await talk()
  await t.say('a secret')
  await using alice = await t.open()
  await shows(alice, ['a secret'])
  await t.asMe.signOutEverywhere()
  site.breakLines()
  await alice.page.getByText('signed-out', { exact: true }).waitFor()
  expect(await alice.page.getByRole('alert').first().textContent()).toMatch(/^unauthorized: /)
  await shows(alice, [])
})

test('when the last component has left, the stream ends and nothing stays in memory', async () => {
  const t = await talk({ show: 'conversation,again,inbox,unread' })
  await t.say('hello')
  await using alice = await t.open()
  await shows(alice, ['hello'])
  const ended: string[] = []
  alice.page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname))
  await press(alice, 'Close')
  await eventually(
    () => alice.page.evaluate(() => [window.parley.entries.size, window.parley.active?.live === undefined]),
    (left) => expect(left).toEqual([0, true]),
  )
  await eventually(
    () => ended,
    (paths) => expect(paths).toEqual(['/v1/events']),
  )
  await t.say('while it was closed')
  await press(alice, 'Open')
  await shows(alice, ['hello', 'while it was closed'])
  expect(site.complaintsOf(alice)).toEqual([])
})

test('a page that does not know yet with whom, or about what, asks nothing', async () => {
  await using alice = await site.open({})
  const asked = requestsOf(alice, '/v1/')
  await site.open({ show: 'conversation,comments' }, alice)
  await press(alice, 'Sign in')
  await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
  for (const name of ['Conversation', 'Comments']) {
    await write(alice, 'to nobody', name)
    expect(await part(alice, name).getByRole('textbox').inputValue()).toBe('to nobody')
  }
  expect(asked).toEqual([])
})

test('what is read is marked in parts where the service says so, and ends where that makes no progress', async () => {
  const t = await talk()
  const ids: number[] = []
  for (const message of ['one', 'two', 'three']) ids.push((await t.say(message)).id)
  await using alice = await t.open()
  await shows(alice, ['one', 'two', 'three'])
  const asked = requestsOf(alice, '/v1/read_to/')
  await alice.page.route('**/v1/read_to/**', (route) =>
    route.request().method() === 'OPTIONS'
      ? route.continue()
      : route.fulfill({ json: { id: ids[Math.min(asked.length, 2) - 1], unread: 1 } }),
  )
  await press(alice, 'Mark read')
  await eventually(
    () => asked.length,
    (count) => expect(count).toBe(3),
  )
  await alice.page.waitForTimeout(500)
  expect(asked).toHaveLength(3)
})

test('a component that goes and comes back at once reads nothing again', async () => {
  const t = await talk()
  await t.say('hello')
  await using alice = await t.open()
  await shows(alice, ['hello'])
  const asked = requestsOf(alice, '/v1/')
  await press(alice, 'Close')
  await press(alice, 'Open')
  await shows(alice, ['hello'])
  expect(asked).toEqual([])
})

test('a wallet that is not there or does not sign is an error with words, and the next try works', async () => {
  await using alice = await site.open({})
  await alice.page.evaluate(() => {
    const { ethereum: real } = window
    Object.assign(window, { ethereum: undefined, real })
  })
  await press(alice, 'Sign in')
  await alice.page.getByText('no_wallet: There is no wallet in this browser').waitFor()
  await alice.page.evaluate(() => {
    const refuse = async () => {
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    }
    Object.assign(window, { ethereum: { request: refuse } })
  })
  await press(alice, 'Sign in')
  await alice.page.getByText('rejected: You did not sign in').waitFor()
  await alice.page.evaluate(() => Object.assign(window, { ethereum: Reflect.get(window, 'real') as unknown }))
  await press(alice, 'Sign in')
  await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
  expect(await alice.page.getByRole('alert').count()).toBe(0)
})

test('a session is there after a reload where the site asks for that, and not after signing out', async () => {
  await using alice = await site.open({ remember: '' })
  await press(alice, 'Sign in')
  await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
  await alice.page.reload()
  await alice.page.getByText(`signed in as ${alice.address}`).waitFor()
  expect(alice.signed).toHaveLength(1)
  await press(alice, 'Sign out')
  await alice.page.reload()
  await alice.page.getByText('signed-out', { exact: true }).waitFor()
})
