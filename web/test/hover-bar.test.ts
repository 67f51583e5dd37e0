// What one does with a message without its menu: the bar at its corner, and the keys of the empty field.

import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const bar = ({ page }: Person) => page.locator('[data-bar]')
const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const labels = (person: Person) =>
  bar(person)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map(({ ariaLabel }) => ariaLabel?.replace(/:.*/, '')))

test('by keyboard, arrows go from a message to its bar and through it; Escape goes back', async ({
  expect,
}) => {
  const t = await talking()
  const { page } = t.alice
  await field(t.alice).press('Shift+Tab')
  await page.keyboard.press('End')
  await bar(t.alice).getByRole('button', { name: 'Reply' }).waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent)
  await page.keyboard.press('ArrowRight')
  await eventually(focused, (label) => expect(label).toBe('React with thumbs up'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await eventually(focused, (text) => expect(text).toContain('from Bob'))
  await page.keyboard.press('ArrowLeft')
  await eventually(focused, (label) => expect(label).toMatch(/^Message options/))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByText('Replying to').waitFor()
})

test('up in the empty field edits the last own message; with Control it replies to others, from the newest on', async ({
  expect,
}) => {
  const t = await talking()
  const { page } = t.bob
  await field(t.bob).press('ArrowUp')
  await page.getByText('Editing').waitFor()
  await eventually(
    () => field(t.bob).inputValue(),
    (text) => expect(text).toBe('from Bob'),
  )
  await page.keyboard.press('End')
  await page.keyboard.type(', better')
  await page.keyboard.press('Enter')
  await bubble(t.alice, 'from Bob, better').waitFor()

  const asAlice = await site.service.as(t.alice.address)
  await asAlice.sendDirectMessage({
    body: { fromaddr: t.alice.address, toaddr: t.bob.address, message: 'again' },
  })
  await bubble(t.bob, 'again').waitFor()
  const replying = (text: string) =>
    page.getByRole('status').filter({ hasText: `Replying to` }).getByText(text)
  await field(t.bob).press('Control+ArrowUp')
  await replying('again').waitFor()
  await field(t.bob).press('Control+ArrowUp')
  await replying('from Alice').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Replying to').waitFor({ state: 'detached' })
  // A text that is being written keeps its keys.
  await field(t.bob).fill('one')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+ArrowUp')
  expect(await page.getByText(/^(Editing|Replying to)/).count()).toBe(0)
  expect(t.bob.complaints).toEqual([])
})

test('before a request is accepted the bar has the options alone', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  const stranger = newWallet()
  await (
    await site.service.as(stranger)
  ).sendDirectMessage({ body: { fromaddr: stranger, toaddr: alice.address, message: 'gm' } })
  await arrive(alice, `/dm/${stranger}`)
  // What is above and below the message comes later, and moves it.
  await alice.page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  await alice.page.waitForTimeout(300)
  await bubble(alice, 'gm').hover()
  await eventually(
    () => labels(alice),
    (all) => expect(all).toEqual(['Message options']),
  )
  await bar(alice).getByRole('button').click()
  await alice.page.getByRole('menuitem', { name: 'Report…' }).waitFor()
  expect(await alice.page.getByRole('menuitem', { name: 'Reply' }).count()).toBe(0)
})

test('a bar at the message under the pointer reacts, replies and edits; only one is shown', async ({
  expect,
}) => {
  const t = await talking()
  const { alice, bob } = t
  await bubble(bob, 'from Alice').hover()
  await bar(bob).waitFor()
  expect(await labels(bob)).toEqual(['React with thumbs up', 'React…', 'Reply', 'Message options'])
  await bar(bob).getByRole('button', { name: 'React with thumbs up' }).click()
  await alice.page.getByRole('button', { name: 'thumbs up, 1', exact: true }).waitFor()
  await bar(bob).getByRole('button', { name: 'Reply' }).click()
  await bob.page.getByText('Replying to').waitFor()
  await eventually(
    () => field(bob).evaluate((element) => element === document.activeElement),
    (is) => expect(is).toBe(true),
  )
  await bob.page.keyboard.press('Escape')
  await bubble(bob, 'from Bob').hover()
  await eventually(
    () => labels(bob),
    (all) => expect(all).toEqual(['React with thumbs up', 'React…', 'Reply', 'Edit', 'Message options']),
  )
  expect(await bar(bob).count()).toBe(1)
  expect(await faults(bob.page)).toEqual([])
  await bar(bob).getByRole('button', { name: 'Edit' }).click()
  await eventually(
    () => field(bob).inputValue(),
    (text) => expect(text).toBe('from Bob'),
  )
  await bob.page.mouse.move(2, 2)
  await bar(bob).waitFor({ state: 'detached' })
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
