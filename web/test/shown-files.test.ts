// What a conversation shows of the files of its messages.

import { readFile } from 'node:fs/promises'
import { test } from 'vitest'
import { faults } from './axe.ts'
import { gif, picture, postFile, sendFiles, sound } from './filing.ts'
import { arrive, eventually, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { newTown, talk, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const photo = ({ page }: Person, name: string | RegExp) => page.getByRole('log').getByRole('button', { name })

/** The reads of files, each with whether the token was in its header. */
function readsOf({ page }: Person) {
  const reads: { path: string; hasToken: boolean }[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() !== 'GET' || !pathname.startsWith('/v1/files/')) return
    reads.push({ path: pathname + search, hasToken: request.headers()['authorization'] !== undefined })
  })
  return reads
}

/** A picture is drawn when it has the size of its file. */
const isDrawn = (person: Person, width: number) =>
  eventually(
    () =>
      person.page
        .getByRole('log')
        .locator('img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth)),
    (widths) => {
      if (!widths.includes(width)) throw new Error(`No picture is ${width} wide: ${widths.join(', ')}`)
    },
  )

test('a picture has its room before it is loaded, its description, and no text that is only its name', async ({
  expect,
}) => {
  const t = await talking()
  const reads = readsOf(t.bob)
  const held = Promise.withResolvers<void>()
  await t.bob.page.route('**/v1/files/*', async (route) => {
    await held.promise
    await route.continue()
  })
  const bytes = await picture(1200, 800)
  await sendFiles(
    site,
    [t.alice, t.bob],
    [{ name: 'IMG_1.png', bytes, width: 1200, height: 800, alt: 'A green wall' }],
  )
  const shown = photo(t.bob, /^Photo from .*, described: A green wall$/)
  await shown.waitFor()
  const before = await shown.boundingBox()
  expect(before!.width / before!.height).toBeCloseTo(1.5, 1)
  expect(before!.width).toBeLessThanOrEqual(320)
  expect(await t.bob.page.getByRole('log').getByText('IMG_1.png').count()).toBe(0)
  held.resolve()
  await isDrawn(t.bob, 1200)
  expect(await shown.boundingBox()).toEqual(before)
  expect(reads).toHaveLength(1)
  expect(reads[0]!.hasToken).toBe(true)
  expect(reads[0]!.path).toMatch(/^\/v1\/files\/[\w-]{23}$/)
  // The sender sees their own one, and readers of the screen hear what it is.
  await photo(t.alice, 'Photo from you, described: A green wall').waitFor()
  await t.bob.page.getByRole('article', { name: /Photo from .*described: A green wall/ }).waitFor()
  expect(await faults(t.bob.page)).toEqual([])
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('where the device asks for less motion, a GIF plays when its reader wants that', async () => {
  await using t = await talk(site)
  await t.alice.page.emulateMedia({ reducedMotion: 'no-preference' })
  await t.bob.page.emulateMedia({ reducedMotion: 'reduce' })
  const bytes = await gif(60, 40)
  await sendFiles(site, [t.alice, t.bob], [{ name: 'a.gif', bytes, width: 60, height: 40 }])
  await photo(t.bob, /^Play animation \(.*\)\. Photo, 60 by 40/).click()
  await isDrawn(t.bob, 60)
  await isDrawn(t.alice, 60)
})

test('a picture without a description says so, and a caption stays', async ({ expect }) => {
  const t = await talking()
  const bytes = await picture(300, 200)
  await sendFiles(site, [t.alice, t.bob], [{ name: 'a.png', bytes, width: 300, height: 200 }], 'the garden')
  await photo(t.bob, 'Photo, 300 by 200, no description').waitFor()
  await t.bob.page.getByRole('log').getByText('the garden', { exact: true }).waitFor()
  await isDrawn(t.bob, 300)
  expect(t.bob.complaints).toEqual([])
})

test('several pictures are a grid of four at most, and the last one says how many follow', async ({
  expect,
}) => {
  const t = await talking()
  const files = []
  for (const n of [1, 2, 3, 4, 5, 6])
    files.push({ name: `${n}.png`, bytes: await picture(100 + n, 80), width: 100 + n, height: 80 })
  await sendFiles(site, [t.alice, t.bob], files)
  await photo(t.bob, 'Photo, 104 by 80, no description, and 2 more').waitFor()
  for (const width of [101, 102, 103, 104]) await isDrawn(t.bob, width)
  expect(await photo(t.bob, /^Photo, /).count()).toBe(4)
})

test('nothing is read from a person who is not accepted until the reader wants it, and no large picture', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await (await site.service.as(bob.address)).setDmPolicy({ body: { who: 'everyone' } })
  const small = await picture(40, 30)
  await sendFiles(site, [alice, bob], [{ name: 'a.png', bytes: small, width: 40, height: 30 }])
  const reads = readsOf(bob)
  await arrive(bob, `/dm/${alice.address}`)
  const load = photo(bob, /^Load picture \(\d+ B\)\. Photo, 40 by 30/)
  await load.waitFor()
  // Whether the other one is accepted is known by then.
  await bob.page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  await bob.page.waitForTimeout(500)
  expect(reads).toEqual([])
  await load.click()
  await isDrawn(bob, 40)
  expect(reads).toHaveLength(1)
  await bob.page.getByRole('button', { name: 'Accept', exact: true }).click()
  const large = await picture(1500, 1200, { isNoise: true })
  await sendFiles(site, [alice, bob], [{ name: 'b.png', bytes: large, width: 1500, height: 1200 }])
  await photo(bob, /^Load picture \(5\.2 MB\)/).waitFor()
  await bob.page.waitForTimeout(500)
  expect(reads).toHaveLength(1)
  await photo(bob, /^Load picture \(5\.2 MB\)/).click()
  await isDrawn(bob, 1500)
  expect(bob.complaints).toEqual([])
})

test('a voice note has its length, plays, pauses, plays faster, and goes where one clicks', async ({
  expect,
}) => {
  const t = await talking()
  const wave = Buffer.from(Array.from({ length: 64 }, (_, n) => (n * 4) % 256)).toString('base64url')
  await sendFiles(site, [t.alice, t.bob], [{ name: 'voice.wav', bytes: sound(30), duration: 30_000, wave }])
  const { page } = t.bob
  const note = page.getByRole('group', { name: 'Voice note, 0:30' })
  await note.waitFor()
  expect(await page.getByRole('log').getByText('voice.wav').count()).toBe(0)
  await note.getByRole('button', { name: 'Play Voice note' }).click()
  await note.getByText(/^0:0[1-9] \/ 0:30$/).waitFor()
  await note.getByRole('button', { name: 'Speed 1×' }).click()
  await note.getByRole('button', { name: 'Speed 1.5×' }).click()
  await note.getByRole('button', { name: 'Speed 2×' }).waitFor()
  await note.getByRole('button', { name: 'Pause Voice note' }).click()
  await note.getByRole('slider').fill('20')
  await note.getByText('0:20 / 0:30').waitFor()
  expect(await faults(page)).toEqual([])
  expect(t.bob.complaints).toEqual([])
})

test('a file is a row with its kind and size, and is saved under its name with its bytes', async ({
  expect,
}) => {
  const t = await talking()
  const bytes = new TextEncoder().encode('%PDF-1.4 what is in it')
  const name = 'Minutes of the meeting of the gardeners on the twelfth of March.pdf'
  await sendFiles(site, [t.alice, t.bob], [{ name, bytes }], 'please read')
  const { page } = t.bob
  const log = page.getByRole('log')
  await log.getByText('PDF · 22 B').waitFor()
  await log.getByText('please read').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    log.getByRole('button', { name: `Save ${name}, PDF · 22 B` }).click(),
  ])
  expect(download.suggestedFilename()).toBe(name)
  expect(new Uint8Array(await readFile(await download.path()))).toEqual(bytes)
  expect(await faults(page)).toEqual([])
})

test('a file that can run programs is saved after a question, also where its name looks like a picture', async ({
  expect,
}) => {
  const t = await talking()
  const bytes = new TextEncoder().encode('MZ nothing')
  await sendFiles(
    site,
    [t.alice, t.bob],
    [
      { name: 'holiday in Ravenna and Bologna 2026.jpg.scr', bytes },
      { name: 'logo.svg', bytes: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    ],
  )
  const { page } = t.bob
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))
  const save = page.getByRole('button', { name: /^Save holiday/ })
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'This file can run programs' })
  await dialog.getByText('It looks like another kind of file, but it ends in .scr.').waitFor()
  expect(await faults(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: 'Don’t save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(downloads).toEqual([])
  await page.getByRole('button', { name: /^Save logo.svg/ }).click()
  expect(await dialog.getByText('It looks like another kind').count()).toBe(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save anyway' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('logo.svg')
})

test('what is shown of files can be read in the dark and on a phone, in own messages too', async ({
  expect,
}) => {
  await using t = await talk(site)
  const { page } = t.bob
  const bytes = await picture(900, 300)
  const wave = Buffer.alloc(64, 90).toString('base64url')
  for (const pair of [
    [t.alice, t.bob],
    [t.bob, t.alice],
  ] as [Person, Person][]) {
    await sendFiles(site, pair, [{ name: 'a.png', bytes, width: 900, height: 300 }], 'with a text')
    await sendFiles(site, pair, [{ name: 'v.wav', bytes: sound(2), duration: 2000, wave }])
    await sendFiles(site, pair, [{ name: 'notes.txt', bytes: new TextEncoder().encode('notes') }])
  }
  await photo(t.bob, /^Save notes/)
    .nth(1)
    .waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await faults(page, { screenOnly: true })).toEqual([])
  await page.setViewportSize({ width: 320, height: 720 })
  await page.emulateMedia({ colorScheme: 'light' })
  await photo(t.bob, /^Save notes/)
    .nth(1)
    .waitFor()
  expect(await faults(page, { screenOnly: true })).toEqual([])
  const overflow = await page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth)
  expect(overflow).toBe(0)
})

test('a post in a community shows its picture, and none when it was removed', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const { town, asOwner } = await newTown(site, alice, bob)
  const bytes = await picture(400, 300)
  const about = { name: 'a.png', bytes, width: 400, height: 300, alt: 'the square' }
  const id = await postFile(site, alice, town, about)
  await arrive(bob, `/c/${town}`)
  await photo(bob, /described: the square$/).waitFor()
  await isDrawn(bob, 400)
  await asOwner.removePost({ nftaddr: town, id })
  await photo(bob, /described: the square$/).waitFor({ state: 'detached' })
  expect(bob.complaints).toEqual([])
})
