// Linking Telegram in the settings, up to a Bot API of these tests.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { pollOnce } from '../../server/src/features/notifications/telegram-poll.ts'
import { freePort } from '../../testing/service/ports.ts'
import { useService } from '../../testing/service/service.ts'
import { botToken, startTelegram } from '../../testing/outside/telegram-api.ts'
import { codeOf } from '../../testing/people/telegram-people.ts'
import { faults } from './axe.ts'
import { arrive, eventually, openPerson } from './person.ts'

let telegram: Awaited<ReturnType<typeof startTelegram>>
let url: string
let port: number
beforeAll(async () => {
  telegram = await startTelegram()
  port = await freePort()
})
afterAll(() => telegram[Symbol.asyncDispose]())
const service = useService(() => ({
  port,
  publicUrl: `http://127.0.0.1:${port}`,
  allowedDomains: [`127.0.0.1:${port}`],
  telegramBotToken: botToken,
  telegramApiUrl: telegram.url,
}))
const other = useService()
const silent = useService({ telegramBotToken: botToken, telegramApiUrl: 'http://127.0.0.1:9' })
beforeAll(async () => void (url = await service.listen()))

const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth

test('a person links Telegram by a link, sees the state, and unlinks it', async () => {
  await using alice = await openPerson(url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, complaints } = alice
  await arrive(alice, '/settings/notifications')
  // The choices hold for Telegram too, so they are there without pushes.
  await page.getByRole('switch', { name: 'Requests' }).waitFor()
  await page.getByRole('button', { name: 'Link Telegram' }).click()
  const link = page.getByRole('link', { name: 'Open Telegram' })
  const href = (await link.getAttribute('href'))!
  expect(href).toMatch(/^https:\/\/t\.me\/parley_test_bot\?start=[\w-]{32}$/)
  expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
    '_blank',
    'noreferrer',
  ])
  await page.getByText(href).waitFor()
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(href)
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(isTooWide)).toBe(false)

  const name = 'A very long name of somebody who is called so in Telegram'
  telegram.write({ id: 77, first_name: name }, `/start ${codeOf(href)}`)
  await pollOnce(service.ctx, new AbortController().signal, 0)
  // Without a reload: the page looks by itself.
  await link.waitFor({ state: 'detached' })
  await page.getByText(name).first().waitFor()
  expect(await page.evaluate(isTooWide)).toBe(false)
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 1200, height: 760 })
  await page.getByRole('button', { name: 'Unlink Telegram' }).click()
  await page.getByRole('button', { name: 'Link Telegram' }).waitFor()
  const asAlice = await service.as(alice.address)
  await eventually(
    () => asAlice.getTelegramLink(),
    (state) => expect(state).toEqual({ linked: false }),
  )
  expect(complaints).toEqual([])
})

test('without a bot there is no card; where Telegram does not answer it is said', async () => {
  await using bob = await openPerson(await other.listen())
  await arrive(bob, '/settings/notifications')
  await bob.page.getByRole('heading', { name: 'Notifications on your devices' }).waitFor()
  expect(await bob.page.getByRole('heading', { name: 'Telegram' }).count()).toBe(0)

  await using carol = await openPerson(await silent.listen())
  await arrive(carol, '/settings/notifications')
  await carol.page.getByRole('button', { name: 'Link Telegram' }).click()
  await carol.page.getByText('Telegram does not answer').waitFor()
})
