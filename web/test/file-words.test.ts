// Where a message has one line, a word stands for its files: in the inbox, quotes and pins.

import { test } from 'vitest'
import { picture, sendFiles, sound } from './filing.ts'
import { useSite } from './site.ts'
import { talk } from './talking.ts'

const site = useSite()

test.concurrent('the inbox, a reply and a pin say "Photo" for a picture without a text, and the text where there is one', async ({
  expect,
}) => {
  await using t = await talk(site)
  const { page } = t.bob
  const inbox = page.getByRole('navigation').getByRole('link', { name: /Photo|Voice note|files|garden/ })
  const bytes = await picture(60, 40)
  const about = { bytes, width: 60, height: 40 }
  const first = await sendFiles(site, [t.alice, t.bob], [{ name: 'IMG_1.png', ...about }])
  await inbox.getByText('Photo', { exact: true }).waitFor()
  await sendFiles(site, [t.alice, t.bob], [{ name: 'v.wav', bytes: sound(1), duration: 1000, wave: 'AAAA' }])
  await inbox.getByText('Voice note', { exact: true }).waitFor()
  await sendFiles(
    site,
    [t.alice, t.bob],
    [
      { name: 'IMG_1.png', ...about },
      { name: 'plan.pdf', bytes },
    ],
  )
  await inbox.getByText('2 files', { exact: true }).waitFor()
  await sendFiles(site, [t.alice, t.bob], [{ name: 'IMG_1.png', ...about }], 'the garden')
  await inbox.getByText('the garden', { exact: true }).waitFor()
  const asAlice = await site.service.as(t.alice.address)
  await asAlice.pinMessage({ id: first })
  await page.getByRole('region', { name: 'Pinned messages' }).getByText('Photo', { exact: true }).waitFor()
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  await asAlice.sendDirectMessage({ body: { ...pair, message: 'see this one', reply_to: first } })
  const reply = page.getByRole('article', { name: /see this one/ })
  await reply.getByRole('button', { name: /In reply to .*Photo/ }).waitFor()
  expect(t.bob.complaints).toEqual([])
})
