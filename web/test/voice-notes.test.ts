// A voice note is recorded in the place of the field, and sent as a file.

import { expect, test } from 'vitest'
import { faults } from './axe.ts'
import { eventually, type Person } from './person.ts'
import { filesOf } from './sending.ts'
import { useSite } from './site.ts'
import { useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

/** Gives the page a microphone that hears a tone; the real one is not asked for. */
const giveMicrophone = ({ page }: Person) =>
  page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const tone = context.createOscillator()
      const heard = context.createMediaStreamDestination()
      tone.connect(heard)
      tone.start()
      return heard.stream
    }
  })

async function begin(person: Person): Promise<void> {
  await person.page.getByRole('button', { name: 'Add files' }).click()
  await person.page.getByRole('menuitem', { name: 'Voice note' }).click()
  await person.page.getByRole('group', { name: 'Voice note' }).waitFor()
}

test('a voice note is recorded, deleted, recorded again and sent with its length and waveform', async () => {
  const t = await talking()
  const { page } = t.alice
  await giveMicrophone(t.alice)
  await begin(t.alice)
  await page.getByText('Recording a voice note').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Delete the voice note' }).click()
  await page.getByRole('textbox', { name: /^Message / }).waitFor()
  await begin(t.alice)
  expect(await faults(page)).toEqual([])
  // A busy machine may be past the first second by now.
  await page.getByText(/^0:(0[1-9]|[1-5]\d)$/).waitFor()
  await page.getByRole('button', { name: 'Send the voice note' }).click()
  await t.bob.page
    .getByRole('log')
    .getByRole('group', { name: /^Voice note, 0:0/ })
    .waitFor()
  const items = await (
    await site.service.as(t.bob.address)
  ).listConversation({
    fromaddr: t.alice.address,
    toaddr: t.bob.address,
  })
  const [note] = filesOf(items)
  expect(note!.duration).toBeGreaterThan(900)
  expect(note!.duration).toBeLessThan(30_000)
  expect(Buffer.from(note!.wave!, 'base64url').some((value) => value > 200)).toBe(true)
  await page.getByRole('textbox', { name: /^Message / }).waitFor()
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('without a microphone the person reads why, and the field is back', async () => {
  const t = await talking()
  const { page } = t.alice
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('no', 'NotAllowedError')
    }
  })
  await page.getByRole('button', { name: 'Add files' }).click()
  await page.getByRole('menuitem', { name: 'Voice note' }).click()
  await page.getByText('Let this page use the microphone, then try again.').waitFor()
  await eventually(
    () => page.getByRole('textbox', { name: /^Message / }).isVisible(),
    (isShown) => expect(isShown).toBe(true),
  )
})
