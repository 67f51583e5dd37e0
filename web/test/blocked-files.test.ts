// The page of the console for blocked files, and the way there from a report.

import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { sha256, upload } from '../../testing/people/uploading.ts'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

async function openOperator(path: string, options?: Parameters<typeof openPerson>[1]) {
  const operator = await openPerson(site.url, options)
  await addOperator(site.service, operator.address)
  await arrive(operator)
  await visit(operator, path)
  return { operator, client: await site.service.as(operator.address) }
}

/** A message with a file, which its recipient has reported. */
async function reported(name: string) {
  const [mallory, alice] = [newWallet(), newWallet()]
  const [asMallory, asAlice] = [await site.service.as(mallory), await site.service.as(alice)]
  // A request has no files.
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: mallory, message: 'hello' } })
  const bytes = randomBytes(3000)
  const file = await upload(asMallory, { toaddr: alice, name }, bytes)
  const body = { fromaddr: mallory, toaddr: alice, message: name, files: [file.id] }
  const [sent] = await asMallory.sendDirectMessage({ body })
  const [report] = await asAlice.createReport({ body: { item_ids: [sent!.id], reason: 'illegal' } })
  return { asAlice, file: file.id, hash: sha256(bytes), report: report!.id }
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
const row = ({ page }: Person, hash: string) =>
  page.getByRole('list', { name: 'Blocked files' }).getByRole('listitem').filter({ hasText: hash })

test('an operator blocks a file from a report and unblocks it with a reason, all by keyboard', async () => {
  const { asAlice, file, hash, report } = await reported('plans.pdf')
  const { operator, client } = await openOperator(`/operator/reports/${report}`)
  await using _ = operator
  const { page, complaints } = operator
  await page.getByRole('list', { name: 'Files' }).getByText('plans.pdf').waitFor()
  expect(await faults(page), 'report').toEqual([])
  await page.getByRole('link', { name: 'Block this file: plans.pdf' }).press('Enter')
  const field = page.getByRole('textbox', { name: 'SHA-256 of the file' })
  await expect.poll(() => field.inputValue()).toBe(hash)
  await field.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Give a reason first.' }).waitFor()
  expect(await client.listBlockedFiles({}), 'not without a reason').toEqual([])
  await page.keyboard.type('Ordered by a court')
  expect(await faults(page), 'page').toEqual([])
  await page.getByRole('button', { name: 'Block', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Block this file?' })
  await dialog.getByText('nobody can bring it back').waitFor()
  expect(await faults(page, { screenOnly: true }), 'question').toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await client.listBlockedFiles({}), 'not without an answer').toEqual([])
  await page.getByRole('button', { name: 'Block', exact: true }).press('Enter')
  await dialog.waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('File blocked', { exact: true }).waitFor()
  await row(operator, hash).getByText('Ordered by a court').waitFor()
  await expect(asAlice.getFile({ file })).rejects.toMatchObject({ code: 'not_found' })
  expect(await field.inputValue()).toBe('')

  await page.getByRole('button', { name: `Unblock ${hash.slice(0, 8)}` }).press('Enter')
  const unblock = page.getByRole('dialog', { name: 'Unblock this file?' })
  await unblock.getByText(hash).waitFor()
  expect(await faults(page, { screenOnly: true }), 'unblock').toEqual([])
  await page.keyboard.type('The court took it back')
  await unblock.getByRole('button', { name: 'Unblock' }).press('Enter')
  await page.getByText('No file is blocked.').waitFor()
  expect(await client.listBlockedFiles({})).toEqual([])
  await page.getByRole('link', { name: 'Log', exact: true }).press('Enter')
  await page.getByText(`${hash}: The court took it back`).waitFor()
  await page.getByText(`${hash}: Ordered by a court`).waitFor()
  await page.getByText('Unblocked a file').waitFor()
  expect(complaints).toEqual([])
})

test('a hash is pasted on a phone; what is no hash is refused, and what is entered stays after a reload', async () => {
  const { operator, client } = await openOperator('/operator', {
    colorScheme: 'dark',
    viewport: { width: 360, height: 720 },
  })
  await using _ = operator
  const { page, complaints } = operator
  const hash = sha256(randomBytes(20))
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  const field = page.getByRole('textbox', { name: 'SHA-256 of the file' })
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await field.fill(hash.slice(1))
  await reason.fill('A copy of a shop')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByText('Enter 64 digits and letters from a to f.').waitFor()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill(` ${hash.toUpperCase()}\n`)
  await page.reload()
  await expect.poll(() => reason.inputValue()).toBe('A copy of a shop')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block this file' }).click()
  await row(operator, hash).getByText('A copy of a shop').waitFor()
  expect(await faults(page), 'phone').toEqual([])
  expect(await isTooWide(page)).toBe(false)
  await eventually(
    () => client.listBlockedFiles({}),
    (files) => expect(files).toMatchObject([{ sha256: hash, reason: 'A copy of a shop' }]),
  )
  // Another operator has unblocked it meanwhile.
  await client.unblockFile({ sha256: hash })
  await page.getByRole('button', { name: `Unblock ${hash.slice(0, 8)}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Unblock' }).click()
  await dialog.getByText('This file is not blocked.').waitFor()
  expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
})
