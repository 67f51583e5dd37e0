// The viewer: a picture on the whole screen, and the way to the others of the conversation.

import { test } from 'vitest'
import { faults } from './axe.ts'
import { picture, recordedVideo, sendFiles } from './filing.ts'
import { acquaint, arrive, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'
import { talk } from './talking.ts'

const site = useSite()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Bob has the conversation open, in which Alice has sent three pictures and he one. */
async function album(options = {}) {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url, options)]
  await acquaint(site.service, alice, bob)
  await (
    await site.service.as(alice.address)
  ).setName({
    body: { address: alice.address, name: `Mira ${alice.address.slice(-6)}` },
  })
  for (const n of [1, 2, 3]) {
    const bytes = await picture(600 + n, 400)
    const file = { name: `${n}.png`, bytes, width: 600 + n, height: 400, alt: `number ${n}` }
    await sendFiles(site, [alice, bob], [file])
  }
  const bytes = await picture(500, 400)
  await sendFiles(site, [bob, alice], [{ name: '4.png', bytes, width: 500, height: 400 }])
  await arrive(bob)
  await visit(bob, `/dm/${alice.address}`)
  await open(bob, /described: number 2/).waitFor()
  return { alice, bob }
}

const open = ({ page }: Person, name: RegExp) => page.getByRole('log').getByRole('button', { name })
const viewer = ({ page }: Person, name: RegExp) => page.getByRole('dialog', { name })
const scaleOf = (person: Person) =>
  person.page
    .getByRole('dialog')
    .getByRole('img')
    .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a)

const isScaled = (person: Person, wanted: number) =>
  eventually(
    () => scaleOf(person),
    (scale) => {
      if (scale !== wanted) throw new Error(`The scale is ${scale}`)
    },
  )

test.concurrent('a picture opens on the whole screen: arrows go to the others, keys enlarge, Escape closes and returns the focus', async ({
  expect,
}) => {
  const { alice, bob } = await album()
  await using _alice = alice
  await using _bob = bob
  const { page } = bob
  await open(bob, /described: number 2/).click()
  await viewer(bob, /^Photo 2 of 4 from Mira/).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('img', { name: /described: number 2/ })
    .waitFor()
  expect(await faults(page, { within: 'dialog' })).toEqual([])
  await page.keyboard.press('ArrowRight')
  await viewer(bob, /^Photo 3 of 4 from Mira/).waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer(bob, /^Photo 4 of 4 from you$/).waitFor()
  expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Previous' }).click()
  await viewer(bob, /^Photo 3 of 4/).waitFor()
  await isScaled(bob, 1)
  await page.keyboard.press('+')
  await isScaled(bob, 1.5)
  await page.keyboard.press('+')
  await isScaled(bob, 2.25)
  await page.keyboard.press('-')
  await isScaled(bob, 1.5)
  await page.keyboard.press('0')
  await isScaled(bob, 1)
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, -300)
  await eventually(
    () => scaleOf(bob),
    (scale) => expect(scale).toBeGreaterThan(2),
  )
  // Focus stays inside.
  for (let n = 0; n < 12; n++) await page.keyboard.press('Tab')
  expect(
    await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
    ),
  ).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await eventually(
    () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    (label) => expect(label).toContain('number 2'),
  )
  // The reply is to the message of the picture.
  await open(bob, /described: number 1/).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reply' }).click()
  await page.getByText(/^Replying to Mira/).waitFor()
  expect(await page.getByRole('status').filter({ hasText: 'Replying to' }).innerText()).toContain('Photo')
  expect(bob.complaints).toEqual([])
})

test.concurrent('Back closes it, two taps enlarge, and it saves the picture under its name', async ({
  expect,
}) => {
  const { alice, bob } = await album(phone)
  await using _alice = alice
  await using _bob = bob
  const { page } = bob
  const path = new URL(page.url()).pathname
  await open(bob, /described: number 3/).tap()
  await viewer(bob, /^Photo 3 of 4/).waitFor()
  const image = page.getByRole('dialog').getByRole('img')
  await image.waitFor()
  await page.touchscreen.tap(195, 400)
  await page.touchscreen.tap(195, 400)
  await isScaled(bob, 2.5)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Save' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('3.png')
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(path)
  expect(bob.complaints).toEqual([])
})

test.concurrent('a video is not read before its reader wants it, and plays in the viewer', async ({
  expect,
}) => {
  await using t = await talk(site)
  const { page } = t.bob
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/files/')) reads.push(request.url())
  })
  const bytes = await recordedVideo(t.alice)
  await sendFiles(
    site,
    [t.alice, t.bob],
    [{ name: 'clip.webm', bytes, width: 160, height: 120, duration: 1000, alt: 'two colours' }],
  )
  const poster = open(t.bob, /^Video from .*, described: two colours$/)
  await poster.waitFor()
  await page.waitForTimeout(300)
  expect(reads).toEqual([])
  await poster.click()
  const dialog = viewer(t.bob, /^Video 1 of 1 from /)
  await eventually(
    () =>
      dialog
        .locator('video')
        .evaluate((video: HTMLVideoElement) => [video.videoWidth, video.currentTime > 0]),
    (now) => expect(now).toEqual([160, true]),
  )
  expect(reads).toHaveLength(1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(t.bob.complaints).toEqual([])
})
