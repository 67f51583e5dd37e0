// What the inbox says of a last message that has files only.

import { expect, test } from 'vitest'
import { upload } from '../../testing/people/uploading.ts'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test('the inbox says what a file is, also after a reload and for who has not opened the conversation', async () => {
  await using alice = await openPerson(site.url)
  const send = async (...files: { name: string; bytes?: string; duration?: number; wave?: string }[]) => {
    const friend = newWallet()
    await acquaint(site.service, alice, friend)
    const client = await site.service.as(friend)
    const ids: string[] = []
    for (const { bytes = 'of a file', ...about } of files)
      ids.push((await upload(client, { toaddr: alice.address, ...about }, Buffer.from(bytes))).id)
    const message = files.map(({ name }) => name).join(', ')
    await client.sendDirectMessage({ body: { fromaddr: friend, toaddr: alice.address, message, files: ids } })
  }
  await send({ name: 'garden.gif', bytes: 'GIF89a and more' })
  await send({ name: 'note.ogg', bytes: `OggS${' '.repeat(24)}OpusHead`, duration: 12_000, wave: 'AEB_QAA' })
  await send({ name: 'one.txt' }, { name: 'two.txt' })
  await send({ name: 'plans.pdf' })
  await arrive(alice)
  const { page, complaints } = alice
  for (const time of ['at first', 'after a reload']) {
    if (time !== 'at first') await page.reload()
    for (const word of ['Photo', 'Voice note', '2 files', 'plans.pdf'])
      await page.getByRole('tabpanel').getByText(word, { exact: true }).waitFor()
    for (const name of ['garden.gif', 'note.ogg', 'one.txt, two.txt'])
      expect(await page.getByText(name).count(), time).toBe(0)
  }
  expect(complaints).toEqual([])
})
