// What a device needs to install the client as an app.

import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

interface Icon {
  src: string
  sizes: string
  type: string
  purpose: string
}

interface Manifest {
  icons: Icon[]
  share_target: { action: string; method: string; params: Record<string, unknown> }
  [field: string]: unknown
}

const picture = async (path: string) => {
  const answer = await fetch(site.url + path)
  expect(answer.headers.get('content-type')).toBe('image/png')
  return sharp(Buffer.from(await answer.arrayBuffer()))
}

/** The colour and opacity at the corner and in the middle of the upper half, where the drawing is. */
async function pixels(image: Sharp) {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)]
  return { corner: at(0, 0), drawn: at(info.width / 2, Math.round(info.height * 0.4)) }
}

test('the page names a manifest, which the browser finds nothing wrong with', async () => {
  await using alice = await openPerson(site.url)
  const { page, context, complaints } = alice
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  const session = await context.newCDPSession(page)
  const { url, errors, data } = await session.send('Page.getAppManifest')
  expect(url).toBe(`${site.url}/manifest.webmanifest`)
  expect(errors).toEqual([])
  expect(JSON.parse(data!)).toMatchObject({ name: 'Parley' })
  expect(complaints).toEqual([])
})

test('the manifest has the fields that devices ask for, and icons of the sizes that it says', async () => {
  const answer = await fetch(`${site.url}/manifest.webmanifest`)
  expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const manifest = (await answer.json()) as Manifest
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Parley',
    short_name: 'Parley',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#ffffff',
    background_color: '#ffffff',
    share_target: {
      action: '/share',
      method: 'POST',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files' }] },
    },
  })
  const found = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)
  expect(found).toEqual(['192x192 any', '512x512 any', '512x512 maskable'])
  for (const { src, sizes, type, purpose } of manifest.icons) {
    const image = await picture(src)
    const { width, height, format } = await image.metadata()
    expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type])
    const { corner, drawn } = await pixels(image)
    // A mask may cut anything off but the middle.
    expect(corner).toEqual(purpose === 'maskable' ? [255, 255, 255, 255] : [0, 0, 0, 0])
    expect(drawn).toEqual([0x17, 0x89, 0x7d, 255])
  }
})

test('an iPhone gets an icon without transparent corners', async () => {
  const page = await (await fetch(site.url)).text()
  const [, path] = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(page)!
  const image = await picture(path!)
  expect(await image.metadata()).toMatchObject({ width: 180, height: 180 })
  expect((await pixels(image)).corner).toEqual([255, 255, 255, 255])
})
