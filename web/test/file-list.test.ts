// The list of what was sent in a conversation: it walks back through the history.

import { test } from 'vitest'
import { faults } from './axe.ts'
import { picture, sendFiles } from './filing.ts'
import { acquaint, arrive, eventually, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test.concurrent('photos and files of a conversation are listed, also those far above, and lead to their message', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  const bytes = await picture(90, 60)
  const plan = new TextEncoder().encode('the plan')
  await sendFiles(site, [alice, bob], [{ name: 'plan.txt', bytes: plan }], 'the plan of March')
  const asAlice = await site.service.as(alice.address)
  for (let n = 0; n < 120; n++)
    await asAlice.sendDirectMessage({
      body: { fromaddr: alice.address, toaddr: bob.address, message: `line ${n}` },
    })
  await sendFiles(site, [alice, bob], [{ name: 'a.png', bytes, width: 90, height: 60, alt: 'a hill' }])
  await (
    await site.service.as(bob.address)
  ).markReadTo({
    addr: alice.address,
    body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' },
  })
  await arrive(bob, `/dm/${alice.address}`)
  const { page } = bob
  await page
    .getByRole('log')
    .getByRole('button', { name: /described: a hill/ })
    .waitFor()
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('menuitem', { name: 'Photos and files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Photos and files' })
  await dialog.getByRole('button', { name: /described: a hill/ }).waitFor()
  await dialog.getByRole('button', { name: /^Save plan\.txt/ }).waitFor()
  expect(await faults(page, { within: 'dialog' })).toEqual([])
  await dialog.getByRole('button', { name: /described: a hill/ }).click()
  await page.getByRole('dialog', { name: /^Photo 1 of 1/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: /^Photo 1/ }).waitFor({ state: 'detached' })
  await dialog.getByRole('list', { name: 'Files' }).getByRole('button', { name: /^0x/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('log').getByText('the plan of March').waitFor()
  await eventually(
    () => page.evaluate(() => document.activeElement?.textContent),
    (text) => expect(text).toContain('the plan of March'),
  )
  expect(bob.complaints).toEqual([])
})

test.concurrent('a conversation without files says so', async ({ expect }) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await (
    await site.service.as(alice.address)
  ).sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: bob.address, message: 'gm' },
  })
  await arrive(bob, `/dm/${alice.address}`)
  await bob.page.getByRole('log').getByText('gm').waitFor()
  await bob.page.getByRole('button', { name: 'Conversation options' }).click()
  await bob.page.getByRole('menuitem', { name: 'Photos and files' }).click()
  const dialog = bob.page.getByRole('dialog', { name: 'Photos and files' })
  await dialog.getByText('Nobody has sent any here.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Search further back' }).count()).toBe(0)
})
