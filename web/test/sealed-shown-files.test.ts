// Encrypted files as a conversation shows them: opened here, and not at all where they were changed on their way.

import { test } from 'vitest'
import type { Route } from 'playwright-core'
import { picture, saySealed, sealAll } from './filing.ts'
import { eventually, type Person, visit } from './person.ts'
import { useSealedTalk } from './sealed-talk.ts'
import { useSite } from './site.ts'

const site = useSite()
const talking = useSealedTalk(site)

const inLog = ({ page }: Person) => page.getByRole('log')
const photo = (person: Person, name: string | RegExp) => inLog(person).getByRole('button', { name })

async function sendPicture(
  t: Awaited<ReturnType<typeof talking>>,
  text: string,
  damaged?: (route: Route) => Promise<void>,
) {
  const bytes = await picture(900, 600)
  const about = { name: 'secret.png', type: 'image/png', width: 900, height: 600, alt: 'the safe' }
  const attached = await sealAll(site, t.alice, t.bob, [{ ...about, bytes }])
  if (damaged) await t.bob.page.route(`**/v1/files/${attached[0]!.id}`, damaged)
  await saySealed(
    t.alice,
    t.bob.address,
    text,
    attached,
    attached.map(({ id }) => id),
  )
  return { bytes, attached }
}

test('an encrypted picture is opened and shown, and the service has neither its name nor its pixels', async ({
  expect,
}) => {
  const t = await talking()
  const { attached } = await sendPicture(t, 'for you')
  await photo(t.bob, /^Photo from .*, described: the safe$/).waitFor()
  await inLog(t.bob).getByText('for you', { exact: true }).waitFor()
  await eventually(
    () =>
      inLog(t.bob)
        .locator('img')
        .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
    (widths) => expect(widths).toContain(900),
  )
  const seen = await t.seenByService()
  expect(seen).not.toContain('secret.png')
  expect(seen).not.toContain(attached[0]!.key)
  expect([...t.alice.complaints, ...t.bob.complaints].filter((one) => !one.includes('ERR_FAILED'))).toEqual(
    [],
  )
})

test('a changed byte opens nothing, and a file that is gone says so', async ({ expect }) => {
  const t = await talking()
  await sendPicture(t, 'changed', async (route) => {
    const answer = await route.fetch()
    const body = await answer.body()
    body[body.length - 20]! ^= 1
    await route.fulfill({ response: answer, body })
  })
  await inLog(t.bob).getByText('This file was changed on its way and was not opened.').waitFor()
  expect(await inLog(t.bob).locator('img').count()).toBe(0)
  expect(await inLog(t.bob).getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await sendPicture(t, 'gone', (route) =>
    route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{"code":"not_found"}' }),
  )
  await inLog(t.bob).getByText('No longer stored here.').waitFor()
  await sendPicture(t, 'away', (route) => route.abort())
  await inLog(t.bob)
    .getByText(/^Can’t reach /)
    .waitFor()
  await t.bob.page.unrouteAll()
  await inLog(t.bob).getByRole('button', { name: 'Try again' }).click()
  await photo(t.bob, /described: the safe/).waitFor()
})

test('a file whose key is in no message is one line, and one that the service does not have is not shown', async ({
  expect,
}) => {
  const t = await talking()
  const bytes = await picture(90, 60)
  const [file] = await sealAll(site, t.alice, t.bob, [{ name: 'a.png', type: 'image/png', bytes }])
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const asAlice = await site.service.as(t.alice.address)
  await asAlice.sendDirectMessage({ body: { ...pair, message: 'in the clear', files: [file!.id] } })
  await inLog(t.bob).getByText('1 file can’t be read').waitFor()
  expect(await photo(t.bob, /^Photo/).count()).toBe(0)
  // One that the service does not have with the message is not shown.
  const [other] = await sealAll(site, t.alice, t.bob, [{ name: 'b.png', type: 'image/png', bytes }])
  await saySealed(t.alice, t.bob.address, 'no such file', [other])
  await inLog(t.bob).getByText('no such file').waitFor()
  expect(await photo(t.bob, /^Photo/).count()).toBe(0)
  await visit(t.bob, '/settings')
})
