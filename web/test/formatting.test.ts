// Formatted messages: how they are typed, shown, quoted and listed, and what a hostile one costs.

import { expect, test } from 'vitest'
import { newWallet, startSite } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { acquaint, arrive, bubble, eventually, openPerson, type Person, say, visit } from './person.ts'
import { useSite } from './site.ts'
import { choose, edit, newTown, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const log = ({ page }: Person) => page.getByRole('log')
const article = (person: Person, text: string) => log(person).getByRole('article').filter({ hasText: text })

const everything = [
  'The *plan* is **final**, ~~maybe~~:',
  '- buy `milk`',
  '  1. two bottles',
  '- call <b>Ann</b> at https://shop.example/a_b_c',
  '> who said that?',
  'end of it, snake_case',
  '```ts',
  `const long = '${'x'.repeat(300)}'`,
  '```',
].join('\n')

test.concurrent.each([
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark phone', options: { colorScheme: 'dark', viewport: { width: 360, height: 740 } } },
] as const)(
  'both see a formatted message alike, on a $name screen, and it widens nothing',
  async ({ options }) => {
    const [alice, bob] = [await openPerson(site.url, options), await openPerson(site.url, options)]
    await using _ = alice
    await using __ = bob
    await acquaint(site.service, alice, bob)
    const asAlice = await site.service.as(alice.address)
    await asAlice.sendDirectMessage({
      body: { fromaddr: alice.address, toaddr: bob.address, message: everything },
    })
    for (const person of [alice, bob]) {
      // On a phone the inbox is a page of its own.
      await arrive(person)
      await visit(person, `/dm/${person === alice ? bob.address : alice.address}`)
      const shown = article(person, 'final')
      await shown.waitFor()
      const texts = async (selector: string) => shown.locator(selector).allInnerTexts()
      expect(await texts('em')).toEqual(['plan'])
      expect(await texts('strong')).toEqual(['final'])
      expect(await texts('del')).toEqual(['maybe'])
      expect(await texts('blockquote')).toEqual(['who said that?'])
      expect(await texts('ol > li')).toEqual(['two bottles'])
      expect(await shown.locator('ul > li').count()).toBe(2)
      expect(await texts('code')).toEqual(['milk', expect.stringMatching(/^const long = 'x+'$/)])
      expect(await shown.locator('b').count()).toBe(0)
      expect(await shown.getByRole('link').getAttribute('href')).toBe('https://shop.example/a_b_c')
      await shown.getByText('end of it, snake_case').waitFor()
      // Long code scrolls within the bubble.
      const isScrolled = await shown.locator('pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth)
      const widest = await log(person).evaluate((list) => list.scrollWidth - list.clientWidth)
      expect([isScrolled, widest]).toEqual([true, 0])
      expect(await faults(person.page, { screenOnly: person === alice })).toEqual([])
      expect(person.complaints).toEqual([])
    }
  },
)

test('keys put markers around what is selected, and take them away', async () => {
  const t = await talking()
  const { page } = t.alice
  const select = (from: number, to: number) =>
    field(t.alice).evaluate((area: HTMLTextAreaElement, at) => area.setSelectionRange(...at), [
      from,
      to,
    ] as const)
  const value = () => field(t.alice).inputValue()
  await field(t.alice).fill('so very good')
  await select(3, 8)
  await page.keyboard.press('Control+b')
  expect(await value()).toBe('so **very** good')
  await page.keyboard.press('Control+i')
  expect(await value()).toBe('so **_very_** good')
  await page.keyboard.press('Control+i')
  await page.keyboard.press('Control+b')
  expect(await value()).toBe('so very good')
  await page.keyboard.press('Control+e')
  expect(await value()).toBe('so `very` good')
  await field(t.alice).fill('one\ntwo')
  await select(0, 7)
  await page.keyboard.press('Control+e')
  expect(await value()).toBe('```\none\ntwo\n```')
  await field(t.alice).fill('')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('gm')
  await page.keyboard.press('Enter')
  await article(t.bob, 'gm').locator('strong', { hasText: 'gm' }).waitFor()
})

test('a quote, the inbox and a pin have one line without markers; copying and editing have what was typed', async () => {
  const t = await talking()
  const typed = '> **Harbour** at\n`eight`'
  await edit(t.alice, 'from Alice', typed)
  await article(t.bob, 'Harbour').locator('blockquote').waitFor()
  await choose(t.bob, 'Harbour', 'Reply')
  await t.bob.page.getByText('Harbour at eight', { exact: true }).first().waitFor()
  await say(t.bob, 'an *answer*')
  await t.alice.page.getByRole('button', { name: /In reply to You ?Harbour at eight/ }).waitFor()
  await t.alice.page.getByRole('link', { name: /an answer/ }).waitFor()
  await choose(t.bob, 'Harbour', 'Pin')
  // The strip moves what is below it.
  for (const { page } of [t.bob, t.alice])
    await page.getByRole('button', { name: 'Pinned: Harbour at eight. Go to message' }).waitFor()
  await t.alice.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await choose(t.alice, 'Harbour', 'Copy text')
  await eventually(
    () => t.alice.page.evaluate(() => navigator.clipboard.readText()),
    (text) => expect(text).toBe(typed),
  )
  await choose(t.alice, 'Harbour', 'Edit')
  await eventually(
    () => field(t.alice).inputValue(),
    (text) => expect(text).toBe(typed),
  )
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('the bar of a message is there again after a menu during which the list has moved', async () => {
  const t = await talking()
  const { page } = t.alice
  await t.alice.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await article(t.alice, 'from Alice').hover()
  await page.getByRole('button', { name: /^Message options: .*from Alice/ }).click()
  await page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
  // As when a message arrives.
  await log(t.alice).evaluate((list) => list.dispatchEvent(new Event('scroll')))
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
  await page.getByRole('menuitem', { name: 'Copy text' }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await choose(t.alice, 'from Alice', 'Copy text')
})

test.concurrent('in a community posts are formatted, and a hostile one is there as fast as another', async () => {
  await using bob = await openPerson(site.url)
  const alice = { address: newWallet() }
  const { town, asOwner: asAlice } = await newTown(site, alice, bob)
  const post = (message: string) =>
    asAlice.postGroupMessage({ body: { fromaddr: alice.address, nftaddr: town, message } })
  await arrive(bob, `/c/${town}`)
  await post('the **stalls** open')
  await article(bob, 'stalls').locator('strong').waitFor()
  for (const unit of ['*', '`', '> ', '- a\n', '*a _b* c_ ', '[](', '``` ']) {
    await post(`${unit.repeat(20_000 / unit.length)}\nafter ${unit.length}`)
    await post('still *here*')
  }
  await eventually(
    () => log(bob).getByRole('article').locator('em', { hasText: 'here' }).count(),
    (count) => expect(count).toBeGreaterThan(0),
  )
  const elements = await log(bob).evaluate(
    (list) => list.querySelectorAll('article *, [role=article] *').length,
  )
  expect(elements).toBeLessThan(5000)
  await say(bob, 'and I can write')
  await bubble(bob, 'and I can write').waitFor()
  expect(bob.complaints).toEqual([])
})

test('where the operator wants no formatting, what was typed is shown, in the inbox too', async () => {
  await using plain = await startSite({ messageFormat: 'plain' })
  await using alice = await openPerson(await plain.listen())
  const bob = '0x00000000000000000000000000000000000000aa'
  await arrive(alice, `/dm/${bob}`)
  await say(alice, '**not** `bold` https://shop.example/x')
  const shown = article(alice, '**not** `bold`')
  await shown.getByRole('link').waitFor()
  expect(await shown.locator('strong, code').count()).toBe(0)
  await alice.page.getByRole('link', { name: /\*\*not\*\* `bold`/ }).waitFor()
  await field(alice).fill('word')
  await field(alice).selectText()
  await alice.page.keyboard.press('Control+b')
  expect(await field(alice).inputValue()).toBe('word')
  expect(alice.complaints).toEqual([])
})
