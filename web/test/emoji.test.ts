// The picker of emoji: for reactions, and in the field in which one writes.

import { describe, expect as expected, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { emojiTable } from '../emoji.ts'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { choose, talk } from './talking.ts'

const picker = ({ page }: Person) => page.getByRole('dialog', { name: 'Emoji' })
const cell = (person: Person, name: string) => picker(person).getByRole('gridcell', { name, exact: true })
const chosen = (person: Person) => picker(person).locator('[role=gridcell][aria-selected=true]')
const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })

describe('in the browser', () => {
  const site = useSite()

  test.concurrent('any emoji is a reaction: found by a word, chosen by keyboard; its name is that of the pill', async ({
    expect,
  }) => {
    await using t = await talk(site)
    const { alice, bob } = t
    let bytes = 0
    bob.page.on('response', (response) => {
      if (!/\/assets\/(table|EmojiPicker)-/.test(response.url())) return
      void response
        .request()
        .sizes()
        .then(({ responseBodySize }) => (bytes += responseBodySize))
    })
    await choose(bob, 'from Alice', 'Reply')
    await bob.page.keyboard.press('Escape')
    expect(bytes).toBe(0)
    await choose(bob, 'from Alice', 'All emoji')
    await cell(bob, 'grinning face').first().waitFor()
    await eventually(
      () => bytes,
      (all) => {
        expect(all).toBeGreaterThan(20_000)
        expect(all).toBeLessThan(60_000)
      },
    )
    expect(await faults(bob.page, { within: 'dialog' })).toEqual([])
    await bob.page.keyboard.type('otter')
    await cell(bob, 'otter').waitFor()
    await bob.page.keyboard.press('Enter')
    await picker(bob).waitFor({ state: 'detached' })
    // Alice has not loaded the names before: they come with the pill.
    await alice.page.getByRole('button', { name: 'otter, 1', exact: true }).waitFor()
    // It is used last, so the bar and the picker offer it first.
    await bubble(bob, 'from Bob').hover()
    const row = bob.page.getByRole('article').filter({ hasText: 'from Bob' }).locator('..')
    await row.locator('[data-bar]').getByRole('button', { name: 'React with otter' }).click()
    await alice.page.getByRole('button', { name: 'otter, 1', exact: true }).nth(1).waitFor()
    expect([...alice.complaints, ...bob.complaints]).toEqual([])
  })

  test.concurrent('arrows, Home and End go through the grid, and a skin tone stays chosen; Escape only closes', async ({
    expect,
  }) => {
    await using t = await talk(site)
    const { page } = t.bob
    await field(t.bob).press('Shift+Tab')
    await page.keyboard.press('End')
    await page.keyboard.press(':')
    await cell(t.bob, 'grinning face').first().waitFor()
    const label = () => chosen(t.bob).getAttribute('aria-label')
    const isChosen = (name: string) => eventually(label, (value) => expect(value).toBe(name))
    await isChosen('thumbs up')
    await page.keyboard.press('ArrowRight')
    await isChosen('red heart')
    await page.keyboard.press('ArrowDown')
    await isChosen('grinning face with big eyes')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await isChosen('grinning face')
    // What is chosen is on the screen, however far the keyboard goes.
    for (let n = 0; n < 12; n++) await page.keyboard.press('PageDown')
    await eventually(
      () =>
        chosen(t.bob).evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          const list = element.closest('[role=grid]')!.parentElement!.getBoundingClientRect()
          return top >= list.top && bottom <= list.bottom
        }),
      (isSeen) => expect(isSeen).toBe(true),
    )
    await page.keyboard.type('wav')
    await isChosen('waving hand')
    await picker(t.bob).getByRole('button', { name: 'Skin tone: medium-dark' }).click()
    await cell(t.bob, 'waving hand').click()
    await page.getByRole('button', { name: 'waving hand, medium-dark skin tone, 1, you reacted' }).waitFor()
    await t.alice.page.getByRole('button', { name: 'waving hand, medium-dark skin tone, 1' }).waitFor()
    await page.getByRole('article').last().focus()
    await page.keyboard.press(':')
    await page.keyboard.type('otter')
    await page.keyboard.press('Escape')
    await picker(t.bob).waitFor({ state: 'detached' })
    await eventually(
      () => page.evaluate(() => document.activeElement?.role),
      (role) => expect(role).toBe('article'),
    )
    expect(t.bob.complaints).toEqual([])
  })

  test.concurrent('in the field an emoji comes where the caret is', async ({ expect }) => {
    await using alice = await openPerson(site.url)
    await arrive(alice, `/dm/${newWallet()}`)
    const { page } = alice
    await field(alice).fill('ab')
    await field(alice).press('ArrowLeft')
    await page.getByRole('button', { name: 'Emoji', exact: true }).click()
    await cell(alice, 'party popper').first().click()
    await page.keyboard.type('!')
    expect(await field(alice).inputValue()).toBe('a🎉!b')
    await page.getByRole('button', { name: 'Emoji', exact: true }).click()
    await picker(alice).waitFor()
    await page.mouse.click(5, 5)
    await picker(alice).waitFor({ state: 'detached' })
    expect(alice.complaints).toEqual([])
  })

  test.concurrent('without its data the picker says so, and offers those that it has', async ({ expect }) => {
    await using alice = await openPerson(site.url)
    await arrive(alice, `/dm/${newWallet()}`)
    const { page } = alice
    // The page would be loaded again, but not twice in a minute.
    await page.evaluate(() => sessionStorage.setItem('parley.reloaded', String(Date.now())))
    await page.route(/\/assets\/table-/, (route) => route.abort())
    await page.getByRole('button', { name: 'Emoji', exact: true }).click()
    await picker(alice).getByText('Couldn’t load all emoji.').waitFor()
    await cell(alice, 'red heart').click()
    expect(await field(alice).inputValue()).toBe('❤️')
  })
})

test('what can be picked the service takes: emoji that Unicode recommends, in each tone, of at most 32 bytes', () => {
  const taken = /^\p{RGI_Emoji}$/v
  const lines = emojiTable().split('\n')
  const emoji = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'))
  expected(emoji.length).toBeGreaterThan(1500)
  expected(new Set(emoji.map(([value]) => value)).size).toBe(emoji.length)
  const all = emoji.flatMap(([value = '', , , hasTones]) =>
    ['', ...(hasTones ? ['🏻', '🏿'] : [])].map((tone) =>
      tone ? value.replace(/(\p{Emoji_Modifier_Base})\u{fe0f}?/gu, `$1${tone}`) : value,
    ),
  )
  expected(all.filter((value) => !taken.test(value) || Buffer.byteLength(value) > 32)).toEqual([])
  expected(emoji.filter(([, name, words, hasTones]) => hasTones && name && words).length).toBeGreaterThan(200)
  // Those that are offered before the table is loaded are in it.
  for (const value of ['👍', '❤️', '😂', '🎉', '😮', '🙏'])
    expected(emoji.some(([one]) => one === value)).toBe(true)
})
