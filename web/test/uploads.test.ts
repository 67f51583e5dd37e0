// A message with files is sent once, whatever ends in the middle of its upload.

import { expect, test } from 'vitest'
import { bubble, eventually, type Person } from './person.ts'
import { talkSealed } from './sealed-talk.ts'
import { choose, pdf, field, filesOf, send, storedBytes, waiting, watchUploads } from './sending.ts'
import { useSite } from './site.ts'
import { talk, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)
const mebibyte = 1024 * 1024
const large = () => pdf('large.pdf', 9 * mebibyte)

const conversation = async (one: Person, other: Person) =>
  (await site.service.as(one.address)).listConversation({ fromaddr: one.address, toaddr: other.address })

/** Parts from an offset on get no answer, until this is ended. */
async function holdParts({ page }: Person, from: number): Promise<() => Promise<void>> {
  await page.route('**/v1/files/*?offset=*', async (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'))
    if (offset < from) return route.continue()
  })
  return () => page.unrouteAll({ behavior: 'ignoreErrors' })
}

const offsetOf = (asked: string) => Number(/^part (\d+)$/.exec(asked)?.[1] ?? -1)

/** Waits until a part is sent that is held. */
const isHeld = ({ page }: Person, from: number) =>
  page.waitForRequest((request) => Number(new URL(request.url()).searchParams.get('offset') ?? -1) >= from)

const isEmpty = (person: Person) =>
  eventually(
    () => waiting(person),
    (count) => expect(count).toBe(0),
  )

for (const [kind, begin] of [
  ['plain', talk],
  ['encrypted', talkSealed],
] as const)
  test.concurrent(`an upload of a ${kind} file goes on where it was after a reload`, async () => {
    await using t = await begin(site)
    const asked = watchUploads(t.alice)
    const release = await holdParts(t.alice, 4 * mebibyte)
    await choose(t.alice, [large()])
    await send(t.alice, 'the whole lease')
    await eventually(
      () => asked,
      (all) => expect(offsetOf(all.at(-1) ?? '')).toBeGreaterThanOrEqual(4 * mebibyte),
    )
    const before = asked.slice(0, -1)
    expect(await waiting(t.alice)).toBe(1)
    await release()
    await t.alice.page.reload()
    await bubble(t.bob, 'the whole lease').waitFor()
    for (const one of before) expect(asked.filter((other) => other === one)).toHaveLength(1)
    const items = await conversation(t.bob, t.alice)
    const [file] = filesOf(items)
    if (kind === 'plain')
      expect((await storedBytes(site.service, t.bob.address, file!.id)).equals(large().buffer)).toBe(true)
    else expect(file).toMatchObject({ sealed: true })
    expect(items.filter(({ files }) => files)).toHaveLength(1)
    await isEmpty(t.alice)
    expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
  })

test('what is sent without a connection waits, and is sent when there is one; a lost answer sends nothing twice', async () => {
  const t = await talking()
  await choose(t.alice, [pdf('note.pdf', 3000)])
  await t.alice.context.setOffline(true)
  await send(t.alice)
  await t.alice.page.getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  expect(await waiting(t.alice)).toBe(1)
  // The first answers to each request are lost.
  const lost = new Set<string>()
  await t.alice.page.route(/\/v1\/(files|create_chatitem)/, async (route) => {
    const what = `${route.request().method()} ${new URL(route.request().url()).pathname}`
    if (lost.has(what)) return route.continue()
    lost.add(what)
    await route.fetch().catch(() => {})
    await route.abort().catch(() => {})
  })
  await t.alice.context.setOffline(false)
  await bubble(t.bob, 'note.pdf').waitFor()
  await eventually(
    () => waiting(t.alice),
    (count) => expect(count).toBe(0),
  )
  expect(lost.size).toBeGreaterThan(2)
  const items = await conversation(t.bob, t.alice)
  expect(items.filter(({ files }) => files)).toHaveLength(1)
})

test('another tab goes on with an upload, and the message is sent once', async () => {
  const t = await talking()
  await holdParts(t.alice, 4 * mebibyte)
  await choose(t.alice, [large()])
  const held = isHeld(t.alice, 4 * mebibyte)
  await send(t.alice, 'from two tabs')
  await held
  const page = await t.alice.context.newPage()
  const second = { ...t.alice, page }
  const asked = watchUploads(second)
  await page.goto(`/dm/${t.bob.address}`)
  await bubble(t.bob, 'from two tabs').waitFor()
  expect(asked).not.toContain('part 0')
  expect(asked).not.toContain('POST')
  const items = await conversation(t.bob, t.alice)
  expect(items.filter(({ files }) => files)).toHaveLength(1)
  await isEmpty(second)
})

test('an upload is paused, continued and cancelled; what was written after it is sent meanwhile', async () => {
  const t = await talking()
  const { page } = t.alice
  const release = await holdParts(t.alice, 4 * mebibyte)
  const choosing = async (item: string) => {
    await page.getByRole('article').filter({ hasText: 'the lease' }).hover()
    await page.getByRole('button', { name: /^Message options: .*the lease/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose(t.alice, [large()])
  const held = isHeld(t.alice, 4 * mebibyte)
  await send(t.alice, 'the lease')
  await held
  await choosing('Pause the upload')
  await page.getByText('You have paused it.').waitFor()
  await send(t.alice, 'in between')
  await bubble(t.bob, 'in between').waitFor()
  await release()
  await choosing('Continue the upload')
  await bubble(t.bob, 'the lease').waitFor()
  await holdParts(t.alice, 0)
  await choose(t.alice, [pdf('wrong.pdf', 500)])
  await send(t.alice, 'not the lease')
  await bubble(t.alice, 'not the lease').waitFor()
  await page.getByRole('article').filter({ hasText: 'not the lease' }).hover()
  await page.getByRole('button', { name: /^Message options: .*not the lease/ }).click()
  await page.getByRole('menuitem', { name: 'Cancel the upload' }).click()
  await bubble(t.alice, 'not the lease').waitFor({ state: 'detached' })
  await isEmpty(t.alice)
  await send(t.alice, 'the end')
  await bubble(t.bob, 'the end').waitFor()
  expect(await bubble(t.bob, 'not the lease').count()).toBe(0)
})

test('files that the service has no longer are uploaded once again', async () => {
  const t = await talking()
  const asAlice = await site.service.as(t.alice.address)
  const asked = watchUploads(t.alice)
  let deleted = 0
  await t.alice.page.route('**/v1/create_chatitem', async (route) => {
    const { files } = route.request().postDataJSON() as { files: string[] }
    if (deleted === 0) {
      deleted += 1
      await asAlice.deleteFile({ file: files[0]! })
    }
    await route.continue()
  })
  await choose(t.alice, [pdf('again.pdf', 2000)])
  await send(t.alice)
  await bubble(t.bob, 'again.pdf').waitFor()
  expect(asked.filter((one) => one === 'POST')).toHaveLength(2)
})

test('signing out deletes what waits here', async () => {
  const t = await talking()
  const { page } = t.alice
  await holdParts(t.alice, 0)
  await choose(t.alice, [pdf('secret.pdf', 2000)])
  await send(t.alice)
  await eventually(
    () => waiting(t.alice),
    (count) => expect(count).toBe(1),
  )
  await field(t.alice).fill('')
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Sign out/ })
    .click()
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  await isEmpty(t.alice)
})
