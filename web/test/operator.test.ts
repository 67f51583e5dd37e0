// The console of operators, and what a wallet sees of what they do.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { eventually, openPerson, type Person, signIn, visit } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** An operator who is signed in. */
async function openOperator(options?: Parameters<typeof openPerson>[1]): Promise<Person> {
  const operator = await openPerson(site.url, options)
  await addOperator(site.service, operator.address)
  await signIn(operator)
  return operator
}

/** A message of a wallet that two others report. */
async function reported(text: string) {
  const [mallory, alice, bob] = [newWallet(), newWallet(), newWallet()]
  const [asMallory, asAlice, asBob] = await Promise.all(
    [mallory, alice, bob].map((one) => site.service.as(one)),
  )
  await asMallory!.setName({ body: { address: mallory, name: `Mallory ${mallory.slice(-4)}` } })
  const [sent] = await asMallory!.sendDirectMessage({
    body: { fromaddr: mallory, toaddr: alice, message: text },
  })
  const [report] = await asAlice!.createReport({
    body: { item_ids: [sent!.id], reason: 'scam', text: 'It says that it is my bank' },
  })
  await asBob!.createReport({ body: { peer: mallory, reason: 'spam' } })
  return { mallory, asMallory: asMallory!, asAlice: asAlice!, report: report!.id }
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('an operator works through a report by keyboard; one opening is one row of the log', async () => {
  const { mallory, asMallory, asAlice, report } = await reported('send me your seed')
  await using operator = await openOperator()
  const { page, complaints } = operator
  await page.getByRole('button', { name: 'Your wallets and settings', disabled: false }).press('Enter')
  await page.getByRole('menuitem', { name: 'Operators' }).press('Enter')
  await page.getByRole('heading', { name: 'Reports' }).waitFor()
  const row = page.getByRole('list', { name: 'Reports' }).getByRole('link', { name: 'Scam' })
  await row.waitFor()
  expect(await faults(page), 'queue').toEqual([])
  const isFocused = () => row.evaluate((element) => element === document.activeElement)
  for (const key of ['j', 'k', 'ArrowDown', 'ArrowUp', 'j', 'j', 'k']) {
    await page.keyboard.press(key)
    if (await isFocused()) break
  }
  expect(await isFocused()).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('send me your seed').waitFor()
  await page.getByText('Proven: the service has this message in the clear').waitFor()
  await page.getByText('It says that it is my bank').waitFor()
  await page.getByText('Other reports of this wallet: 1').waitFor()
  await page.getByText('No sanctions.').waitFor()
  expect(await faults(page), 'report').toEqual([])

  await page.keyboard.press('m')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').filter({ hasText: 'Give a reason first.' }).waitFor()
  expect(await asMallory.listSanctions(), 'not without a reason').toEqual([])
  await page.keyboard.type('Asked for a seed phrase')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Muted', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Reports', exact: true }).waitFor()
  await row.waitFor({ state: 'detached' })
  const [notice] = await asMallory.listNotices()
  expect(notice).toMatchObject({ action: 'mute', reason: 'Asked for a seed phrase' })
  expect(Date.parse(notice!.until!) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  expect(await asAlice.listOwnReports()).toMatchObject([{ id: report, status: 'closed' }])

  await page.getByRole('link', { name: 'Log', exact: true }).press('Enter')
  await page.getByText('npm run parley -- audit').waitFor()
  await page.getByText('Asked for a seed phrase').first().waitFor()
  // That the report was opened is part of the decision.
  await page.getByRole('listitem').filter({ hasText: 'Muted' }).getByText(', opened').waitFor()
  expect(await page.getByText('Opened a report').count()).toBe(0)
  expect(await faults(page), 'log').toEqual([])
  const rows = await (await site.service.as(operator.address)).listModerationLog({})
  expect(rows.filter(({ subject }) => subject === mallory).map(({ action }) => action)).toEqual([
    'mute',
    'view',
  ])
  expect(await page.getByText(rows[0]!.hash).count()).toBe(1)
  // Both reports were answered, and letters can be switched off.
  expect(rows[0]!.reports).toHaveLength(2)
  expect(complaints).toEqual([])
})

test('an old sign-in decides nothing: it is renewed by a signature, and a ban is asked about', async () => {
  const { mallory, asMallory } = await reported('buy this')
  await using operator = await openOperator({ colorScheme: 'dark', viewport: { width: 360, height: 720 } })
  const { page, complaints } = operator
  await site.service.ctx.db.query(
    'update sessions set created_ms = created_ms - 3600000 where walletaddr = $1',
    [operator.address],
  )
  await page.goto('/operator')
  await page.getByLabel('Address of a wallet').fill(mallory)
  await page.getByLabel('Address of a wallet').press('Enter')
  await page.getByText('Reports of this wallet: 2').waitFor()
  expect(await faults(page), 'wallet').toEqual([])
  expect(await isTooWide(page)).toBe(false)
  await page.getByRole('radio', { name: 'Ban' }).check({ force: true })
  await page.getByRole('radio', { name: 'Forever' }).check({ force: true })
  await page.getByRole('textbox', { name: 'Reason' }).fill('Again and again')
  const decide = async () => {
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban this wallet' }).click()
  }
  await decide()
  await page.getByText('You signed in more than an hour ago.').waitFor()
  expect(await asMallory.listSanctions()).toEqual([])
  expect(await faults(page), 'an old sign-in').toEqual([])
  await page.getByRole('button', { name: 'Sign in again' }).click()
  // What was asked goes on by itself.
  await page.getByText('Banned forever').first().waitFor()
  expect(operator.signed).toHaveLength(2)
  await eventually(
    () => asMallory.listSanctions(),
    (sanctions) => expect(sanctions).toEqual([{ kind: 'ban' }]),
  )
  const sessions = await (await site.service.as(operator.address)).listSessions({ address: operator.address })
  expect(sessions, 'the session of before has ended').toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a decision by keyboard opens the next report; a ban is confirmed by Enter, and can be taken back', async () => {
  const [first, second] = [await reported('win a prize here'), await reported('send me your keys')]
  await using operator = await openOperator()
  const { page, complaints } = operator
  await page.goto('/operator')
  const rows = page.getByRole('list', { name: 'Reports' }).getByRole('link', { name: 'Scam' })
  await rows.first().waitFor()
  await rows
    .first()
    .getByText(/^by 0x.* · 1 message$/)
    .waitFor()
  await rows.first().getByText('Weight').waitFor()
  await visit(operator, `/operator/reports/${first.report}`)
  await page.getByText('win a prize here').waitFor()
  const decide = page.getByRole('heading', { name: 'Decide' })
  const evidence = page.getByRole('heading', { name: 'Evidence: 1 message' })
  // Side by side, and in view without scrolling.
  const [left, right] = [(await evidence.boundingBox())!, (await decide.boundingBox())!]
  expect(right.x).toBeGreaterThan(left.x + 200)
  const button = page.getByRole('button', { name: 'Close', exact: true })
  expect((await button.boundingBox())!.y).toBeLessThan(760)
  await page.keyboard.press('2')
  const field = page.getByRole('textbox', { name: 'Reason' })
  expect(await field.inputValue()).toBe('You tried to get money, a seed phrase or a private key.')
  await field.press('Alt+1')
  expect(await field.inputValue()).toBe('You sent the same message to many people.')
  await page.getByRole('radio', { name: 'Ban' }).check({ force: true })
  await field.focus()
  await page.keyboard.press('Control+Enter')
  const yes = page.getByRole('dialog').getByRole('button', { name: 'Ban this wallet' })
  await yes.waitFor()
  expect(await yes.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Banned', { exact: true }).waitFor()
  // Both reports of the first wallet are answered; the next one is of another.
  await page.waitForURL(
    (url) => /\/operator\/reports\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${first.report}`),
  )
  await eventually(
    () => first.asMallory.listSanctions(),
    (sanctions) => expect(sanctions).toMatchObject([{ kind: 'ban' }]),
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(`**/operator/reports/${first.report}`)
  await eventually(
    () => first.asMallory.listSanctions(),
    (sanctions) => expect(sanctions).toEqual([]),
  )
  expect(await second.asMallory.listSanctions()).toEqual([])
  // A report that was decided can be decided about anew.
  await page.getByText('Closed', { exact: true }).waitFor()
  await page.locator('label').filter({ hasText: 'Warn' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Please stop')
  await page.keyboard.press('Control+Enter')
  await eventually(
    () => first.asMallory.listNotices(),
    (notices) => expect(notices).toMatchObject([{ action: 'warn' }, { action: 'lift' }, { action: 'ban' }]),
  )
  expect(complaints).toEqual([])
})

test('a wallet that is no operator is told so, and its menu does not lead there', async () => {
  await using alice = await openPerson(site.url)
  await signIn(alice, '/operator')
  await alice.page.getByText('You’re not an operator').waitFor()
  expect(await faults(alice.page)).toEqual([])
  await alice.page.getByRole('button', { name: 'Your wallets and settings', disabled: false }).click()
  await alice.page.getByRole('menuitem', { name: 'Profile and settings' }).waitFor()
  expect(await alice.page.getByRole('menuitem', { name: 'Operators' }).count()).toBe(0)
})

test('a muted wallet sees at once until when and why, and its appeal is in the queue until it is answered', async () => {
  await using mallory = await openPerson(site.url)
  const { page } = mallory
  await signIn(mallory)
  const operator = newWallet()
  await addOperator(site.service, operator)
  const asOperator = await site.service.as(operator)
  const act = (action: 'mute' | 'lift', reason: string, more: object = {}) =>
    asOperator.act({ body: { action, subject: mallory.address, reason, ...more } })
  await page.getByText('No conversations yet').waitFor()
  await act('mute', 'The same link to 40 people', { until: new Date(Date.now() + 86_400_000).toISOString() })
  const banner = page.getByText(/You can read but not post, until/)
  await banner.waitFor()
  await page.getByText('The same link to 40 people').waitFor()
  const asMallory = await site.service.as(mallory.address)
  await eventually(
    () => asMallory.listSanctions(),
    (sanctions) => expect(sanctions).toHaveLength(1),
  )
  await page.reload()
  await banner.waitFor()
  await page.getByRole('button', { name: 'Appeal' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('They are my guests')
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const [appeal] = await asOperator.listReports({ query: { subject: mallory.address } })
  expect(appeal).toMatchObject({ reason: 'appeal', reporter: mallory.address })
  expect((await asOperator.getReport({ id: appeal!.id }))[0]).toMatchObject({ text: 'They are my guests' })
  await act('lift', 'True, they are', { report_ids: [appeal!.id] })
  await banner.waitFor({ state: 'detached' })
  expect(mallory.complaints).toEqual([])
})

test('a queue of many reports is read in portions; what cannot be taken back is asked about', async () => {
  const { mallory, asMallory, report } = await reported('a link to nowhere')
  const reporters = Array.from({ length: 50 }, () => newWallet())
  for (const reporter of reporters)
    await (await site.service.as(reporter)).createReport({ body: { peer: newWallet(), reason: 'other' } })
  await using operator = await openOperator({ colorScheme: 'dark', viewport: { width: 360, height: 720 } })
  const { page } = operator
  await page.goto('/operator')
  await page.getByText('The 50 most credible reports; there are more.').waitFor()
  const rows = page.getByRole('list', { name: 'Reports' }).getByRole('link')
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/^\d+ reports, the most credible first/).waitFor()
  expect(await rows.count()).toBeGreaterThan(50)
  await visit(operator, `/operator/reports/${report}`)
  await page.locator('label').filter({ hasText: 'Remove message' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Leads to a copy of a shop')
  await page.getByRole('button', { name: 'Remove message' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Nobody can bring it back.').waitFor()
  expect(await faults(page, { screenOnly: true }), 'question').toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await asMallory.listNotices()).toEqual([])
  await page.getByRole('button', { name: 'Remove message' }).click()
  await dialog.getByRole('button', { name: 'Remove this message' }).click()
  await eventually(
    () => asMallory.listNotices(),
    (notices) => expect(notices).toMatchObject([{ action: 'remove_message' }]),
  )
  // The next report opens by itself.
  await page.waitForURL((url) => !url.pathname.endsWith(`/${report}`))
  await page.getByRole('heading', { name: 'Report: Something else' }).waitFor()
  // The chat of a contract is decided about where its address is looked up.
  await page.getByLabel('Address of a wallet').fill(mallory)
  await page.getByLabel('Address of a wallet').press('Enter')
  await page.getByRole('link', { name: 'decide about its NFT chat' }).click()
  await page.locator('label').filter({ hasText: 'Take down' }).waitFor()
  expect(operator.complaints).toEqual([])
})

test('the page of the status says what is well, what is not, and what was refused', async () => {
  // A test that is tried again finds the job of the first try.
  await site.service.ctx.db.query(
    `select 1 as queued from graphile_worker.add_job('send-mail', '{}'::json, run_at => now() - interval '1 hour', job_key => 'late')`,
  )
  await using operator = await openOperator()
  const { page, complaints } = operator
  await page.goto('/operator')
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await page.getByRole('heading', { name: 'Status' }).waitFor()
  const jobs = page.getByRole('listitem').filter({ hasText: 'Jobs' }).first()
  await jobs.getByRole('img', { name: 'Check' }).waitFor()
  await page.getByRole('row', { name: 'send-mail 1 0' }).waitFor()
  await page
    .getByRole('img', { name: /^answered: now [\d,]+ a minute, at most [\d,]+ a minute; refused/ })
    .waitFor()
  expect(await faults(page), 'status').toEqual([])
  await page.setViewportSize({ width: 360, height: 720 })
  expect(await isTooWide(page)).toBe(false)
  await site.service.ctx.db.query('delete from graphile_worker._private_jobs')
  await page.reload()
  await page.getByText('None.', { exact: true }).first().waitFor()
  expect(complaints).toEqual([])

  await using alice = await openPerson(site.url)
  await signIn(alice, '/status')
  await alice.page.getByText('You’re not an operator').waitFor()
})
