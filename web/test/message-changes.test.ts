// Replies, edits, reactions and pins, between two people and in a community.

import { test } from 'vitest'
import { newName } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, openPerson, type Person, say } from './person.ts'
import { useSite } from './site.ts'
import { choose, newTown, talk, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const pill = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true })

/** Goes by keyboard from the field to the message before the last one. */
async function toOwn({ page }: Person): Promise<void> {
  await page.getByRole('textbox', { name: /^Message / }).press('Shift+Tab')
  await page.keyboard.press('Home')
}

test('a reaction appears at both, can be joined and taken back, and says who reacted', async ({ expect }) => {
  const t = await talking()
  await choose(t.bob, 'from Alice', 'React with thumbs up')
  await pill(t.bob, 'thumbs up, 1, you reacted').waitFor()
  await pill(t.alice, 'thumbs up, 1').click()
  await pill(t.alice, 'thumbs up, 2, you reacted').waitFor()
  await pill(t.bob, 'thumbs up, 2, you reacted').waitFor()
  await t.bob.page.getByRole('button', { name: 'Who reacted' }).click()
  await t.bob.page.getByRole('dialog', { name: 'Reactions' }).getByText('You').waitFor()
  await t.bob.page.keyboard.press('Escape')
  await pill(t.bob, 'thumbs up, 2, you reacted').click()
  await pill(t.alice, 'thumbs up, 1, you reacted').waitFor()
  // They are there after a reload, and gone at both when the last one is taken back.
  await t.bob.page.reload()
  await pill(t.bob, 'thumbs up, 1').waitFor()
  expect(await faults(t.bob.page)).toEqual([])
  await pill(t.alice, 'thumbs up, 1, you reacted').click()
  await pill(t.bob, 'thumbs up, 1').waitFor({ state: 'detached' })
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('who reacted is shown by emoji where there are several, by arrow keys too', async ({ expect }) => {
  const t = await talking()
  const { page } = t.bob
  await choose(t.bob, 'from Alice', 'React with thumbs up')
  await pill(t.bob, 'thumbs up, 1, you reacted').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Reactions' })
  const open = () => page.getByRole('button', { name: 'Who reacted' }).click()
  await open()
  await dialog.getByText('You').waitFor()
  expect(await dialog.getByRole('tab').count()).toBe(0)
  await page.keyboard.press('Escape')
  await choose(t.alice, 'from Alice', 'React with thumbs up')
  await choose(t.alice, 'from Alice', 'React with red heart')
  await pill(t.bob, 'red heart, 1').waitFor()
  await pill(t.bob, 'thumbs up, 2, you reacted').waitFor()
  await open()
  const rows = (count: number) =>
    eventually(
      () => dialog.getByRole('listitem').count(),
      (shown) => expect(shown).toBe(count),
    )
  await rows(2)
  expect(await faults(page, { within: 'dialog' })).toEqual([])
  await page.keyboard.press('End')
  const heart = dialog.getByRole('tab', { name: 'red heart, 1' })
  await eventually(
    () => heart.getAttribute('aria-selected'),
    (value) => expect(value).toBe('true'),
  )
  await rows(1)
  expect(await dialog.getByText('You').count()).toBe(0)
  await page.keyboard.press('ArrowLeft')
  await rows(2)
  await dialog.getByText('You').waitFor()
  await dialog.getByRole('tab', { name: 'All' }).click()
  await rows(2)
  expect(t.bob.complaints).toEqual([])
})

test('a reaction that the service refuses is taken back, with the reason', async ({ expect }) => {
  const t = await talking()
  await t.bob.page.route('**/v1/reactions/*', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: 'Conflict', status: 409, code: 'conflict', detail: 'Not now.' },
    }),
  )
  await choose(t.bob, 'from Alice', 'React with party popper')
  await t.bob.page.getByText(/^Couldn’t react\./).waitFor()
  expect(await pill(t.bob, 'party popper, 1, you reacted').count()).toBe(0)
})

test('a screen reader says who has reacted to an own message, once in five seconds', async ({ expect }) => {
  await using t = await talk(site)
  const asBob = await site.service.as(t.bob.address)
  await asBob.setName({ body: { address: t.bob.address, name: newName('Bob') } })
  // What was missed before the page hears of changes is shown, and not announced.
  const hears = t.alice.page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/events')
  const reads = t.alice.page.waitForResponse((response) => response.url().includes('/v1/getall_chatitems/'))
  await t.alice.page.reload()
  await hears
  await (await reads).finished()
  await bubble(t.alice, 'from Bob').waitFor()
  const [alices, bobs] = await asBob.listConversation({
    fromaddr: t.alice.address,
    toaddr: t.bob.address,
  })
  const said = t.alice.page.getByRole('status').filter({ hasText: 'reacted with' })
  await asBob.react({ id: alices!.id, body: { values: ['👍'] } })
  await eventually(
    () => said.textContent(),
    (text) => expect(text).toMatch(/^Bob.* reacted with thumbs up$/),
  )
  const began = Date.now()
  await asBob.react({ id: alices!.id, body: { values: ['🎉'] } })
  await asBob.react({ id: bobs!.id, body: { values: ['🦦'] } })
  await asBob.react({ id: alices!.id, body: { values: ['🎉', '🙏'] } })
  await eventually(
    () => said.textContent(),
    (text) => expect(text).toMatch(/^Bob.* reacted with folded hands$/),
  )
  expect(Date.now() - began).toBeGreaterThan(3_500)
  // Another device of one's own.
  await (await site.service.as(t.alice.address)).react({ id: alices!.id, body: { values: ['😮'] } })
  await eventually(
    () => said.textContent(),
    (text) => expect(text).toBe('You reacted with face with open mouth'),
  )
  expect(t.alice.complaints).toEqual([])
})

test('a reply shows the message that it replies to; a click goes there; a deleted one says so', async ({
  expect,
}) => {
  const t = await talking()
  await choose(t.bob, 'from Alice', 'Reply')
  await t.bob.page.getByText('Replying to').waitFor()
  await say(t.bob, 'an answer')
  await eventually(
    () => t.bob.page.getByText('Replying to').count(),
    (count) => expect(count).toBe(0),
  )
  const quote = t.alice.page.getByRole('button', { name: /In reply to You ?from Alice/ })
  await quote.click()
  await eventually(
    () => t.alice.page.evaluate(() => document.activeElement?.textContent ?? ''),
    (text) => expect(text).toContain('from Alice'),
  )
  const [first] = await (
    await site.service.as(t.alice.address)
  ).listConversation({
    fromaddr: t.alice.address,
    toaddr: t.bob.address,
  })
  await (await site.service.as(t.alice.address)).deleteDirectMessage({ id: first!.id })
  await t.bob.page.getByText('Message deleted').waitFor()
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('an edit replaces the text at both; Escape leaves it; what stood before can be read', async ({
  expect,
}) => {
  const t = await talking()
  const field = t.alice.page.getByRole('textbox', { name: /^Message / })
  await field.fill('a draft')
  await choose(t.alice, 'from Alice', 'Edit')
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe('from Alice'),
  )
  await field.press('Escape')
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe('a draft'),
  )
  await choose(t.alice, 'from Alice', 'Edit')
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe('from Alice'),
  )
  await field.fill('from Alice, better')
  await t.alice.page.getByRole('button', { name: 'Save edit' }).click()
  await bubble(t.bob, 'from Alice, better').waitFor()
  await bubble(t.alice, 'from Alice, better').waitFor()
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe('a draft'),
  )
  await t.bob.page.getByRole('button', { name: 'edited' }).first().click()
  const history = t.bob.page.getByRole('dialog', { name: 'Edit history' })
  await history.locator('ins', { hasText: 'better' }).waitFor()
  await t.bob.page.keyboard.press('Escape')
  // Only its author edits a message.
  await bubble(t.bob, 'from Alice, better').hover()
  await t.bob.page.getByRole('button', { name: /^Message options: .*from Alice/ }).click()
  await t.bob.page.getByRole('menuitem', { name: 'Reply' }).waitFor()
  expect(await t.bob.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0)
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('an edit that comes after another one keeps its text, and says so', async ({ expect }) => {
  const t = await talking()
  const asAlice = await site.service.as(t.alice.address)
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const [first] = await asAlice.listConversation(pair)
  await t.alice.page.route('**/v1/messages/*', async (route) => {
    await asAlice
      .editMessage({ id: first!.id, body: { message: 'from a phone', revision: 0 } })
      .catch(() => {})
    await route.continue()
  })
  await choose(t.alice, 'from Alice', 'Edit')
  const field = t.alice.page.getByRole('textbox', { name: /^Message / })
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe('from Alice'),
  )
  await field.fill('from a laptop')
  await field.press('Enter')
  await t.alice.page.getByText('This message was edited on another device.').waitFor()
  await bubble(t.alice, 'from a phone').waitFor()
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe('from a laptop'),
  )
  await field.press('Enter')
  await bubble(t.bob, 'from a laptop').waitFor()
})

test('the keyboard replies, edits, reacts and pins on a message', async ({ expect }) => {
  const t = await talking()
  const { page } = t.alice
  await toOwn(t.alice)
  await page.keyboard.press('+')
  await pill(t.alice, 'thumbs up, 1, you reacted').waitFor()
  await page.keyboard.press('p')
  await page.getByRole('region', { name: 'Pinned messages' }).getByText('from Alice').waitFor()
  await t.bob.page.getByRole('region', { name: 'Pinned messages' }).getByText('from Alice').waitFor()
  await page.keyboard.press('e')
  await page.getByText('Editing').waitFor()
  const field = page.getByRole('textbox', { name: /^Message / })
  await field.press('Escape')
  await page.getByText('Editing').waitFor({ state: 'detached' })
  await toOwn(t.alice)
  await page.keyboard.press('r')
  await page.getByText('Replying to yourself').waitFor()
  await page.getByRole('textbox', { name: /^Message / }).press('Escape')
  await page.getByText('Replying to yourself').waitFor({ state: 'detached' })
  expect(t.alice.complaints).toEqual([])
})

test('in a community its owner pins, and everybody reacts and goes to what is pinned', async ({ expect }) => {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await using _ = alice
  await using __ = bob
  const { town } = await newTown(site, alice, bob)
  await arrive(alice, `/c/${town}`)
  await arrive(bob, `/c/${town}`)
  await say(alice, 'the stalls open at eight')
  await bubble(bob, 'the stalls open at eight').waitFor()
  await choose(bob, 'the stalls', 'React with red heart')
  await pill(alice, 'red heart, 1').waitFor()
  await bubble(bob, 'the stalls open at eight').hover()
  await bob.page.getByRole('button', { name: /^Message options: .*the stalls/ }).click()
  await bob.page.getByRole('menuitem', { name: 'Reply' }).waitFor()
  expect(await bob.page.getByRole('menuitem', { name: 'Pin' }).count()).toBe(0)
  await bob.page.keyboard.press('Escape')
  await choose(alice, 'the stalls', 'Pin')
  await bob.page.getByRole('button', { name: 'Pinned: the stalls open at eight. Go to message' }).click()
  await choose(alice, 'the stalls', 'Unpin')
  await bob.page.getByRole('region', { name: 'Pinned messages' }).waitFor({ state: 'detached' })
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
