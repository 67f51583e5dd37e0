// The field for a message, and what is around it.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import {
  acquaint,
  bubble,
  eventually,
  openConversation,
  openPerson,
  type Person,
  say,
  signIn,
  arrive,
  visit,
} from './person.ts'
import { useSite } from './site.ts'
import { punks } from './places.ts'

const site = useSite()

const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const box = async ({ page }: Person, selector: string) => (await page.locator(selector).boundingBox())!

test.concurrent('the field has the focus when a conversation opens, but not where that opens a keyboard', async () => {
  await using alice = await openPerson(site.url)
  const [bob, carol] = [newWallet(), newWallet()]
  await arrive(alice)
  await openConversation(alice, { address: bob })
  await alice.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
  await alice.page.keyboard.type('gm Bob')
  await alice.page.keyboard.press('Enter')
  await bubble(alice, 'gm Bob').waitFor()
  await openConversation(alice, { address: carol })
  await alice.page.getByRole('link', { name: /gm Bob/ }).click()
  await bubble(alice, 'gm Bob').waitFor()
  await alice.page.keyboard.type('again')
  expect(await field(alice).inputValue()).toBe('again')

  await using phone = await openPerson(site.url, { hasTouch: true, isMobile: true })
  await signIn(phone, `/dm/${bob}`)
  await field(phone).waitFor()
  expect(await phone.page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

test.concurrent('who has signed in has the focus where the page begins, or in the field of the conversation of the link', async () => {
  const places = { '/': '#chats', '/settings': 'h1', [`/dm/${newWallet()}`]: 'textarea' }
  await Promise.all(
    Object.entries(places).map(async ([path, selector]) => {
      await using alice = await openPerson(site.url)
      await signIn(alice, path)
      await alice.page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector)
    }),
  )
})

test.concurrent('the newest message stays on the screen while the field grows, and a reader of older ones stays there', async () => {
  await using phone = await openPerson(site.url, { viewport: { width: 1000, height: 500 } })
  const bob = newWallet()
  const client = await site.service.as(phone.address)
  for (let i = 1; i <= 15; i++)
    await client.sendDirectMessage({
      body: { fromaddr: phone.address, toaddr: bob, message: `message ${i}: ${'word '.repeat(i)}` },
    })
  await arrive(phone, `/dm/${bob}`)
  const log = phone.page.getByRole('log')
  await log.getByText('message 15').waitFor()
  const toEnd = () => log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)
  const height = () => log.evaluate((list) => list.clientHeight)
  await eventually(toEnd, (pixels) => expect(pixels).toBeLessThan(2))
  const before = await height()
  await field(phone).fill('one\ntwo\nthree\nfour')
  await eventually(height, (pixels) => expect(pixels).toBeLessThan(before - 40))
  await eventually(toEnd, (pixels) => expect(pixels).toBeLessThan(2))
  await field(phone).fill('')
  await eventually(height, (pixels) => expect(pixels).toBe(before))
  await log.hover()
  await phone.page.mouse.wheel(0, -400)
  await eventually(toEnd, (pixels) => expect(pixels).toBeGreaterThan(300))
  await field(phone).fill('one\ntwo\nthree\nfour')
  await eventually(height, (pixels) => expect(pixels).toBeLessThan(before - 40))
  expect(await toEnd()).toBeGreaterThan(300)
})

test.concurrent('a wallet that posts in a chat for the first time joins it, and so sees the answers', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice, `/nft/${punks}`)
  await alice.page.getByRole('button', { name: 'Join', exact: true }).waitFor()
  await say(alice, 'who is here?')
  await alice.page.getByRole('button', { name: 'Join', exact: true }).waitFor({ state: 'detached' })
  const row = alice.page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('link', { name: /who is here/ })
  await row.waitFor()
  const asAlice = await site.service.as(alice.address)
  expect(await asAlice.hasJoined({ walletaddr: alice.address, nftaddr: punks })).toBe(true)
  // Leaving is respected until the next post.
  await alice.page.getByRole('button', { name: 'Chat options' }).click()
  await alice.page.getByRole('menuitem', { name: 'Leave' }).click()
  await row.waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test.concurrent('messages are not cut by an empty strip above the field; who types is told over the list', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await arrive(alice, `/dm/${bob.address}`)
  await arrive(bob, `/dm/${alice.address}`)
  await say(alice, 'gm')
  await bubble(bob, 'gm').waitFor()
  const [list, form] = [await box(alice, '[role=log]'), await box(alice, 'main form')]
  expect(Math.abs(list.y + list.height - form.y)).toBeLessThanOrEqual(1)
  await field(bob).pressSequentially('gm')
  const typing = alice.page.getByText(/is typing…$/).last()
  await typing.waitFor()
  // Nothing moves, and nothing is covered.
  expect(await box(alice, '[role=log]')).toEqual(list)
  const line = (await alice.page.locator('main p[aria-live]').last().boundingBox())!
  const newest = (await bubble(alice, 'gm').boundingBox())!
  expect(newest.y + newest.height).toBeLessThanOrEqual(line.y)
})

test.concurrent('who types in a chat without posts is told below its invitation, also on a phone', async () => {
  await using alice = await openPerson(site.url, { viewport: { width: 360, height: 640 } })
  const bob = newWallet()
  const [asAlice, asBob] = [await site.service.as(alice.address), await site.service.as(bob)]
  await asAlice.createCommunity({ body: { community: 'hush' } })
  for (const [client, walletaddr] of [[asAlice, alice.address] as const, [asBob, bob] as const])
    await client.joinChat({ body: { walletaddr, nftaddr: 'hush' } })
  await arrive(alice)
  await visit(alice, '/c/hush')
  await alice.page.getByRole('img', { name: 'QR code of hush' }).waitFor()
  const typing = alice.page.getByText(/is typing…$/).last()
  await eventually(
    async () => {
      await asBob.sendTyping({ body: { fromaddr: bob, nftaddr: 'hush' } })
      return typing.isVisible()
    },
    (isVisible) => expect(isVisible).toBe(true),
  )
  const line = (await typing.boundingBox())!
  const isCovered = await alice.page.evaluate(
    ({ x, y, width, height }) =>
      document
        .elementsFromPoint(x + width / 2, y + height / 2)
        .some((element) => element.matches('figure, section')),
    line,
  )
  expect(isCovered).toBe(false)
})

test.concurrent('a notice does not cover the newest message', async () => {
  await using alice = await openPerson(site.url)
  await alice.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await arrive(alice, `/dm/${newWallet()}`)
  await say(alice, 'gm')
  await bubble(alice, 'gm').hover()
  await alice.page.getByRole('button', { name: /^Message options/ }).click()
  await alice.page.getByRole('menuitem', { name: 'Copy text' }).click()
  const notice = (await alice.page.getByText('Message copied').boundingBox())!
  const newest = (await bubble(alice, 'gm').boundingBox())!
  expect(notice.y + notice.height).toBeLessThan(newest.y)
})

test.concurrent('a long name is cut in the field of a phone, and a refused name does not move its button', async () => {
  await using alice = await openPerson(site.url, { viewport: { width: 360, height: 740 } })
  const bob = newWallet()
  const name = 'Bartholomew Featherstonehaugh of the Northern Provinces'
  await (await site.service.as(bob)).setName({ body: { address: bob, name } })
  await arrive(alice)
  await visit(alice, `/dm/${bob}`)
  await alice.page.getByRole('textbox', { name: `Message ${name}` }).waitFor()
  const { height } = await box(alice, 'textarea')
  expect(height).toBeLessThanOrEqual(46)

  await visit(alice, '/settings/profile')
  const input = alice.page.getByRole('main').getByLabel('Name', { exact: true })
  await input.fill('Alice')
  const save = alice.page.getByRole('button', { name: 'Save' }).first()
  await save.click()
  await alice.page.getByText('Name saved').waitFor()
  await input.fill(name)
  await save.click()
  await alice.page.getByText('Another address has this name').waitFor()
  expect(await alice.page.getByText('Name saved').count()).toBe(0)
  const [one, other] = [(await input.boundingBox())!, (await save.boundingBox())!]
  expect(Math.abs(one.y + one.height - other.y - other.height)).toBeLessThan(3)
})

test.concurrent('a wallet that never answers can be given up; what it answers later signs nobody in', async () => {
  await using alice = await openPerson(site.url)
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  await alice.context.exposeFunction('patience', () => promise)
  await alice.context.addInitScript(() => {
    const page = globalThis as unknown as Record<'signWithTestWallet', (raw: string) => Promise<string>> & {
      patience: () => Promise<void>
    }
    const sign = page.signWithTestWallet
    page.signWithTestWallet = async (raw) => {
      await page.patience()
      return sign(raw)
    }
  })
  await alice.page.goto('/')
  const start = alice.page.getByRole('button', { name: 'Sign in with Test Wallet' })
  await start.click()
  await alice.page.getByRole('button', { name: 'Waiting for your wallet…' }).waitFor()
  await alice.page.getByText('Can’t see it?').waitFor()
  expect(await alice.page.getByRole('button', { name: 'Try without a wallet' }).isEnabled()).toBe(true)
  await alice.page.getByRole('button', { name: 'Cancel' }).click()
  await start.waitFor()
  const signing = alice.page.waitForRequest('**/v1/signin', { timeout: 1500 }).catch(() => undefined)
  answer()
  expect(await signing).toBeUndefined()
  await start.waitFor()
  expect(alice.complaints).toEqual([])
})
