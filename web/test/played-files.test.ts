// Videos and sounds play by ranges where the page has a service worker: before all of them is here, and from wherever one seeks.

import { test } from 'vitest'
import { startBehindProxy } from './behind-proxy.ts'
import { recordedVideo, saySealed, sealAll, sendFiles, sound } from './filing.ts'
import { acquaint, arrive, eventually, openPerson, type Person } from './person.ts'
import { talkSealed } from './sealed-talk.ts'
import { useSite } from './site.ts'

const site = useSite()
type Site = Pick<typeof site, 'service' | 'url'>
const options = { serviceWorkers: 'allow' } as const
const mebibyte = 1024 * 1024

/** The worker answers the requests of a page some time after the first load. */
const isControlled = ({ page }: Person) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })

/** Bob has the conversation with Alice open, with a worker or without. */
async function listening(withWorker = true, at: Site = site) {
  const alice = await openPerson(at.url)
  const bob = await openPerson(at.url, withWorker ? options : {})
  await acquaint(at.service, alice, bob)
  await arrive(bob, `/dm/${alice.address}`)
  if (withWorker) {
    await isControlled(bob)
    await arrive(bob, `/dm/${alice.address}`)
  }
  return {
    alice,
    bob,
    [Symbol.asyncDispose]: async () => {
      await alice[Symbol.asyncDispose]()
      await bob[Symbol.asyncDispose]()
    },
  }
}

/** The ranges of files that a page reads, each from its first byte to its last; the whole file is from 0 to Infinity. */
function rangesOf({ page }: Person): [number, number][] {
  const ranges: [number, number][] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || !new URL(request.url()).pathname.startsWith('/v1/files/')) return
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers()['range'] ?? '') ?? []
    ranges.push([Number(from ?? 0), to === undefined ? Infinity : Number(to)])
  })
  return ranges
}

const bytesIn = (ranges: [number, number][]) => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

const row = ({ page }: Person, name: RegExp | string) => page.getByRole('log').getByRole('group', { name })

const seconds = 1500
const size = sound(seconds).length

test('a long sound plays before it is here, and from where one seeks, without what lies between', async ({
  expect,
}) => {
  await using t = await listening()
  const ranges = rangesOf(t.bob)
  const file = { name: 'talk.wav', bytes: sound(seconds), duration: seconds * 1000 }
  await sendFiles(site, [t.alice, t.bob], [file])
  const shown = row(t.bob, /^talk.wav/)
  await shown.getByRole('button', { name: 'Play talk.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  expect(bytesIn(ranges)).toBeLessThan(size / 2)
  const before = ranges.length
  await shown.getByRole('slider').fill('1400')
  await shown.getByText(/^23:2[1-9] \/ 25:00$/).waitFor()
  const far = ranges.slice(before).filter(([, to]) => to > 8000 * 1399)
  expect(far.length).toBeGreaterThan(0)
  expect(bytesIn(ranges)).toBeLessThan(size * 0.7)
  expect(ranges.filter(([from, to]) => from < 8000 * 1000 && to > 8000 * 900)).toEqual([])
  expect(t.bob.complaints).toEqual([])
})

test('who seeks on ends what is read for the place before; signing out ends it all', async ({ expect }) => {
  await using t = await listening()
  const { page } = t.bob
  await sendFiles(site, [t.alice, t.bob], [{ name: 'talk.wav', bytes: sound(seconds) }])
  const shown = row(t.bob, /^talk.wav/)
  await shown.getByRole('button', { name: 'Play talk.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  const ended: number[] = []
  page.on('requestfailed', (request) =>
    ended.push(Number(/^bytes=(\d+)-/.exec(request.headers()['range'] ?? '')?.[1])),
  )
  const asked = page.waitForRequest(/\/v1\/files\//)
  const address = page.waitForRequest(/\/media-of-page\//)
  await page.route('**/v1/files/*', () => {})
  await shown.getByRole('slider').fill('700')
  await asked
  await shown.getByRole('slider').fill('1400')
  await eventually(
    () => ended,
    (all) => expect(Math.max(...all)).toBeGreaterThan(8000 * 690),
  )
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await shown.getByText(/^23:2[1-9] \/ 25:00$/).waitFor()
  const { pathname } = new URL((await address).url())
  const statusOf = () => page.evaluate(async (path) => (await fetch(path)).status, pathname)
  expect(await statusOf()).toBe(200)
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  expect(await statusOf()).toBe(404)
  expect(t.bob.complaints).toEqual([])
})

test('a video that cannot be read says why, and plays with another try where that may help', async ({
  expect,
}) => {
  await using t = await listening()
  const { page } = t.bob
  const ranges = rangesOf(t.bob)
  const bytes = await recordedVideo(t.alice, 1, mebibyte)
  await sendFiles(site, [t.alice, t.bob], [{ name: 'clip.webm', bytes, width: 160, height: 120 }])
  await page.route('**/v1/files/*', (route) => route.abort())
  const poster = page.getByRole('log').getByRole('button', { name: /^Video/ })
  await poster.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Can’t reach /).waitFor()
  // The message says so too, and its button leads back to the player.
  await page.keyboard.press('Escape')
  await page
    .getByRole('log')
    .getByText(/^Can’t reach /)
    .waitFor()
  await page.getByRole('log').getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText(/^Can’t reach /).waitFor()
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await eventually(
    () => dialog.locator('video').evaluate((one: HTMLVideoElement) => one.videoWidth),
    (width) => expect(width).toBe(160),
  )
  await page.keyboard.press('Escape')
  await page.route('**/v1/files/*', (route) =>
    route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{"code":"not_found"}' }),
  )
  await poster.click()
  await dialog.getByText('No longer stored here.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(ranges.every(([, to]) => to < Infinity)).toBe(true)
  expect(t.bob.complaints).toEqual([])
})

test('a sound goes on while the worker is replaced by that of another build', async ({ expect }) => {
  await using behind: Awaited<ReturnType<typeof startBehindProxy>> = await startBehindProxy()
  await using t = await listening(true, behind)
  const { page } = t.bob
  await sendFiles(behind, [t.alice, t.bob], [{ name: 'talk.wav', bytes: sound(seconds) }])
  const shown = row(t.bob, /^talk.wav/)
  await shown.getByRole('button', { name: 'Play talk.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  behind.changed.set('/worker.js', (text) => `${text}//`)
  await page.evaluate(async () => {
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve),
    )
    await (await navigator.serviceWorker.getRegistration())!.update()
    await taken
  })
  await shown.getByRole('slider').fill('1400')
  await shown.getByText(/^23:2[1-9] \/ 25:00$/).waitFor()
  expect(t.bob.complaints).toEqual([])
})

test('where ranges do not come through, a file is read as a whole', async ({ expect }) => {
  await using t = await listening()
  const ranges = rangesOf(t.bob)
  await t.bob.page.route('**/v1/files/*', async (route) => {
    const { range: _range, ...headers } = route.request().headers()
    await route.continue({ headers })
  })
  await sendFiles(site, [t.alice, t.bob], [{ name: 'talk.wav', bytes: sound(seconds) }])
  const shown = row(t.bob, /^talk.wav/)
  await shown.getByRole('button', { name: 'Play talk.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  expect(ranges).toEqual([
    [0, expect.any(Number)],
    [0, Infinity],
  ])
  await t.bob.page.reload()
  const bytes = await recordedVideo(t.alice, 1, mebibyte)
  await sendFiles(site, [t.alice, t.bob], [{ name: 'clip.webm', bytes, width: 160, height: 120 }])
  const { page } = t.bob
  await page
    .getByRole('log')
    .getByRole('button', { name: /^Video/ })
    .click()
  await eventually(
    () =>
      page
        .getByRole('dialog')
        .locator('video')
        .evaluate((one: HTMLVideoElement) => one.videoWidth),
    (width) => expect(width).toBe(160),
  )
  expect(ranges.slice(2)).toEqual([
    [0, expect.any(Number)],
    [0, Infinity],
  ])
  expect(t.bob.complaints).toEqual([])
})

test('without a worker a long sound is read as a whole, and plays', async ({ expect }) => {
  await using t = await listening(false)
  const ranges = rangesOf(t.bob)
  await sendFiles(site, [t.alice, t.bob], [{ name: 'talk.wav', bytes: sound(seconds) }])
  const shown = row(t.bob, /^talk.wav/)
  await shown.getByRole('button', { name: 'Play talk.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  expect(ranges).toEqual([[0, Infinity]])
  expect(t.bob.complaints).toEqual([])
})

test('a video plays before it is here; its address is of this page, and is gone when the viewer closes', async ({
  expect,
}) => {
  await using t = await listening()
  const { page } = t.bob
  const ranges = rangesOf(t.bob)
  // A player reads some seconds before it begins.
  const bytes = await recordedVideo(t.alice, 8, 12 * mebibyte)
  await sendFiles(site, [t.alice, t.bob], [{ name: 'clip.webm', bytes, width: 160, height: 120 }])
  // What is further behind does not come while it begins to play.
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/files/*', async (route) => {
    const [, from] = /^bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '') ?? []
    if (Number(from ?? 0) > bytes.length / 2) await held.promise
    await route.continue()
  })
  await page
    .getByRole('log')
    .getByRole('button', { name: /^Video/ })
    .click()
  const video = page.getByRole('dialog').locator('video')
  await eventually(
    () => video.evaluate((one: HTMLVideoElement) => [one.videoWidth, one.currentTime > 0]),
    (now) => expect(now).toEqual([160, true]),
  )
  expect(bytesIn(ranges)).toBeLessThan(bytes.length)
  held.resolve()
  const path = (await video.getAttribute('src'))!
  expect(path).toMatch(/^\/media-of-page\/[0-9a-f]{32}$/)
  const ask = (on: typeof page, range?: string) =>
    on.evaluate(
      async (asked) => {
        const response = await fetch(asked.path, { headers: asked.range ? { range: asked.range } : {} })
        const { length } = new Uint8Array(await response.arrayBuffer())
        return [response.status, response.headers.get('content-range'), length]
      },
      { path, range },
    )
  // Where the last byte is named, all up to there comes.
  expect(await ask(page, 'bytes=0-1')).toEqual([206, `bytes 0-1/${bytes.length}`, 2])
  const most = 3 * mebibyte
  expect(await ask(page, `bytes=100-${most}`)).toEqual([206, `bytes 100-${most}/${bytes.length}`, most - 99])
  expect(await ask(page)).toEqual([200, null, bytes.length])
  expect(await ask(page, `bytes=${bytes.length}-`)).toEqual([416, `bytes */${bytes.length}`, 0])
  // Another page of the same browser has no such address, and the service has none.
  const other = await t.bob.context.newPage()
  await other.goto('/settings')
  expect(await other.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  expect(await ask(other, 'bytes=0-1')).toEqual([404, null, 0])
  expect((await fetch(site.url + path, { headers: { accept: 'text/html' } })).status).toBe(404)
  await page.keyboard.press('Escape')
  await video.waitFor({ state: 'detached' })
  expect(await ask(page, 'bytes=0-1')).toEqual([404, null, 0])
  expect(t.bob.complaints).toEqual([])
})

test('an encrypted sound plays by ranges; where a byte of it was changed it stops and says so', async ({
  expect,
}) => {
  await using t = await talkSealed(site, options)
  await isControlled(t.bob)
  const ranges = rangesOf(t.bob)
  const about = { name: 'secret.wav', type: 'audio/wav', duration: seconds * 1000 }
  const attached = await sealAll(site, t.alice, t.bob, [{ ...about, bytes: sound(seconds) }])
  const ids = attached.map(({ id }) => id)
  await saySealed(t.alice, t.bob.address, 'listen', attached, ids)
  const shown = row(t.bob, /^secret.wav/)
  await shown.getByRole('button', { name: 'Play secret.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  expect(bytesIn(ranges)).toBeLessThan(size / 2)
  await t.bob.page.route(`**/v1/files/${ids[0]}`, async (route) => {
    const answer = await route.fetch()
    const body = await answer.body()
    body[Math.floor(body.length / 2)]! ^= 1
    await route.fulfill({ response: answer, body })
  })
  await shown.getByRole('slider').fill('1400')
  await shown.getByText('This file was changed on its way and was not opened.').waitFor()
  expect(await shown.getByRole('slider').count()).toBe(0)
  // It plays again once the bytes are right.
  await t.bob.page.unrouteAll()
  await shown.getByRole('button', { name: 'Play secret.wav' }).click()
  await shown.getByText(/^0:0[1-9] \/ 25:00$/).waitFor()
  expect(await shown.getByText('This file was changed').count()).toBe(0)
  expect(t.bob.complaints).toEqual([])
})
