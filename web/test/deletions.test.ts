// What is deleted, for whom, and how it is taken back.

import { test } from 'vitest'
import { bubble, type Person, say } from './person.ts'
import { useSite } from './site.ts'
import { choose, talk, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const soon = { timeout: 15_000 }

/** Another notice ends the one with Undo, so that tests need not wait. */
const endNotice = (person: Person, text: string) => choose(person, text, 'Copy text')

const undo = ({ page }: Person) => page.getByRole('status').getByRole('button', { name: 'Undo' })

test('a message is deleted for both only after a moment in which that can be taken back', async ({
  expect,
}) => {
  const t = await talking()
  const asked: string[] = []
  t.alice.page.on('request', (request) => {
    if (request.method() === 'DELETE') asked.push(request.url())
  })
  await choose(t.alice, 'from Alice', 'Delete for everyone')
  await t.alice.page.getByText('Message deleted for both of you.').waitFor()
  await bubble(t.alice, 'from Alice').waitFor({ state: 'detached' })
  await undo(t.alice).click()
  await bubble(t.alice, 'from Alice').waitFor()
  expect(asked).toEqual([])
  expect(await bubble(t.bob, 'from Alice').count()).toBe(1)

  await choose(t.alice, 'from Alice', 'Delete for everyone')
  await endNotice(t.alice, 'from Bob')
  await bubble(t.bob, 'from Alice').waitFor({ state: 'detached' })
  expect(await t.stored(t.bob)).toEqual(['from Bob'])
  expect(asked).toHaveLength(1)
  // Only one's own message can be deleted for both.
  await bubble(t.alice, 'from Bob').hover()
  await t.alice.page.getByRole('button', { name: /^Message options: .*from Bob/ }).click()
  await t.alice.page.getByRole('menuitem', { name: 'Delete for me' }).waitFor()
  expect(await t.alice.page.getByRole('menuitem', { name: 'Delete for everyone' }).count()).toBe(0)
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('a message that is deleted for oneself is gone on all own devices, and stays with the other', async ({
  expect,
}) => {
  const t = await talking()
  const second = { ...t.alice, page: await t.alice.context.newPage() }
  await second.page.goto(`/dm/${t.bob.address}`)
  await bubble(second, 'from Bob').waitFor()
  await choose(t.alice, 'from Bob', 'Delete for me')
  await t.alice.page.getByText('Message deleted for you.').waitFor()
  // Nobody does anything: it ends by itself.
  await bubble(second, 'from Bob').waitFor({ state: 'detached', timeout: 20_000 })
  expect(await t.stored(t.alice)).toEqual(['from Alice'])
  expect(await t.stored(t.bob)).toEqual(['from Alice', 'from Bob'])
  await t.alice.page.reload()
  await bubble(t.alice, 'from Alice').waitFor()
  expect(await bubble(t.alice, 'from Bob').count()).toBe(0)
  expect(await bubble(t.bob, 'from Bob').count()).toBe(1)
})

test('who leaves the page meanwhile has deleted the message; by keyboard there is more time', async ({
  expect,
}) => {
  const t = await talking()
  // As a person does it: the next key after seeing what the one before has done.
  const { page } = t.alice
  const options = page.getByRole('button', { name: /^Message options: .*from Alice/ })
  await expect.poll(() => options.isEnabled(), soon).toBe(true)
  await options.press('Enter')
  await page.locator('[role=menuitem]:focus', { hasText: '👍' }).waitFor()
  await page.keyboard.press('End')
  await page.locator('[role=menuitem]:focus', { hasText: 'Delete for everyone' }).waitFor()
  await page.keyboard.press('Enter')
  await t.alice.page.getByText('Message deleted for both of you.').waitFor()
  await t.alice.page.waitForFunction(() => document.activeElement?.textContent === 'Undo')
  await t.alice.page.waitForTimeout(7000)
  expect(await undo(t.alice).count()).toBe(1)
  expect(await t.stored(t.bob)).toEqual(['from Alice', 'from Bob'])
  await t.alice.page.goto('about:blank')
  await bubble(t.bob, 'from Alice').waitFor({ state: 'detached' })
})

test('a message that could not be deleted is shown again, and why', async () => {
  const t = await talking()
  await t.alice.page.route('**/v1/delete_chatitem/*', (route) => route.fulfill({ status: 503, json: {} }))
  await choose(t.alice, 'from Alice', 'Delete for everyone')
  await bubble(t.alice, 'from Alice').waitFor({ state: 'detached' })
  await endNotice(t.alice, 'from Bob')
  await t.alice.page.getByText('Couldn’t delete the message. Try again.').waitFor()
  await bubble(t.alice, 'from Alice').waitFor()
})

async function askToDelete({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('menuitem', { name: 'Delete conversation' }).click()
}

test('deleting a conversation says who loses what: for oneself the other keeps it', async ({ expect }) => {
  const t = await talking()
  await askToDelete(t.alice)
  await t.alice.page.getByText(/Removed from all your devices.*still has them/).waitFor()
  await t.alice.page.getByRole('button', { name: 'Delete for me' }).click()
  await t.alice.page.getByText('No conversations yet').waitFor()
  expect(await t.stored(t.bob)).toEqual(['from Alice', 'from Bob'])
  await say(t.bob, 'later')
  await t.alice.page.getByRole('link', { name: /later/ }).click()
  await bubble(t.alice, 'later').waitFor()
  expect(await bubble(t.alice, 'from Bob').count()).toBe(0)
  expect(await t.alice.page.getByText(/deleted this conversation/).count()).toBe(0)
})

test('a conversation that one deletes for both does not vanish silently: the other is told who it was', async ({
  expect,
}) => {
  await using t = await talk(site)
  await askToDelete(t.alice)
  await t.alice.page.getByText(/will see that you did it/).waitFor()
  await t.alice.page.getByRole('button', { name: 'Delete for everyone' }).click()
  await t.bob.page.getByText(/ deleted your conversation for both of you\.$/).waitFor()
  const line = t.bob.page.getByText(/^0x.* deleted this conversation for both of you/)
  await line.waitFor()
  await bubble(t.bob, 'from Alice').waitFor({ state: 'detached' })
  // It is still said after a reload, and above later messages.
  await t.bob.page.reload()
  await line.waitFor()
  await say(t.bob, 'why?')
  await bubble(t.bob, 'why?').waitFor()
  await line.waitFor()
  await t.alice.page.goto(`/dm/${t.bob.address}`)
  await t.alice.page.getByText(/^You deleted this conversation for both of you/).waitFor()
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('a conversation that is hidden elsewhere leaves the field in which one writes as it is', async ({
  expect,
}) => {
  const { alice, bob } = await talking()
  // Whether Bob was accepted is read where the inbox has no row of him, and comes late.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await alice.page.route('**/v1/contacts/*', async (route) => {
    await released
    await route.continue()
  })
  await alice.page.reload()
  await alice.page.locator('#inbox-rows').getByText('from Bob').waitFor()
  const field = alice.page.getByRole('textbox', { name: /^Message / })
  await field.evaluate((element) => element.setAttribute('data-same', ''))
  await (await site.service.as(alice.address)).hideConversation({ toaddr: bob.address })
  await alice.page.getByText('No conversations yet').waitFor()
  await alice.page.keyboard.type('still writing')
  expect(await field.getAttribute('data-same', soon)).toBe('')
  release()
  await alice.page.keyboard.press('Enter')
  await bubble(bob, 'still writing').waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
