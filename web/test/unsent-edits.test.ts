// A message that is not sent yet is edited like any other one: it is sent once, with its last text.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { arrive, bubble, eventually, openPerson, type Person, say } from './person.ts'
import { talkSealed } from './sealed-talk.ts'
import { useSite } from './site.ts'
import { edit, newTown, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const sending = '**/v1/create_chatitem'
const waiting = ({ page }: Person) =>
  page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).waitFor()

const holds = ({ page }: Person, text: string) =>
  page.waitForFunction((wanted) => document.querySelector('textarea')?.value === wanted, text)

/** Edits the last message by the keyboard. */
async function editLast(person: Person, from: string, to: string): Promise<void> {
  // A page that has just been opened shows what it has stored before it knows whether messages are encrypted, and the key does
  // nothing until then.
  await eventually(
    async () => {
      await field(person).press('ArrowUp')
      return field(person).inputValue()
    },
    (text) => expect(text).toBe(from),
  )
  await field(person).fill(to)
  await field(person).press('Enter')
  await bubble(person, to).waitFor()
}

/** The messages of Alice after those with which the conversation began. */
async function later({ alice, bob }: { alice: Person; bob: Person }) {
  const items = await (
    await site.service.as(alice.address)
  ).listConversation({ fromaddr: alice.address, toaddr: bob.address })
  return items.slice(2).map(({ message, revision = 0 }) => ({ message, revision }))
}

const kept = (page: Page) => page.evaluate(() => Object.keys(localStorage).join())

/** The service stores what is sent, and its responses are lost. */
const loseResponses = ({ page }: Person) =>
  page.route(sending, async (route) => {
    await route.fetch().catch(() => {})
    await route.abort().catch(() => {})
  })

test('a message that waits is edited with the arrow, in another tab too, and is sent once as it is then', async () => {
  const t = await talking()
  await t.alice.context.route(sending, (route) => route.abort())
  await say(t.alice, 'helo')
  await waiting(t.alice)
  await editLast(t.alice, 'helo', 'hello')
  expect(await bubble(t.alice, 'helo').count()).toBe(0)
  const second = { ...t.alice, page: await t.alice.context.newPage() }
  await second.page.goto(`/dm/${t.bob.address}`)
  await bubble(second, 'hello').waitFor()
  await editLast(second, 'hello', 'hello, Bob')
  await bubble(t.alice, 'hello, Bob').waitFor()
  await t.alice.page.close()
  await second.page.reload()
  await bubble(second, 'hello, Bob').waitFor()
  await t.alice.context.unroute(sending)
  await second.page.reload()
  await bubble(t.bob, 'hello, Bob').waitFor()
  expect(await later(t)).toEqual([{ message: 'hello, Bob', revision: 0 }])
  await eventually(
    () => kept(second.page),
    (names) => expect(names).not.toContain('parley.outbox'),
  )
  await bubble(second, 'hello, Bob').first().waitFor()
  expect(await bubble(second, 'hello, Bob').count()).toBe(1)
  expect(t.alice.complaints).toEqual([])
})

test('where the service has it already and its response was lost, the new text becomes an edit of it', async () => {
  const t = await talking()
  await loseResponses(t.alice)
  await say(t.alice, 'one')
  await bubble(t.bob, 'one').waitFor()
  await editLast(t.alice, 'one', 'two')
  // The event of the stored one does not make a second bubble.
  await t.alice.page.waitForTimeout(500)
  expect(await bubble(t.alice, 'one').count()).toBe(0)
  await t.alice.page.unroute(sending)
  await bubble(t.bob, 'two').waitFor()
  expect(await later(t)).toEqual([{ message: 'two', revision: 1 }])
  await t.alice.page.getByRole('button', { name: 'edited' }).waitFor()
  await t.alice.page.reload()
  await bubble(t.alice, 'two').waitFor()
  expect(await bubble(t.alice, 'one').count()).toBe(0)
  expect(await bubble(t.alice, 'two').count()).toBe(1)
  await eventually(
    () => kept(t.alice.page),
    (names) => expect(names).not.toContain('parley.outbox'),
  )
})

test('an edit while the message is on its way, and one that was begun before it was sent, are edits of it', async () => {
  const t = await talking()
  const passing = Promise.withResolvers<void>()
  await t.alice.page.route(sending, async (route) => {
    await passing.promise
    await route.continue()
  })
  await say(t.alice, 'one')
  await bubble(t.alice, 'one').waitFor()
  await editLast(t.alice, 'one', 'two')
  await say(t.alice, 'three')
  await bubble(t.alice, 'three').waitFor()
  await field(t.alice).press('ArrowUp')
  await holds(t.alice, 'three')
  passing.resolve()
  await bubble(t.bob, 'three').waitFor()
  await eventually(
    () => t.alice.page.getByRole('log').getByRole('img', { name: 'Sending' }).count(),
    (count) => expect(count).toBe(0),
  )
  await holds(t.alice, 'three')
  await field(t.alice).fill('four')
  await field(t.alice).press('Enter')
  for (const text of ['two', 'four']) await bubble(t.bob, text).waitFor()
  expect(await later(t)).toEqual([
    { message: 'two', revision: 1 },
    { message: 'four', revision: 1 },
  ])
  expect(await bubble(t.alice, 'two').count()).toBe(1)
  expect(t.alice.complaints).toEqual([])
})

test('a message that was refused is edited and sent again, and what waits behind it follows', async () => {
  await using alice = await openPerson(site.url)
  const { town, asOwner: asAlice } = await newTown(site, alice)
  await arrive(alice, `/c/${town}`)
  await alice.page.route('**/v1/create_groupchatitem', async (route) => {
    if (!route.request().postData()!.includes('swear')) return route.continue()
    await route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: '/docs/errors#forbidden', status: 403, detail: 'No swearing.' }),
    })
  })
  await say(alice, 'I swear')
  await alice.page.getByText('Couldn’t send. No swearing.').waitFor()
  await say(alice, 'second')
  await alice.page.getByText('The message above goes first.').waitFor()
  await alice.page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await holds(alice, 'I swear')
  await field(alice).fill('I say')
  await field(alice).press('Enter')
  await eventually(
    async () =>
      (await asAlice.listGroupMessages({ address: town, useraddress: alice.address })).map(
        ({ message, revision = 0 }) => ({ message, revision }),
      ),
    (items) =>
      expect(items).toEqual([
        { message: 'I say', revision: 0 },
        { message: 'second', revision: 0 },
      ]),
  )
  expect(await alice.page.getByText('Couldn’t send.').count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test('an encrypted message that waits is encrypted as it is then; one that was stored gets the next version', async () => {
  await using t = await talkSealed(site)
  await t.alice.page.route(sending, (route) => route.abort())
  await say(t.alice, 'a secret draft')
  await waiting(t.alice)
  await editLast(t.alice, 'a secret draft', 'a secret')
  await t.alice.page.unroute(sending)
  await bubble(t.bob, 'a secret').waitFor()
  await loseResponses(t.alice)
  await say(t.alice, 'another secret')
  await bubble(t.bob, 'another secret').waitFor()
  await editLast(t.alice, 'another secret', 'the last secret')
  await t.alice.page.unroute(sending)
  await bubble(t.bob, 'the last secret').waitFor()
  const [, , third, fourth] = await t.stored()
  expect([third!.revision ?? 0, fourth!.revision]).toEqual([0, 1])
  expect(JSON.parse(fourth!.encrypted_sym_x_key!)).toMatchObject({ rev: 1 })
  expect(await t.seenByService()).not.toContain('secret')
  await t.bob.page.getByRole('button', { name: 'edited' }).click()
  const dialog = t.bob.page.getByRole('dialog', { name: 'Edit history' })
  await dialog.locator('del', { hasText: 'another' }).waitFor()
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('an edit whose message is gone is shown with its text until it is dismissed, also after a reload', async () => {
  const t = await talking()
  await t.alice.page.route('**/v1/messages/*', (route) => route.abort())
  await edit(t.alice, 'from Alice', 'a long thought')
  await bubble(t.alice, 'a long thought').waitFor()
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const asAlice = await site.service.as(t.alice.address)
  const [first] = await asAlice.listConversation(pair)
  await asAlice.deleteDirectMessage({ id: first!.id })
  await bubble(t.alice, 'a long thought').waitFor({ state: 'detached' })
  await t.alice.page.unroute('**/v1/messages/*')
  const lost = t.alice.page.getByRole('region', { name: 'An edit that was not saved' })
  await lost.getByText('The message is gone. Your change was:').waitFor()
  await t.alice.page.reload()
  await lost.getByText('a long thought').waitFor()
  await t.alice.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await lost.getByRole('button', { name: 'Copy' }).click()
  await eventually(
    () => t.alice.page.evaluate(() => navigator.clipboard.readText()),
    (text) => expect(text).toBe('a long thought'),
  )
  await lost.getByRole('button', { name: 'Dismiss' }).click()
  await lost.waitFor({ state: 'detached' })
  await eventually(
    () => kept(t.alice.page),
    (names) => expect(names).not.toContain('parley.outbox'),
  )
  expect(t.alice.complaints).toEqual([])
})
