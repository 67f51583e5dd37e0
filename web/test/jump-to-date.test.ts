// Going to the messages of a day, in a conversation or a chat.

import { test } from 'vitest'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, hasFocus, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { newTown, talk } from './talking.ts'

const site = useSite()

const grid = ({ page }: Person) => page.getByRole('dialog').getByRole('grid')

/** Returns the day some days ago, at noon. */
function daysAgo(days: number): Date {
  const day = new Date()
  day.setDate(day.getDate() - days)
  day.setHours(12, 0, 0, 0)
  return day
}

const nameOf = (day: Date) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' }).format(day)

/** A conversation of 40 days: of the three days before the last two there are no messages. */
async function oldTalk() {
  const t = await talk(site)
  const asBob = await site.service.as(t.bob.address)
  const body = { fromaddr: t.bob.address, toaddr: t.alice.address }
  for (let n = 0; n < 80; n++) {
    const ago = 40 - Math.floor(n / 2)
    const message = n % 2 === 0 ? `morning, ${ago} days ago` : `evening, ${ago} days ago`
    const [sent] = await asBob.sendDirectMessage({ body: { ...body, message } })
    const shown = ago > 2 && ago < 6 ? 6 : ago
    const ms = daysAgo(shown).getTime() + n
    await site.service.ctx.db.query('update direct_messages set ms = $2 where id = $1', [sent!.id, ms])
  }
  await site.service.ctx.db.query(
    `update direct_messages set ms = ms - 86400000::bigint * 50 where message in ('from Alice', 'from Bob') and $1 in (fromaddr, toaddr)`,
    [t.alice.address],
  )
  await t.alice.page.reload()
  await t.alice.page.getByRole('log').getByRole('article').first().waitFor()
  return t
}

test.concurrent('a day is chosen by keyboard; one without messages leads to the next later message', async ({
  expect,
}) => {
  await using t = await oldTalk()
  const { alice } = t
  const { page } = alice
  await page.keyboard.press('Control+g')
  await grid(alice)
    .getByRole('button', { name: nameOf(daysAgo(0)), exact: true })
    .waitFor()
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await hasFocus(alice, String(daysAgo(4).getDate()))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await hasFocus(alice, 'morning, 2 days ago')

  await page.keyboard.press('Control+g')
  await page.getByRole('button', { name: 'First message' }).click()
  await hasFocus(alice, 'from Alice')
  await page.keyboard.press('Control+g')
  await grid(alice).waitFor()
  await page.keyboard.press('PageUp')
  await page
    .getByRole('dialog')
    .getByText(new Intl.DateTimeFormat('en-GB', { month: 'long' }).format(daysAgo(daysAgo(0).getDate())))
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test.concurrent('the day is shown while one scrolls, and leads to the days, on a phone too', async ({
  expect,
}) => {
  await using t = await oldTalk()
  const { alice } = t
  const { page } = alice
  await page.setViewportSize({ width: 360, height: 700 })
  await page.getByRole('log').hover()
  const chip = page.getByRole('button', { name: /^Jump to a date, now / })
  expect(await chip.count()).toBe(0)
  // It is there for a moment.
  await eventually(
    async () => {
      await page.mouse.wheel(0, -100)
      await chip.click({ timeout: 1000 })
    },
    () => {},
  )
  await grid(alice).waitFor()
  expect(await faults(page)).toEqual([])
  const ago = daysAgo(12)
  const [before, after] = ['before', 'after'].map((way) => page.getByRole('button', { name: `Month ${way}` }))
  // The chip opens the month of the day that is shown: an older one where the conversation opens at what is unread.
  const today = grid(alice).getByRole('button', { name: nameOf(daysAgo(0)), exact: true })
  while ((await today.count()) === 0) await after!.click()
  if (ago.getMonth() !== daysAgo(0).getMonth()) await before!.click()
  // Days that have not come can't be chosen.
  await after!.click()
  const future = grid(alice).locator('button[aria-disabled=true]').last()
  await future.click({ force: true })
  await grid(alice).waitFor()
  await before!.click()
  await grid(alice)
    .getByRole('button', { name: nameOf(ago), exact: true })
    .click()
  await hasFocus(alice, 'morning, 12 days ago')
  expect(alice.complaints).toEqual([])
})

test.concurrent('in a chat the day leads to the first post of that day, or the next later one', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const { town } = await newTown(site, alice)
  const asAlice = await site.service.as(alice.address)
  for (let n = 0; n < 60; n++) {
    const ago = 30 - Math.floor(n / 2)
    const [sent] = await asAlice.postGroupMessage({
      body: {
        fromaddr: alice.address,
        nftaddr: town,
        message: `${n % 2 === 0 ? 'opens' : 'closes'}, ${ago} days ago`,
      },
    })
    // Of three days there are no posts.
    const ms = daysAgo(ago > 20 && ago < 24 ? 24 : ago).getTime() + n
    await site.service.ctx.db.query('update group_messages set ms = $2 where id = $1', [sent!.id, ms])
  }
  await arrive(alice, `/c/${town}`)
  await bubble(alice, 'closes, 1 days ago').waitFor()
  const goTo = async (days: number) => {
    const day = daysAgo(days)
    if (day.getMonth() !== daysAgo(0).getMonth())
      await page.getByRole('button', { name: 'Month before' }).click()
    await grid(alice)
      .getByRole('button', { name: nameOf(day), exact: true })
      .click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+g')
  await goTo(27)
  await hasFocus(alice, 'opens, 27 days ago')
  await page.getByRole('button', { name: 'Search this chat' }).click()
  await page.getByRole('button', { name: 'Jump to a date', exact: true }).click()
  await goTo(22)
  await hasFocus(alice, 'opens, 20 days ago')
  await page.keyboard.press('Control+g')
  await page.getByRole('button', { name: 'First message' }).click()
  await hasFocus(alice, 'opens, 30 days ago')
  expect(await faults(page)).toEqual([])
  expect(alice.complaints).toEqual([])
})
