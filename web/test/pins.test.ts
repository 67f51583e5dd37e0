// The list of pinned messages, and quotes of messages that are not there.

import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { newTown, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const strip = ({ page }: Person) => page.getByRole('region', { name: 'Pinned messages' })
const list = ({ page }: Person) => page.getByRole('dialog', { name: 'Pinned messages' })
const openList = ({ page }: Person) => page.getByRole('button', { name: 'All pinned messages' }).click()

test('who may not pin in a community reads the list, without Unpin', async ({ expect }) => {
  await using bob = await openPerson(site.url)
  const alice = { address: newWallet() }
  const { town, asOwner: asAlice } = await newTown(site, alice, bob)
  const [post] = await asAlice.postGroupMessage({
    body: { fromaddr: alice.address, nftaddr: town, message: 'the stalls open at eight' },
  })
  await asAlice.pinMessage({ id: post!.id })
  await arrive(bob, `/c/${town}`)
  await openList(bob)
  await list(bob)
    .getByRole('button', { name: /the stalls open at eight/ })
    .waitFor()
  expect(
    await list(bob)
      .getByRole('button', { name: /^Unpin/ })
      .count(),
  ).toBe(0)
})

test('a quote of a message that is not loaded goes to it, and says when it is not there any more', async ({
  expect,
}) => {
  const t = await talking()
  const asAlice = await site.service.as(t.alice.address)
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const send = async (message: string, reply_to?: number) =>
    (await asAlice.sendDirectMessage({ body: { ...pair, message, ...(reply_to && { reply_to }) } }))[0]!
  const [, second] = await asAlice.listConversation(pair)
  for (let n = 0; n < 160; n++) await send(`line ${n}`)
  await send('about the first', second!.id)
  await t.alice.page.reload()
  const { page } = t.alice
  await bubble(t.alice, 'about the first').waitFor()
  const quote = page.getByRole('button', { name: 'Show the message' })
  await quote.click()
  await eventually(
    () => page.evaluate(() => document.activeElement?.textContent),
    (text) => expect(text).toContain('from Bob'),
  )
  await page.getByRole('button', { name: /^To the newest/ }).click()
  await bubble(t.alice, 'about the first').waitFor()
  await (await site.service.as(t.bob.address)).deleteDirectMessage({ id: second!.id })
  await quote.click()
  await page.getByText('This message is not here any more.').waitFor()
  await bubble(t.alice, 'about the first').waitFor()
  expect(t.alice.complaints).toEqual([])
})

test('a quote of somebody who is blocked says so, until the message is shown', async ({ expect }) => {
  await using bob = await openPerson(site.url)
  const alice = { address: newWallet() }
  const mallory = { address: newWallet() }
  const { town, asOwner: asAlice } = await newTown(site, alice, bob, mallory)
  const [post] = await (
    await site.service.as(mallory.address)
  ).postGroupMessage({ body: { fromaddr: mallory.address, nftaddr: town, message: 'buy my coin' } })
  await asAlice.postGroupMessage({
    body: { fromaddr: alice.address, nftaddr: town, message: 'no, thank you', reply_to: post!.id },
  })
  await (await site.service.as(bob.address)).setContact({ peer: mallory.address, body: { state: 'blocked' } })
  await arrive(bob, `/c/${town}`)
  await bob.page.getByText('Hidden message of somebody whom you have blocked', { exact: true }).waitFor()
  expect(await bob.page.getByText('buy my coin').count()).toBe(0)
  await bob.page.getByRole('button', { name: 'show', exact: true }).click()
  await bob.page.getByRole('button', { name: /In reply to .*buy my coin/ }).waitFor()
  expect(bob.complaints).toEqual([])
})

test('all pins are in a list: a click goes there, each can be unpinned, and they can be hidden until the next', async ({
  expect,
}) => {
  const t = await talking()
  const { alice, bob } = t
  const asAlice = await site.service.as(alice.address)
  const [first, second] = await asAlice.listConversation({ fromaddr: alice.address, toaddr: bob.address })
  await asAlice.pinMessage({ id: first!.id })
  await asAlice.pinMessage({ id: second!.id })
  await openList(bob)
  await list(bob)
    .getByRole('button', { name: /You.*from Bob/ })
    .waitFor()
  expect(await faults(bob.page, { within: 'dialog' })).toEqual([])
  await list(bob)
    .getByRole('button', { name: /pinned.*from Alice/ })
    .click()
  await list(bob).waitFor({ state: 'detached' })
  await eventually(
    () => bob.page.evaluate(() => document.activeElement?.textContent),
    (text) => expect(text).toContain('from Alice'),
  )
  await openList(bob)
  await list(bob).getByRole('button', { name: 'Unpin: from Alice' }).click()
  await eventually(
    () => list(bob).getByRole('listitem').count(),
    (count) => expect(count).toBe(1),
  )
  await list(bob).getByRole('button', { name: 'Hide for me until the next pin' }).click()
  await strip(bob).waitFor({ state: 'detached' })
  await bob.page.reload()
  await bubble(bob, 'from Bob').waitFor()
  await strip(alice).getByText('from Bob').waitFor()
  await bob.page.waitForTimeout(500)
  expect(await strip(bob).count()).toBe(0)
  const hidden = () =>
    bob.page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('pins-hidden')).length)
  expect(await hidden()).toBe(1)
  await asAlice.pinMessage({ id: first!.id })
  await strip(bob).getByText('from Alice').waitFor()
  // The last one closes the list with it.
  await openList(alice)
  for (const text of ['from Alice', 'from Bob'])
    await list(alice)
      .getByRole('button', { name: `Unpin: ${text}` })
      .click()
  await list(alice).waitFor({ state: 'detached' })
  await strip(bob).waitFor({ state: 'detached' })
  // Signing out deletes what was hidden, as all that is stored of threads.
  await bob.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await bob.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await bob.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  expect(await hidden()).toBe(0)
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
