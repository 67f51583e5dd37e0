// What cannot be sent says so before it is sent, and what the service refuses says why.

import { expect, test } from 'vitest'
import { acquaint, arrive, bubble, eventually, openPerson, type Person } from './person.ts'
import { choose, field, give, pdf, send, waiting } from './sending.ts'
import { punks } from './places.ts'
import { useSite } from './site.ts'

const [small, none] = [useSite({ fileSize: 1 }), useSite({ fileSize: 0 })]

/** Alice, with the conversation with Bob open. */
async function open(site: typeof small): Promise<{ alice: Person; bob: string } & AsyncDisposable> {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await bob[Symbol.asyncDispose]()
  await acquaint(site.service, alice, bob)
  await arrive(alice, `/dm/${bob.address}`)
  await field(alice).waitFor()
  return { alice, bob: bob.address, [Symbol.asyncDispose]: () => alice[Symbol.asyncDispose]() }
}

test.concurrent('a file that is too large cannot be sent, and goes with a button', async () => {
  await using t = await open(small)
  const { page } = t.alice
  await choose(t.alice, [pdf('large.pdf', 1_100_000), pdf('small.pdf', 1000)])
  await page
    .getByRole('alert')
    .getByText('large.pdf is too large: 1 MB, and a file has at most 1 MB.')
    .waitFor()
  await field(t.alice).press('Enter')
  await page.getByRole('button', { name: 'Remove large.pdf' }).click()
  await page.getByText('large.pdf removed, 1 left').waitFor({ state: 'attached' })
  expect(await bubble(t.alice, 'large.pdf, small.pdf').count()).toBe(0)
  await send(t.alice)
  await page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor()
  await bubble(t.alice, 'small.pdf').waitFor()
})

test.concurrent('a message has ten files at most, and none that is empty', async () => {
  await using t = await open(small)
  const { page } = t.alice
  await give(
    t.alice,
    'paste',
    Array.from({ length: 12 }, (_, i) => pdf(`${i}.pdf`, 10)),
  )
  await page.getByRole('region', { name: 'Attachments, 10' }).waitFor()
  await page.getByRole('status').getByText('A message has at most 10 files.').waitFor()
  await give(t.alice, 'paste', [pdf('empty.pdf', 0)])
  await page.getByRole('status').getByText('An empty file can’t be sent.').waitFor()
})

test.concurrent('the quota of the day is a sentence at the message, which can be sent again', async () => {
  await using t = await open(small)
  const { page } = t.alice
  const detail = 'Your wallet may upload 100 files a day, and has done so.'
  await page.route('**/v1/files', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '40000' },
      contentType: 'application/problem+json',
      json: { type: '/docs/errors#rate_limited', title: 'Too Many Requests', status: 429, detail },
    }),
  )
  await choose(t.alice, [pdf('one.pdf', 1000)])
  await send(t.alice)
  await page.getByText(detail).waitFor()
  await page.unroute('**/v1/files')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor()
})

test.concurrent('a service that takes no files offers none', async () => {
  await using t = await open(none)
  const { page } = t.alice
  await give(t.alice, 'paste', [pdf('a.pdf', 10)])
  await eventually(
    () => page.getByText('takes no files.').count(),
    (count) => expect(count).toBeGreaterThan(0),
  )
  expect(await page.getByRole('button', { name: 'Add files' }).count()).toBe(0)
})

test.concurrent('comments take no files', async () => {
  await using alice = await openPerson(small.url)
  await arrive(alice, `/nft/${punks}/7`)
  await field(alice).waitFor()
  expect(await give(alice, 'paste', [pdf('a.pdf', 10)], 'a text')).toBe(true)
  for (const kind of ['paste', 'drop'] as const) {
    expect(await give(alice, kind, [pdf('a.pdf', 10)])).toBe(false)
    await alice.page.getByRole('status').getByText('Files can’t be sent in comments.').waitFor()
  }
  expect(await alice.page.getByRole('button', { name: 'Add files' }).count()).toBe(0)
})

test.concurrent('a folder is refused; Control, Shift and U choose files; a phone has its camera', async () => {
  await using t = await open(small)
  const { page } = t.alice
  await page.evaluate(() => {
    const isFolder = { isDirectory: true } as FileSystemEntry
    DataTransferItem.prototype.webkitGetAsEntry = () => isFolder
  })
  expect(await give(t.alice, 'drop', [pdf('photos', 10)])).toBe(false)
  await page.getByRole('status').getByText('Folders can’t be sent.').waitFor()
  const chosen = page.waitForEvent('filechooser')
  await field(t.alice).press('Control+Shift+U')
  await (await chosen).setFiles([pdf('one.pdf', 10), pdf('two.pdf', 10)])
  await page.getByRole('region', { name: 'Attachments, 2' }).waitFor()
  // The order is that of the message.
  await page.getByRole('button', { name: 'Remove two.pdf' }).press('Control+ArrowLeft')
  await send(t.alice)
  await bubble(t.alice, 'two.pdf').waitFor()

  await using phone = await openPerson(small.url, { hasTouch: true, isMobile: true })
  await acquaint(small.service, phone, t.bob)
  await arrive(phone, `/dm/${t.bob}`)
  const button = phone.page.getByRole('button', { name: 'Add files' })
  const { width, height } = (await button.boundingBox())!
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  await button.tap()
  const camera = phone.page.waitForEvent('filechooser')
  await phone.page.getByRole('menuitem', { name: 'Camera' }).tap()
  expect(await (await camera).element().getAttribute('capture')).toBe('environment')
})

test.concurrent('a wallet that has not answered takes no files, and the message says so', async () => {
  await using t = await open(small)
  const { page } = t.alice
  await page.route('**/v1/create_chatitem', (route) =>
    route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      json: { type: '/docs/errors#request_pending', title: 'Too Many Requests', status: 429, detail: 'no' },
    }),
  )
  await choose(t.alice, [pdf('early.pdf', 1000)])
  await send(t.alice)
  await page.getByText('Couldn’t send. You can send files when they reply.').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await eventually(
    () => waiting(t.alice),
    (count) => expect(count).toBe(0),
  )
})

test.concurrent('while the disk of the service is full, the message waits and says why', async () => {
  await using t = await open(small)
  const { page } = t.alice
  let isFull = true
  const detail = 'The disk of this service has no room left for files. Nothing was stored.'
  await page.route('**/v1/files', (route) =>
    isFull
      ? route.fulfill({
          status: 503,
          headers: { 'retry-after': '4' },
          contentType: 'application/problem+json',
          json: { type: '/docs/errors#unavailable', title: 'Unavailable', status: 503, detail },
        })
      : route.continue(),
  )
  await choose(t.alice, [pdf('late.pdf', 1000)])
  await send(t.alice)
  await page.getByText(`Waiting to be sent. ${detail}`).waitFor()
  isFull = false
  await page.getByRole('log').getByRole('img', { name: 'Sent' }).waitFor()
})
