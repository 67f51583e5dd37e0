// Files are sent in conversations and chats, in the clear and encrypted.

import { type AttachedFile, openFile } from '@parley/sdk/files'
import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet } from '../../testing/service/service.ts'
import sharp from 'sharp'
import { faults } from './axe.ts'
import { sound } from './filing.ts'
import { arrive, bubble, eventually, openPerson, type Person, visit } from './person.ts'
import { talkSealed } from './sealed-talk.ts'
import {
  camera,
  choose,
  pdf,
  field,
  filesOf,
  give,
  photo,
  send,
  storedBytes,
  waiting,
  watchUploads,
} from './sending.ts'
import { useSite } from './site.ts'
import { newTown, talk, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const sent = ({ page }: Person, count: number) =>
  page
    .getByRole('log')
    .getByRole('img', { name: /^(Sent|Read)$/ })
    .nth(count - 1)
    .waitFor()

const conversation = async (one: Person, other: Person) =>
  (await site.service.as(one.address)).listConversation({ fromaddr: one.address, toaddr: other.address })

test('a photo and a document reach the other one, and the photo no longer says where it was taken', async () => {
  const t = await talking()
  const given = await photo()
  expect(given.buffer.includes(camera)).toBe(true)
  const paper = pdf('lease.pdf', 70_000)
  await choose(t.alice, [given, paper])
  const tray = t.alice.page.getByRole('region', { name: 'Attachments, 2' })
  await tray.getByText('Its metadata is removed.').waitFor()
  await tray.getByRole('button', { name: 'Describe garden.jpg' }).click()
  await t.alice.page.keyboard.type('A garden')
  expect(await faults(t.alice.page)).toEqual([])
  await t.alice.page.keyboard.press('Enter')
  await send(t.alice, 'our garden')
  await bubble(t.bob, 'our garden').waitFor()
  await sent(t.alice, 2)
  const [picture, lease] = filesOf(await conversation(t.bob, t.alice))
  expect(picture).toMatchObject({
    name: 'garden.jpg',
    type: 'image/jpeg',
    width: 2048,
    height: 1365,
    alt: 'A garden',
  })
  expect(picture!.thumbhash).toMatch(/^[\w-]{7,34}$/)
  expect(lease).toMatchObject({ name: 'lease.pdf', size: 70_000 })
  const stored = await storedBytes(site.service, t.bob.address, picture!.id)
  expect(stored.includes(camera)).toBe(false)
  expect((await sharp(stored).metadata()).exif).toBeUndefined()
  expect((await storedBytes(site.service, t.bob.address, lease!.id)).equals(paper.buffer)).toBe(true)
  await eventually(
    () => waiting(t.alice),
    (count) => expect(count).toBe(0),
  )
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('a photo keeps its size where its sender does not compress it, and loses its place all the same', async () => {
  const t = await talking()
  await choose(t.alice, [await photo('large.jpg')], 'Photo or video')
  await t.alice.page.getByLabel('Compress pictures').uncheck()
  await send(t.alice)
  await t.bob.page
    .getByRole('log')
    .getByRole('button', { name: /^Photo/ })
    .waitFor()
  const [picture] = filesOf(await conversation(t.bob, t.alice))
  expect(picture).toMatchObject({ width: 3000, height: 2000 })
  const stored = await storedBytes(site.service, t.bob.address, picture!.id)
  expect(stored.includes(camera)).toBe(false)
  expect(await sharp(stored).metadata()).toMatchObject({ width: 3000, height: 2000 })
})

for (const [kind, begin] of [
  ['plain', talk],
  ['encrypted', talkSealed],
] as const)
  test.concurrent(`${kind} pictures and sounds are not read from the service by the one who has sent them`, async () => {
    await using t = await begin(site)
    const { page } = t.alice
    const asked = watchUploads(t.alice)
    const tone = { name: 'tone.wav', mimeType: 'audio/wav', buffer: Buffer.from(sound(10)) }
    await choose(t.alice, [await photo(), tone])
    await send(t.alice, 'look and listen')
    await bubble(t.bob, 'look and listen').waitFor()
    await sent(t.alice, 2)
    const row = page.getByRole('log').getByRole('group', { name: /^tone.wav/ })
    await row.getByRole('button', { name: /^Save tone.wav/ }).waitFor()
    await row.getByRole('button', { name: 'Play tone.wav' }).click()
    await row.getByText(/^0:0[1-9] \/ 0:10$/).waitFor()
    await eventually(
      () =>
        page
          .getByRole('log')
          .locator('img[src^="blob:"]')
          .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
      (widths) => expect(widths).toContain(2048),
    )
    expect(asked.filter((one) => one === 'GET')).toEqual([])
    // After a reload they are.
    await page.reload()
    await eventually(
      () => asked.filter((one) => one === 'GET').length,
      (count) => expect(count).toBeGreaterThan(0),
    )
    expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
  })

test('files are sent in the order to which they are dragged or moved by the keyboard', async () => {
  const t = await talking()
  const { page } = t.alice
  await choose(t.alice, [await photo('one.jpg', 300, 200), pdf('two.pdf', 10), pdf('three.pdf', 10)])
  const tray = page.getByRole('region', { name: 'Attachments, 3' })
  const tiles = tray.getByRole('listitem')
  await tray.getByRole('img', { name: 'one.jpg' }).waitFor()
  await tray.getByRole('img', { name: 'one.jpg' }).dragTo(tiles.nth(2))
  await tray.getByText('one.jpg: 3 of 3').waitFor({ state: 'attached' })
  // Nothing else is done with what is dragged.
  expect(await field(t.alice).inputValue()).toBe('')
  expect(await page.getByText(/^Drop to send/).count()).toBe(0)
  await tray.getByRole('button', { name: 'Remove three.pdf' }).press('Control+ArrowLeft')
  await tray.getByText('three.pdf: 1 of 3').waitFor({ state: 'attached' })
  // There is no place before the first one.
  await tray.getByRole('button', { name: 'Remove three.pdf' }).press('Control+ArrowLeft')
  await send(t.alice, 'in order')
  await bubble(t.bob, 'in order').waitFor()
  const names = filesOf(await conversation(t.bob, t.alice)).map(({ name }) => name)
  expect(names).toEqual(['three.pdf', 'two.pdf', 'one.jpg'])
  expect(t.alice.complaints).toEqual([])
})

test('a picture that cannot be decoded is sent unchanged, and its sender reads that', async () => {
  const t = await talking()
  const whole = await photo('broken.jpg')
  const broken = { ...whole, buffer: whole.buffer.subarray(0, 400) }
  await choose(t.alice, [broken])
  await t.alice.page.getByText('broken.jpg: it is sent unchanged, with what the camera stored').waitFor()
  await send(t.alice)
  await bubble(t.bob, 'Can’t show this picture.').waitFor()
  const [file] = filesOf(await conversation(t.bob, t.alice))
  expect((await storedBytes(site.service, t.bob.address, file!.id)).equals(broken.buffer)).toBe(true)
})

test('in an encrypted conversation the service has neither the file nor its name, and its reader opens it', async () => {
  await using t = await talkSealed(site)
  const operator = newWallet()
  await addOperator(site.service, operator)
  const [paper, picture] = [pdf('lease.pdf', 70_000), await photo()]
  await choose(t.alice, [paper, picture])
  await t.alice.page.getByText('Its metadata is removed.').waitFor()
  let said: Partial<AttachedFile>[] = []
  await t.alice.page.route('**/v1/create_chatitem', async (route) => {
    said = await t.alice.page.evaluate(() => {
      const name = Object.keys(localStorage).find((one) => one.startsWith('parley.outbox.'))!
      return (JSON.parse(localStorage.getItem(name)!) as { files: object[] }).files
    })
    await route.continue()
  })
  await send(t.alice)
  await bubble(t.bob, 'lease.pdf').waitFor()
  expect(said).toMatchObject([{ name: 'lease.pdf' }, { width: 2048, height: 1365 }])
  const preview = Buffer.from(said[1]!.preview!, 'base64url')
  expect(preview.length).toBeLessThanOrEqual(8192)
  expect((await sharp(preview).metadata()).width).toBeGreaterThan(90)
  expect(said[1]!.thumbhash).toMatch(/^[\w-]{7,34}$/)
  const stored = filesOf(await t.stored())
  expect(stored).toMatchObject([{ sealed: true }, { sealed: true }])
  const seen = await t.seenByService()
  for (const word of ['lease', 'garden', 'thumbhash', 'image/jpeg']) expect(seen).not.toContain(word)
  const bytes = await storedBytes(site.service, t.bob.address, stored[0]!.id)
  expect(bytes.includes(paper.buffer.subarray(0, 64))).toBe(false)
  // The reader discloses the message, which has what opens the files.
  await bubble(t.bob, 'lease.pdf').hover()
  await t.bob.page.getByRole('button', { name: /^Message options: .*2 files/ }).click()
  await t.bob.page.getByRole('menuitem', { name: 'Report…' }).click()
  const dialog = t.bob.page.getByRole('dialog')
  await dialog.getByText('Threats, hate').click()
  await dialog.getByText('Let the operators read this message').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  await t.bob.page.getByText(/^Reported /).waitFor()
  const [report] = await (await site.service.as(t.bob.address)).listOwnReports()
  const [detail] = await (await site.service.as(operator)).getReport({ id: report!.id })
  const files = (detail!.evidence[0] as { files?: { key: string; size: number; hash: string }[] }).files!
  expect(files).toMatchObject([
    { id: stored[0]!.id, name: 'lease.pdf', type: 'application/pdf', size: 70_000 },
    { id: stored[1]!.id, name: 'garden.jpg', type: 'image/jpeg' },
  ])
  const opened = await new Response(openFile(files[0]!, new Blob([new Uint8Array(bytes)]))).arrayBuffer()
  expect(Buffer.from(opened).equals(paper.buffer)).toBe(true)
  const sealedPicture = await storedBytes(site.service, t.bob.address, stored[1]!.id)
  const clear = Buffer.from(
    await new Response(openFile(files[1]!, new Blob([new Uint8Array(sealedPicture)]))).arrayBuffer(),
  )
  expect(clear.includes(camera)).toBe(false)
  expect(await sharp(clear).metadata()).toMatchObject({ width: 2048 })
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('a community gets files; comments and a wallet that has not answered get none', async () => {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await using _ = alice
  await using __ = bob
  const { town } = await newTown(site, alice, bob)
  await arrive(alice, `/c/${town}`)
  await arrive(bob, `/c/${town}`)
  await choose(alice, [pdf('stalls.pdf', 5000)])
  await send(alice)
  await bubble(bob, 'stalls.pdf').waitFor()
  const posts = await (
    await site.service.as(bob.address)
  ).listGroupMessages({ address: town, useraddress: bob.address })
  expect(filesOf(posts)).toMatchObject([{ name: 'stalls.pdf', size: 5000 }])
  const stranger = newWallet()
  const asStranger = await site.service.as(stranger)
  await asStranger.setDmPolicy({ body: { who: 'requests' } })
  await visit(alice, `/dm/${stranger}`)
  await field(alice).waitFor()
  await eventually(
    () => alice.page.getByRole('button', { name: 'Add files' }).count(),
    (count) => expect(count).toBe(0),
  )
  await give(alice, 'paste', [pdf('a.pdf', 10)])
  await alice.page.getByText('You can send files when they reply.').waitFor()
})

test('a pasted picture is sent by Enter; text that comes with one is pasted; a drop shows where it goes', async () => {
  const t = await talking()
  const small = await photo('image.jpg', 60, 40)
  expect(await give(t.alice, 'paste', [small], 'a text')).toBe(true)
  expect(await give(t.alice, 'paste', [small])).toBe(false)
  await field(t.alice).press('Enter')
  await t.bob.page
    .getByRole('log')
    .getByRole('button', { name: /^Photo/ })
    .waitFor()
  await give(t.alice, 'dragover', [small])
  await t.alice.page.getByText('Drop to send to').waitFor()
  expect(await give(t.alice, 'drop', [pdf('dropped.pdf', 900)])).toBe(false)
  await t.alice.page.getByRole('button', { name: 'Remove dropped.pdf' }).waitFor()
  expect(await t.alice.page.getByText('Drop to send to').count()).toBe(0)
  // What is chosen stays there while its sender looks at another page.
  await visit(t.alice, '/settings')
  await visit(t.alice, `/dm/${t.bob.address}`)
  await t.alice.page.getByRole('button', { name: 'Remove dropped.pdf' }).click()
  await t.alice.page.getByText('dropped.pdf removed, none left').waitFor({ state: 'detached' })
  expect(await t.alice.page.getByRole('region', { name: /^Attachments/ }).count()).toBe(0)
  expect(t.alice.complaints).toEqual([])
})
