// The search of one conversation or chat, by a bar below its header.

import { test } from 'vitest'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, hasFocus, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { marked, newTown, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const bar = ({ page }: Person) => page.getByRole('search', { name: 'In this conversation' })
const field = (person: Person) => bar(person).getByRole('searchbox')

async function open(person: Person, text: string): Promise<void> {
  await person.page.keyboard.press('Control+f')
  await field(person).fill(text)
}

/** A conversation of two people with more messages than a page reads at first; every tenth has the word. */
async function longTalk() {
  const t = await talking()
  const asBob = await site.service.as(t.bob.address)
  const pair = { fromaddr: t.bob.address, toaddr: t.alice.address }
  for (let n = 0; n < 90; n++) {
    const message = n % 10 === 3 ? `the **kettle** of day ${n}` : `day ${n}`
    await asBob.sendDirectMessage({ body: { ...pair, message } })
  }
  await t.alice.page.reload()
  await t.alice.page
    .getByRole('log')
    .getByText(/^day \d/)
    .first()
    .waitFor()
  return t
}

test('Enter goes from the newest result to older ones, Shift and Enter back, and Escape to where one was', async ({
  expect,
}) => {
  const t = await longTalk()
  const { alice } = t
  const { page } = alice
  await page.keyboard.press('Escape')
  await open(alice, 'kettl')
  await bar(alice).getByText('9 results').waitFor()
  await page.keyboard.press('Enter')
  await hasFocus(alice, 'kettle of day 83')
  await bar(alice).getByText('1 of 9').waitFor()
  await eventually(
    () => marked(alice),
    (words) => expect(new Set(words)).toEqual(new Set(['kettle'])),
  )
  // Beside the scroll bar there is a tick for each one that the list has, from top to bottom.
  const ticks = await page
    .locator('[data-tick]')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(ticks.length).toBeGreaterThanOrEqual(4)
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
  // On the message it goes on, and opens no menu.
  await page.keyboard.press('Enter')
  await hasFocus(alice, 'kettle of day 73')
  await page.keyboard.press('Shift+Enter')
  await hasFocus(alice, 'kettle of day 83')
  for (let n = 0; n < 8; n++) await bar(alice).getByRole('button', { name: 'Older result' }).click()
  await hasFocus(alice, 'kettle of day 3')
  await bar(alice).getByText('9 of 9').waitFor()
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await bar(alice).waitFor({ state: 'detached' })
  expect(await marked(alice)).toEqual([])
  expect(await page.locator('[data-tick]').count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test('a search that finds nothing here goes on in all conversations, on a phone too', async ({ expect }) => {
  const t = await talking()
  const { alice, bob } = t
  const { page } = alice
  const { town } = await newTown(site, alice, bob)
  await (
    await site.service.as(bob.address)
  ).postGroupMessage({ body: { fromaddr: bob.address, nftaddr: town, message: 'the ferry leaves at six' } })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Search this conversation' }).click()
  await field(alice).fill('ferry')
  await bar(alice).getByText('No messages with “ferry” here.').waitFor()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Search all conversations' }).click()
  await eventually(
    () => page.evaluate(() => (document.activeElement as HTMLInputElement).value),
    (text) => expect(text).toBe('ferry'),
  )
  const hit = page.getByRole('listbox', { name: 'Found' }).getByText('the ferry leaves at six')
  await hit.waitFor()
  expect(await faults(page)).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(360)
  await hit.click()
  await hasFocus(alice, 'the ferry leaves at six')
  await eventually(
    () => marked(alice),
    (words) => expect(words).toEqual(['ferry']),
  )
  // Another search there marks its own words, and nothing is left of the one before.
  await open(alice, 'leaves')
  await eventually(
    () => marked(alice),
    (words) => expect(words).toEqual(['leaves']),
  )
  await page.keyboard.press('Escape')
  await bar(alice).waitFor({ state: 'detached' })
  expect(await marked(alice)).toEqual([])
  await page.goBack()
  await hit.waitFor()
  expect(alice.complaints).toEqual([])
})

test('a chat is searched by those who have joined it', async ({ expect }) => {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await using _ = alice
  await using __ = bob
  const { town } = await newTown(site, alice)
  await (
    await site.service.as(alice.address)
  ).postGroupMessage({
    body: { fromaddr: alice.address, nftaddr: town, message: 'the stalls open at eight' },
  })
  await arrive(alice, `/c/${town}`)
  await arrive(bob, `/c/${town}`)
  await bob.page.getByRole('button', { name: /^Join/ }).first().waitFor()
  expect(await bob.page.getByRole('button', { name: 'Search this chat' }).count()).toBe(0)
  await bubble(alice, 'the stalls open at eight').waitFor()
  await alice.page.getByRole('button', { name: 'Search this chat' }).click()
  await field(alice).fill('stall')
  await alice.page.keyboard.press('Enter')
  await hasFocus(alice, 'the stalls open at eight')
  await bar(alice).getByText('1 of 1').waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test('the palette searches messages for what was typed there', async ({ expect }) => {
  const t = await talking()
  const { page } = t.alice
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('from ali')
  await page.getByRole('option', { name: /^Search messages for “from ali”/ }).click()
  await page.getByRole('listbox', { name: 'Found' }).getByText('from Alice').waitFor()
  expect(t.alice.complaints).toEqual([])
})
