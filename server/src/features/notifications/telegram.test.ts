// These tests cover notifications by Telegram, from the link to the message: a Bot API of these tests answers as the real one is
// documented to.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followAll } from '../../../../testing/service/log.ts'
import { botToken } from '../../../../testing/outside/telegram-api.ts'
import {
  always,
  codeOf,
  newId,
  startTelegramService,
  wants,
} from '../../../../testing/people/telegram-people.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { chatReader } from './chat-reader.ts'
import { defaults } from '../../messages/notification-policy.ts'
import { deleteOldCodes, deleteOldPace } from './telegram-store.ts'

let t: Awaited<ReturnType<typeof startTelegramService>>
beforeAll(async () => {
  t = await startTelegramService()
})
afterAll(() => t[Symbol.asyncDispose]())

test('a chat is linked once by a link, and told of a message: who wrote and where, never what', async () => {
  const [alice, bob] = [await t.newPerson(), await t.newPerson()]
  expect(await bob.client.getTelegramLink()).toEqual({ linked: false })
  const { url, expires_at: expires } = await bob.client.createTelegramLink()
  expect(url).toMatch(/^https:\/\/t\.me\/parley_test_bot\?start=[\w-]{32}$/)
  expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(600_000)
  t.telegram.write(bob.user, `/start ${codeOf(url)}`)
  await t.poll()
  const linked = await bob.client.getTelegramLink()
  expect(linked).toMatchObject({ linked: true, name: 'Ada L.' })
  await t.work()
  expect(bob.texts()).toEqual([expect.stringContaining('You get notifications')])
  // Only a hash of it is stored, and it is used up.
  t.telegram.write({ id: newId(), first_name: 'Eve' }, `/start ${codeOf(url)}`)
  await t.poll()
  expect(await bob.client.getTelegramLink()).toEqual(linked)

  await alice.client.setName({ body: { address: alice.address, name: `Alice ${alice.address.slice(-5)}` } })
  await t.send(bob, alice, 'hello')
  await alice.client.setContact({ peer: bob.address, body: { state: 'accepted' } })
  await t.send(alice, bob)
  await t.work()
  expect(bob.texts().slice(1)).toEqual([
    `Alice ${alice.address.slice(-5)}:\u2060 New message\nhttps://chat.example.org/dm/${alice.address}`,
  ])
  const { at: _, ...sent } = bob.got().at(-1)!
  expect(sent).toEqual({ chat_id: bob.user.id, text: sent.text, link_preview_options: { is_disabled: true } })
  await t.work()
  expect(bob.got(), 'once').toHaveLength(2)
})

test('a reaction is a message without a sound, where one wants that', async () => {
  const [alice, bob] = await t.newPair()
  const sent = await t.send(bob, alice)
  const react = (...values: string[]) => alice.client.react({ id: sent.id, body: { values } })
  await react('👍')
  await t.work()
  expect(bob.got()).toEqual([])
  const push = { ...defaults.push, reactions: true }
  await bob.client.setNotificationRules({ body: { ...defaults, preview: 'text', push } })
  await react('🎉')
  await t.work()
  expect(bob.texts()).toEqual([expect.stringContaining('Reacted to your message')])
  expect(bob.got()[0]).toMatchObject({ disable_notification: true })
})

test('a code is none after ten minutes, after a second one, after unlinking, and in a group', async () => {
  const [bob, eve] = [await t.newPerson(), await t.newPerson()]
  const start = async (url: string, chat?: { id: number; type: string }) => {
    t.telegram.write(eve.user, `/start ${codeOf(url)}`, chat)
    await t.poll()
    return (await bob.client.getTelegramLink()).linked
  }
  const { url: late } = await bob.client.createTelegramLink()
  await t.service.ctx.db.query('update telegram_codes set expires_ms = expires_ms - 600000')
  expect(await start(late)).toBe(false)
  const { url: first } = await bob.client.createTelegramLink()
  const { url: second } = await bob.client.createTelegramLink()
  expect(await start(first)).toBe(false)
  await bob.client.deleteTelegramLink()
  expect(await start(second)).toBe(false)
  await t.work()
  expect(eve.texts()).toEqual([expect.stringContaining('used, or older than ten minutes')])
  for (const type of ['group', 'supergroup', 'channel']) {
    const { url } = await bob.client.createTelegramLink()
    expect(await start(url, { id: -100_123, type }), type).toBe(false)
    // Strangers have read it there.
    expect(await start(url), type).toBe(false)
  }
  expect(t.telegram.sent.filter(({ chat_id: id }) => id < 0)).toEqual([])
  await bob.client.createTelegramLink()
  await t.service.ctx.db.query('update telegram_codes set expires_ms = 0')
  await deleteOldCodes(t.service.ctx.db)
  await deleteOldPace(t.service.ctx.db)
  expect(await t.service.ctx.db.query('select walletaddr from telegram_codes')).toEqual([])
})

test('/stop unlinks all wallets of a chat; anything else gets help, once for many', async () => {
  const [bob, carol] = [await t.newPerson(), await t.newPerson()]
  await t.linkChat(bob)
  await t.linkChat(carol, bob.user)
  expect((await carol.client.getTelegramLink()).linked).toBe(true)
  expect((await bob.client.getTelegramLink()).linked).toBe(true)
  t.telegram.write(bob.user, '/stop')
  for (let n = 0; n < 5; n++) t.telegram.write(bob.user, `what is this ${n}?`)
  t.telegram.write(bob.user, '/start')
  await t.poll()
  expect(await bob.client.getTelegramLink()).toEqual({ linked: false })
  expect(await carol.client.getTelegramLink()).toEqual({ linked: false })
  for (let n = 0; n < 3; n++) await t.work()
  expect(
    bob
      .texts()
      .map((text) => text.slice(0, 20))
      .toSorted(),
  ).toEqual(['I notify you of mess', 'Notifications here h', 'You get notification'])
})

test('updates of other shapes are passed over, and one that comes again has no second effect', async () => {
  const bob = await t.newPerson()
  const { url } = await bob.client.createTelegramLink()
  for (const message of [
    {},
    { text: 5 },
    { chat: { id: 1, type: 'private' } },
    { text: '/start x', chat: { id: 'x' } },
  ])
    t.telegram.add(message)
  t.telegram.add({
    text: `/start ${codeOf(url)}`,
    chat: { id: 7, type: 'private' },
    from: { id: 8, is_bot: false, first_name: 'x' },
  })
  const hostile = { id: bob.user.id, first_name: 'A\u0000\u202eb\n\ud800'.padEnd(500, 'x') }
  const { url: another } = await bob.client.createTelegramLink()
  t.telegram.write(hostile, `/start ${codeOf(another)}`)
  await t.poll()
  const { name } = await bob.client.getTelegramLink()
  expect(name).toMatch(/^A b .x{57,60}$/)
  // It is not confirmed yet: Telegram sends all of it again. The person has stopped it meanwhile, elsewhere.
  expect(t.telegram.unconfirmed()).toBe(6)
  await bob.client.deleteTelegramLink()
  const { next } = (
    await t.service.ctx.db.query<{ next: number }>('select next_update as next from telegram_bots')
  )[0]!
  t.telegram.add({ text: '/stop', chat: { id: bob.user.id, type: 'private' } }, next - 1)
  t.telegram.countFrom(next)
  await t.poll()
  expect(t.telegram.unconfirmed()).toBe(0)
  expect(await bob.client.getTelegramLink()).toEqual({ linked: false })
})

test('after a week without updates Telegram counts from any number, also a lower one', async () => {
  const bob = await t.newPerson()
  t.telegram.write(bob.user, 'hello')
  await t.poll()
  await t.poll()
  await t.service.ctx.db.query('update telegram_bots set seen_ms = seen_ms - 7 * 86400000')
  t.telegram.countFrom(1000)
  await t.linkChat(bob)
  expect((await bob.client.getTelegramLink()).linked).toBe(true)
  t.telegram.write(bob.user, '/stop')
  await t.poll()
  expect((await bob.client.getTelegramLink()).linked).toBe(false)
})

test('nothing is sent of what was read, muted, blocked, a stranger’s, one’s own, or in quiet hours', async () => {
  const [alice, bob] = await t.newPair()
  const sent = await t.send(alice, bob)
  await t.service.runJobs()
  await bob.client.markReadTo({ addr: alice.address, body: { id: sent.id, context_type: 'dm' } })
  await t.work()
  expect(bob.texts(), 'read').toEqual([])
  const stranger = await t.newPerson()
  await bob.client.setDmPolicy({ body: { who: 'requests' } })
  await t.send(stranger, bob)
  await t.send(bob, bob)
  await t.work()
  expect(bob.texts(), 'a stranger').toEqual([])
  await bob.client.setNotificationRules({ body: { ...defaults, quiet: always, hold: false } })
  await t.send(alice, bob)
  await t.work()
  expect(bob.texts(), 'quiet').toEqual([])
  await bob.client.setNotificationRules({ body: wants({ dm: false, requests: false }) })
  await t.send(alice, bob)
  await t.work()
  expect(bob.texts(), 'not wanted').toEqual([])
  await bob.client.setNotificationRules({ body: defaults })
  await bob.client.setContact({ peer: alice.address, body: { muted_until: 'forever' } })
  await t.send(alice, bob)
  await t.work()
  expect(bob.texts(), 'muted').toEqual([])
  await bob.client.setContact({ peer: alice.address, body: { muted_until: null, blocked: true } })
  await t.send(alice, bob).catch(() => {})
  await t.work()
  expect(bob.texts(), 'blocked').toEqual([])
  await bob.client.setContact({ peer: alice.address, body: { blocked: false } })
  await t.send(alice, bob)
  await t.work()
  expect(bob.texts(), 'at last').toHaveLength(1)
})

test('what came in quiet hours is told once at their end; a request says that it is one', async () => {
  const [alice, bob] = await t.newPair()
  await bob.client.setNotificationRules({ body: { ...defaults, quiet: always } })
  for (let n = 0; n < 2; n++) await t.send(alice, bob)
  await t.work()
  expect(bob.texts()).toEqual([])
  await bob.client.setNotificationRules({ body: wants({ dm: true, requests: true }) })
  await t.work(8 * 86_400_000)
  expect(bob.texts()).toEqual([
    'Parley:\u2060 2 unread messages in 1 conversation\nhttps://chat.example.org/',
  ])
  const stranger = await t.newPerson()
  await bob.client.setDmPolicy({ body: { who: 'requests' } })
  await t.send(stranger, bob, 'click here')
  await t.work()
  expect(bob.texts().at(-1)).toMatch(/ Wants to write to you\nhttps:\/\/chat\.example\.org\/dm\/0x/)
})

test.each([
  ['none', /^Parley:\u2060 New message\nhttps:\/\/chat\.example\.org\/$/],
  ['name', /^0x\w{4}…\w{4}:\u2060 New message\nhttps:\/\/chat\.example\.org\/dm\/0x\w{40}$/],
  ['text', /^0x\w{4}…\w{4}:\u2060 New message\nhttps:\/\/chat\.example\.org\/dm\/0x\w{40}$/],
] as const)('preview %s', async (preview, text) => {
  const [alice, bob] = await t.newPair()
  await bob.client.setNotificationRules({ body: { ...defaults, preview } })
  await t.send(alice, bob)
  await t.work()
  expect(bob.texts()).toEqual([expect.stringMatching(text)])
})

test('a name that looks like a link, a mention or a command is none; a mention in a chat is told', async () => {
  const [alice, bob] = await t.newPair()
  const { db } = t.service.ctx
  // The chain or an earlier release may have had this name.
  await alice.client.setName({ body: { address: alice.address, name: `Alice ${alice.address.slice(-6)}` } })
  await db.query('update profiles set name = $1 where address = $2', [
    JSON.stringify('https://t.me/evil @evil #x /stop'),
    alice.address,
  ])
  await t.send(alice, bob)
  await t.work()
  const [line, link] = bob.texts()[0]!.split('\n')
  expect(line).not.toMatch(/t\.me|https:\/|@evil|#x|\/stop/)
  expect(line!.replaceAll('\u2060', '')).toBe('https://t.me/evil @evil #x /stop: New message')
  expect(link).toBe(`https://chat.example.org/dm/${alice.address}`)

  const nftaddr = `Town${alice.address.slice(-6)}`
  await alice.client.createCommunity({ body: { community: nftaddr, social: [] } })
  await bob.client.joinChat({ body: { walletaddr: bob.address, nftaddr } })
  await alice.client.postCommunityMessage({
    body: { fromaddr: alice.address, nftaddr, message: `look at this, @${bob.address}` },
  })
  await followAll(db, chatReader)
  await t.work()
  expect(bob.texts().at(-1)).toContain(`mentions you\nhttps://chat.example.org/c/${nftaddr}`)
  expect(bob.texts().join()).not.toContain('look at this')

  await bob.client.setChatNotifications({ nftaddr, body: { tell: 'mentions', announcements: true } })
  const body = { fromaddr: alice.address, nftaddr, message: 'the fair begins' }
  const [post] = await alice.client.postCommunityMessage({ body })
  await alice.client.announcePost({ id: post!.id })
  await t.work()
  const [announced, toChat, stop] = bob.texts().at(-1)!.split('\n')
  expect(announced!.replaceAll('\u2060', '')).toContain(`${nftaddr}: https://t.me/evil`)
  expect(announced).toMatch(/ announces something$/)
  expect(toChat).toBe(`https://chat.example.org/c/${nftaddr}`)
  expect(stop).toMatch(/^Stop these: https:\/\/chat\.example\.org\/v1\/unsubscribe\/[\w.-]+$/)
  const url = new URL(stop!.slice('Stop these: '.length)).pathname
  // The link opens a page with a button, which sends this.
  expect((await t.service.app.inject({ url })).body).toContain(`announcements of ${nftaddr.toLowerCase()}`)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await t.service.app.inject({ method: 'POST', url, headers, payload: '' })).statusCode).toBe(200)
  expect(await bob.client.getChatNotifications({ nftaddr })).toMatchObject({ announcements: false })
})

test('export has the chat, erasing ends it; no log line of these tests has the token, a code or a name', async () => {
  const [, bob] = await t.newPair()
  await bob.client.createTelegramLink()
  const zip = Buffer.from(
    await new Response(await bob.client.exportAccount({ address: bob.address })).arrayBuffer(),
  )
  const line = JSON.parse(String((await unzip(zip)).get('telegram_link.jsonl')))
  expect(line).toEqual({ chat_id: bob.user.id, name: 'Ada L.', since: expect.any(String) })
  await bob.client.eraseAccount({ address: bob.address })
  for (const table of ['telegram_links', 'telegram_codes'])
    expect(
      await t.service.ctx.db.query(`select walletaddr from ${table} where walletaddr = $1`, [bob.address]),
    ).toEqual([])
  expect(t.logged.length).toBeGreaterThan(10)
  const log = t.logged.join('')
  for (const secret of [botToken, botToken.slice(-20), '/start', 'Ada L.', t.telegram.url])
    expect(log).not.toContain(secret)
})

test('the calls of the docs, as they stand there', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/notifications.md'), 'utf8')
  const [, code] = /## Telegram[^]*?```js\n([^]*?)```/.exec(page)!
  const bob = await t.newPerson()
  const printed: string[] = []
  const console = { log: (text: string) => void printed.push(text) }
  /** The person presses “Start” while the page waits. */
  const setTimeout = async (go: () => void) => {
    t.telegram.write(bob.user, `/start ${codeOf(/Open (\S+)/.exec(printed[0]!)![1]!)}`)
    await t.poll()
    expect((await bob.client.getTelegramLink()).linked).toBe(true)
    go()
  }
  await runInNewContext(`(async () => {${code}})()`, { parley: bob.client, console, setTimeout })
  expect(printed).toEqual([
    expect.stringMatching(/^Open https:\/\/t\.me\/\S+ until 2\S+Z, and press Start\.$/),
  ])
  expect(await bob.client.getTelegramLink()).toEqual({ linked: false })
})
