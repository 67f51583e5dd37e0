import { expect, test } from 'vitest'
import { groups } from '../build-docs.mjs'
import { faults } from './axe.ts'
import { openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** A part of a page in the index of the search. */
interface Entry {
  id: string
  words?: string
}

test.concurrent.each([
  { colorScheme: 'light', viewport: { width: 1400, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 640 } },
] as const)('the pages of docs are read and searched: %o', async (screen) => {
  const isPhone = screen.viewport.width < 1000
  await using reader = await openPerson(site.url, screen)
  const { page, complaints } = reader
  for (const name of ['start', 'errors', 'operations', 'sdk']) {
    await page.goto(`/docs/${name}`)
    await page.locator('h1').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(screen.viewport.width)
    expect(await faults(page, { screenOnly: isPhone }), name).toEqual([])
  }
  // The list of pages would hide the text on a phone.
  expect(await page.locator('.pages a[href="/docs/errors"]').isVisible()).toBe(!isPhone)

  await page.keyboard.press('/')
  await page.keyboard.type('point-in-ti')
  const found = page.getByRole('region', { name: 'Results' })
  await found.getByRole('link').first().waitFor()
  // The results lie over the list of pages.
  const shown = await faults(page, { screenOnly: isPhone })
  expect(shown.filter((fault) => fault !== 'target-size: <summary>All pages</summary>')).toEqual([])
  await page.keyboard.press('Escape')
  expect(await found.isVisible()).toBe(false)
  const search = page.getByRole('searchbox', { name: 'Search the docs' })
  await search.fill('zzzzqqqq')
  await found.getByText('Try another word').waitFor()
  // A word of a long part that is not in its beginning, nor anywhere else.
  const sections = (await (await fetch(`${site.url}/docs/search.json`)).json()) as Entry[]
  const isRare = (word: string) =>
    /^[a-z]{8,}$/.test(word) &&
    sections.filter((one) => JSON.stringify(one).toLowerCase().includes(word)).length === 1
  const { id, words } = sections.find((one) => one.words?.split(' ').some(isRare))!
  await search.fill(words!.split(' ').find(isRare)!)
  await found.locator(`a[href="${id}"]`).waitFor()
  await search.fill('backup and restore')
  await found.getByRole('link', { name: 'Backup and restore' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/operations#backup-and-restore')
  await page.goto('/docs/nothing')
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
})

test.concurrent('programs and commands name the service on which they are read, on every page', async () => {
  const standard = 'http://127.0.0.1:8080'
  await using reader = await openPerson(site.url)
  const { page, complaints } = reader
  const opened: string[] = []
  for (const file of Object.values(groups).flat()) {
    const name = file === 'sdk/README.md' ? 'sdk' : file.replace(/^docs\/|\.md$/g, '')
    const written = await (await fetch(`${site.url}/docs/${name}`)).text()
    // A link to a page of the service has only its path.
    expect(written, name).not.toContain(`href="${standard}/`)
    if (!written.includes(standard)) continue
    opened.push(name)
    await page.goto(`/docs/${name}`)
    const codes = await page.locator('code').allTextContents()
    expect(
      codes.filter((code) => code.includes(standard)),
      name,
    ).toEqual([])
    expect(codes.join(' '), name).toContain(site.url)
  }
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('baseUrl')
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByText(`'${site.url}'`).first().waitFor()
  expect(await results.textContent()).not.toContain(standard)
  expect(opened).toEqual(expect.arrayContaining(['start-builder', 'start-site-owner', 'bots', 'sdk']))
  expect(complaints).toEqual([])
})
