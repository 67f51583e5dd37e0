// What a person sees of pushes: turning them on, a test, rules, and what another app shares. Chromium without a screen has no
// push service and asks for no permission, so both are given here; the rest is real, up to a push service of these tests.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPushService } from '../../testing/outside/push-service.ts'
import { freePort } from '../../testing/service/ports.ts'
import { newWallet, useService } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, eventually, openPerson, type Person, visit } from './person.ts'
import { usePushes } from './pushing.ts'

let pushService: Awaited<ReturnType<typeof startPushService>>
let url: string
let port: number
beforeAll(async () => {
  pushService = await startPushService()
  port = await freePort()
})
afterAll(() => pushService[Symbol.asyncDispose]())
const service = useService(() => ({
  port,
  publicUrl: `http://127.0.0.1:${port}`,
  mailFrom: { name: 'Parley', address: 'parley@example.org' },
  allowedDomains: [`127.0.0.1:${port}`],
  privatePushHosts: [pushService.host],
  privateWebhookHosts: [pushService.host],
}))
beforeAll(async () => void (url = await service.listen()))

/** The browser has a push service and the person allows it. */
async function allowPushes({ page }: Person, name: string) {
  const { endpoint, p256dh, auth } = pushService.subscribe(name)
  await page.addInitScript(
    ([subscription]) => {
      Object.defineProperty(Notification, 'permission', {
        get: () => localStorage.getItem('allowed') ?? 'default',
      })
      Notification.requestPermission = async () => {
        localStorage.setItem('allowed', 'granted')
        return 'granted'
      }
      let current: object | null = null
      const subscribed = (key: unknown) => ({
        options: { applicationServerKey: key },
        unsubscribe: async () => {
          current = null
          return true
        },
        toJSON: () => subscription,
      })
      PushManager.prototype.getSubscription = async () => current as never
      PushManager.prototype.subscribe = async (options) => {
        const text = (options!.applicationServerKey as string).replaceAll('-', '+').replaceAll('_', '/')
        current = subscribed(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)).buffer)
        return current as never
      }
    },
    [{ endpoint, keys: { p256dh, auth } }],
  )
}

test('a person turns notifications on, sends a test, and gets one for a message; signing out ends it', async () => {
  await using alice = await openPerson(url, { serviceWorkers: 'allow' })
  await allowPushes(alice, 'alice')
  const { page, complaints } = alice
  await arrive(alice, '/settings/notifications')
  const pushes = await usePushes(alice)
  const here = page.getByRole('switch', { name: 'Notify me here' })
  await here.click()
  await page.getByRole('list', { name: 'Devices with notifications' }).getByText('Chrome on Linux').waitFor()
  expect(await here.isChecked()).toBe(true)

  await page.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText('The push service has taken it.').waitFor()
  const got = pushService.received.at(-1)!
  expect(got.push).toMatchObject({ kind: 'test', url: '/settings' })
  await pushes.deliver(JSON.stringify(got.push))
  await page.getByText('Test received').waitFor()
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
  ).toBe(false)

  const [bob, asAlice] = [newWallet(), await service.as(alice.address)]
  await asAlice.setContact({ peer: bob, body: { state: 'accepted' } })
  const asBob = await service.as(bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message: 'hi' } })
  await service.runJobs()
  await service.ctx.db.query(`update graphile_worker._private_jobs set run_at = now()`)
  await service.runJobs()
  await eventually(
    () => pushService.received.at(-1)!.push.kind,
    (kind) => expect(kind).toBe('dm'),
  )
  const dm = pushService.received.at(-1)!.push
  await pushes.deliver(JSON.stringify(dm))
  await eventually(pushes.shown, (shown) =>
    expect(shown.find(({ data }) => data.path === `/dm/${bob}`)).toMatchObject({ body: 'New message' }),
  )

  // A reaction makes no sound, also where nobody looks at the conversation.
  await pushes.push({ kind: 'reaction', title: 'Bob', body: 'Reacted', tag: 'reactions', url: `/dm/${bob}` })
  await eventually(pushes.shown, (shown) =>
    expect(shown.find(({ tag }) => tag === 'reactions')).toMatchObject({ silent: true, renotify: false }),
  )
  expect((await pushes.shown()).find(({ body }) => body === 'New message')).toMatchObject({ silent: false })

  await page.setViewportSize({ width: 1200, height: 760 })
  await page.getByRole('button', { name: 'Your wallets and settings', disabled: false }).click()
  await page.getByRole('menuitem', { name: /^Sign out/ }).click()
  await eventually(
    () => asAlice.listPushSubscriptions(),
    (left) => expect(left).toEqual([]),
  )
  expect(complaints).toEqual([])
})

test('where notifications are blocked and none can come, their rules cannot be chosen and say why', async () => {
  await using alice = await openPerson(url)
  const { page } = alice
  await arrive(alice, '/settings/notifications')
  const requests = page.getByRole('switch', { name: 'Requests' })
  await requests.waitFor()
  expect(await requests.isDisabled()).toBe(true)
  await page.getByText('Nothing notifies you yet').first().waitFor()
  // What this service does not offer is named with the setting that turns it on.
  const missing = page.getByRole('listitem').filter({ hasText: 'the administrator has to set' })
  expect(await missing.allInnerTexts()).toEqual([
    'Telegram: the administrator has to set TELEGRAM_BOT_TOKEN.',
    'Mail: the administrator has to set SMTP_URL.',
  ])
  const setting = missing.getByRole('link', { name: 'SMTP_URL' })
  expect(await setting.getAttribute('href')).toBe('/docs/settings#smtp_url')
  expect(await page.getByRole('radio', { name: 'Name', exact: true }).isDisabled()).toBe(true)
})

test('rules are kept, quiet hours in the time zone of the browser', async () => {
  await using alice = await openPerson(url, { serviceWorkers: 'allow' })
  const { page } = alice
  await allowPushes(alice, 'alice')
  await arrive(alice, '/settings/notifications')
  const asAlice = await service.as(alice.address)
  await page.getByRole('switch', { name: 'Requests' }).click()
  await page.getByRole('switch', { name: 'Mentions' }).click()
  const reactions = page.getByRole('switch', { name: 'Reactions' })
  expect(await reactions.isChecked()).toBe(false)
  await reactions.click()
  await page.getByRole('radio', { name: 'Name and text' }).check({ force: true })
  await page.getByRole('switch', { name: 'Quiet hours' }).click()
  await page.getByLabel('From').fill('23:15')
  const tz = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  await eventually(
    () => asAlice.getNotificationRules(),
    (rules) =>
      expect(rules).toMatchObject({
        push: { dm: true, requests: true, mentions: false, reactions: true },
        preview: 'text',
        tz,
        quiet: [{ from: '23:15', to: '07:00' }],
      }),
  )
  await page.reload()
  await page.getByLabel('From').waitFor()
  expect(await page.getByLabel('From').inputValue()).toBe('23:15')
  expect(await reactions.isChecked()).toBe(true)
  expect(await faults(page)).toEqual([])
})

test('the menu of a chat says whether all of it notifies, or mentions; and announcements, which its owner makes', async () => {
  await using alice = await openPerson(url)
  const { page, complaints } = alice
  const asAlice = await service.as(alice.address)
  await asAlice.createCommunity({ body: { community: 'Noisy' } })
  await asAlice.joinChat({ body: { walletaddr: alice.address, nftaddr: 'Noisy' } })
  await arrive(alice, '/c/Noisy')
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Chat options', disabled: false }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Notify me about every message')
  await page.getByText('You’ll be notified about every message.').waitFor()
  expect(await asAlice.getChatNotifications({ nftaddr: 'Noisy' })).toMatchObject({ tell: 'all' })
  await page.reload()
  await choose('Notify me about mentions only')
  await page.getByText('You’ll be notified about mentions.').waitFor()
  expect(await asAlice.getChatNotifications({ nftaddr: 'Noisy' })).toMatchObject({ tell: 'mentions' })

  await choose('Get announcements')
  await page.getByText('You’ll get announcements').waitFor()
  expect(await asAlice.getChatNotifications({ nftaddr: 'Noisy' })).toEqual({
    tell: 'mentions',
    announcements: true,
  })
  const body = { fromaddr: alice.address, nftaddr: 'Noisy', message: 'The vote begins' }
  await asAlice.postGroupMessage({ body })
  await page.getByRole('button', { name: /^Message options: .*vote/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Announce…' }).click()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Announce to fewer than 10 people' }).click()
  // The mark comes with the event.
  await page.getByText('Announcement', { exact: true }).waitFor()
  await choose('Moderation')
  await page.getByText(/^The announcement of .* were notified/).waitFor()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Announce…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The next one is possible').first().waitFor()
  await visit(alice, '/settings/notifications')
  const agreed = page.getByRole('list', { name: 'Chats whose announcements you get' })
  await agreed.getByRole('link', { name: 'Noisy' }).waitFor()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop announcements of Noisy' }).click()
  await page.getByText('You’ll get no announcements').waitFor()
  await page.getByText('You get announcements of no chat.').waitFor()
  expect(complaints).toEqual([])
})

test('what another app shares waits in the field of the conversation that is chosen', async () => {
  await using alice = await openPerson(url)
  const { page, complaints } = alice
  const [carla, asAlice] = [newWallet(), await service.as(alice.address)]
  const asCarla = await service.as(carla)
  await asCarla.setName({ body: { address: carla, name: 'Carla' } })
  await asAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: carla, message: 'hello' } })
  await arrive(
    alice,
    `/share?${new URLSearchParams({ title: 'A page', text: 'Look at this', url: 'https://example.org/' })}`,
  )
  await page.getByRole('heading', { name: 'Share with' }).waitFor()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: /Carla/ }).click()
  await page.waitForURL(/\/dm\/0x/)
  await eventually(
    () => page.getByRole('textbox', { name: /message/i }).inputValue(),
    (text) => expect(text).toBe('A page\nLook at this\nhttps://example.org/'),
  )
  expect(complaints).toEqual([])
})

test('a webhook is made, its secret shown once, tested, and deleted after a question', async () => {
  await using alice = await openPerson(url)
  const { page, complaints } = alice
  await arrive(alice, '/settings/developer')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByLabel('Address', { exact: true }).fill('https://127.0.0.1:22/')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText(/must be a public https URL/).waitFor()
  const address = `https://${pushService.host}/hook`
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('checkbox', { name: 'First messages from new people' }).check()
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Deliveries' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('waits').waitFor()
  await service.runJobs()
  await page.getByText('answered 410').waitFor()
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
  ).toBe(false)
  await page.getByRole('checkbox', { name: 'Only what failed' }).check()
  await page.getByRole('list', { name: 'Deliveries' }).getByText('answered 410').waitFor()
  await page.getByRole('button', { name: `Delete the webhook ${address}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click()
  await eventually(
    async () => (await service.as(alice.address)).listWebhooks(),
    (hooks) => expect(hooks).toEqual([]),
  )
  // Its entry of the history is left as it closes, which would end a reload.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Add a webhook' }).waitFor()
  expect(await page.getByText(/^whsec_/).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a webhook of one chat offers what chats have, is told in pages, and gets another secret', async () => {
  await using alice = await openPerson(url)
  const { page, complaints } = alice
  const client = await service.as(alice.address)
  await arrive(alice, '/settings/developer')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByLabel('Address', { exact: true }).fill(`https://${pushService.host}/hook`)
  await page.getByRole('radio', { name: 'One chat' }).check()
  expect(await page.getByRole('checkbox', { name: 'First messages from new people' }).count()).toBe(0)
  const add = page.getByRole('button', { name: 'Add it' })
  await page.getByRole('checkbox', { name: 'Posts in chats you joined' }).check()
  expect(await add.isDisabled()).toBe(true)
  await page.getByLabel('Chat', { exact: true }).fill('Gardeners')
  await page.getByRole('checkbox', { name: 'Commands of a bot' }).check()
  expect(await faults(page)).toEqual([])
  await add.click()
  await page.getByText('message.group, command in gardeners').waitFor()
  const secret = await page.getByText(/^whsec_/).textContent()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Change the secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change it' }).click()
  await page.getByText(/The old secret works until/).waitFor()
  expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret)
  await page.getByRole('button', { name: 'I have saved it' }).click()

  const [hook] = await client.listWebhooks()
  await service.ctx.db.query(
    `insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, chat, ms, attempt, status, is_done, answered)
     select bucket_of($1), $1, $2, n, 'command', $1, 'gardeners', $3, 1, 200, true, 'posted' from generate_series(1, 30) n`,
    [alice.address, hook!.id, Date.now()],
  )
  await page.getByRole('button', { name: 'Deliveries' }).click()
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await eventually(
    () => rows.count(),
    (count) => expect(count).toBe(20),
  )
  await page.getByRole('button', { name: 'Show earlier ones' }).click()
  await eventually(
    () => rows.count(),
    (count) => expect(count).toBe(30),
  )
  expect(await rows.first().textContent()).toContain('its text posted')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
  ).toBe(false)
  expect(await faults(page)).toEqual([])
  expect(complaints).toEqual([])
})
