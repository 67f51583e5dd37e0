// What a person finds before there is a conversation: their own link, communities, and the way in by
// a link of somebody else.

import { test } from 'vitest'
import { getAddress } from 'viem'
import { newName, newWallet } from '../../testing/service/service.ts'
import { bubble, openPerson, type Person, say, signIn } from './person.ts'
import { readQr } from './qr.ts'
import { useSite } from './site.ts'

const site = useSite()

async function createCommunity(community: string, members: number): Promise<void> {
  const creator = await site.service.as(newWallet())
  await creator.createCommunity({ body: { community } })
  for (let n = 0; n < members; n++) {
    const walletaddr = newWallet()
    await (await site.service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr: community } })
  }
}

const phone = { viewport: { width: 360, height: 640 } }
const linkOf = ({ address }: Person) => `${site.url}/dm/${getAddress(address)}`

// One at a time: they share the clipboard.
test.for([
  ['beside the inbox', {}],
  ['in the inbox of a phone', phone],
] as const)(
  'an empty inbox has the link to oneself, also as a QR code that can be read: %s',
  async ([, screen], { expect }) => {
    await using alice = await openPerson(site.url, {
      ...screen,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = alice
    await signIn(alice)
    await page.getByRole('button', { name: 'Copy link' }).filter({ visible: true }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(linkOf(alice))
    const code = page.getByRole('img', { name: 'QR code of your link' }).filter({ visible: true })
    expect(await readQr(code)).toBe(linkOf(alice))
    expect(alice.complaints).toEqual([])
  },
)

test.concurrent('one takes a name and writes to oneself from there; with conversations it is still beside the inbox', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await signIn(alice)
  await page.getByLabel('Name', { exact: true }).filter({ visible: true }).fill('Ada Quill')
  await page.getByRole('button', { name: 'Save' }).filter({ visible: true }).click()
  await page.getByText('Ada Quill').filter({ visible: true }).first().waitFor()
  await page.getByRole('link', { name: 'Note to self' }).filter({ visible: true }).click()
  await say(alice, 'milk, eggs')
  await bubble(alice, 'milk, eggs').waitFor()
  await page.goto('/')
  await page.getByRole('img', { name: 'QR code of your link' }).waitFor()
  expect(await page.getByText('No conversations yet').isVisible()).toBe(false)
})

test('communities of this service are found by name, and joined', async ({ expect }) => {
  const [herons, hedgehogs, otters] = [newName('Herons'), newName('hedgehogs'), newName('otters')]
  await createCommunity(herons, 3)
  await createCommunity(hedgehogs, 1)
  await createCommunity(otters, 2)
  await using alice = await openPerson(site.url, phone)
  const { page } = alice
  await signIn(alice)
  await page.getByRole('link', { name: 'Show all' }).filter({ visible: true }).click()
  const names = () =>
    page
      .getByRole('main')
      .getByRole('article')
      .getByRole('heading')
      .allInnerTexts()
      .then((all) => all.filter((name) => [herons, otters, hedgehogs].includes(name)).toSorted())
  const search = page.getByRole('searchbox', { name: /^Find a community/ })
  await search.waitFor()
  await expect.poll(names).toEqual([herons, hedgehogs, otters])
  await search.fill('HE')
  await expect.poll(names).toEqual([herons, hedgehogs])
  await page.getByRole('button', { name: `Join ${herons}` }).click()
  await page.getByRole('main').getByText('Joined', { exact: true }).waitFor()
  await page.getByRole('main').getByText('4 members').waitFor()
  await search.fill('hexagons')
  await page.getByRole('link', { name: 'Create one' }).click()
  expect(await page.getByRole('main').getByLabel('Name', { exact: true }).inputValue()).toBe('hexagons')
  await page.goto('/')
  await page
    .getByRole('link', { name: new RegExp(herons) })
    .filter({ visible: true })
    .waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('a community shows who has joined it, each with the card of the wallet; Back leads to the chat', async ({
  expect,
}) => {
  await createCommunity('lanterns', 60)
  await using alice = await openPerson(site.url)
  const { page, address } = alice
  const asAlice = await site.service.as(address)
  await asAlice.setName({ body: { address, name: 'Lamplighter' } })
  await asAlice.joinChat({ body: { walletaddr: address, nftaddr: 'lanterns' } })
  await signIn(alice, '/c/lanterns')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Community · 61/ })
    .click()
  await page.getByText('Members · 61').waitFor()
  const members = page.getByRole('button', { name: /0x/ }).filter({ hasText: '…' })
  await expect.poll(() => members.count()).toBeGreaterThanOrEqual(49)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Lamplighter (you)' }).click()
  await page.getByRole('dialog', { name: 'Your wallet' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => members.count()).toBe(61)
  await page.goBack()
  await page.getByRole('textbox', { name: 'Message lanterns' }).waitFor()
})

test.concurrent('one looks into a community without joining, and Back leads to its page', async () => {
  await createCommunity('quarry', 1)
  await using alice = await openPerson(site.url)
  const { page } = alice
  await signIn(alice, '/c/quarry')
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await page.getByRole('textbox', { name: 'Message quarry' }).waitFor()
  await page.reload()
  await page.getByRole('textbox', { name: 'Message quarry' }).waitFor()
})

test.concurrent('who follows a link sees who invites, and writes to them after signing in', async ({
  expect,
}) => {
  const zoe = newWallet()
  await (await site.service.as(zoe)).setName({ body: { address: zoe, name: 'Zoe' } })
  await using bob = await openPerson(site.url, phone)
  const { page } = bob
  await page.goto(`/dm/${getAddress(zoe)}`)
  await page.getByRole('heading', { name: 'Message Zoe on' }).waitFor()
  await page.getByText('Sign in with one signature').waitFor()
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await page.getByRole('textbox', { name: 'Message Zoe' }).waitFor()
  await say(bob, 'Hello Zoe')
  await bubble(bob, 'Hello Zoe').waitFor()
  // It is shown before it is sent.
  const asZoe = await site.service.as(zoe)
  await expect.poll(() => asZoe.countUnread({ address: zoe })).toBe(1)
  expect(bob.complaints).toEqual([])
})

test.concurrent('a link to a community leads into it; a link to nobody is the page for everybody', async () => {
  await createCommunity('Orchard', 2)
  await using bob = await openPerson(site.url)
  const { page } = bob
  await page.goto('/dm/nobody-at-all')
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await page.goto('/c/orchard')
  await page.getByRole('heading', { name: 'You’re invited to Orchard' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Join' }).waitFor()
})
