import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, openPerson, say } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test('a screen reader says who wrote each message, and the options of each have a name of their own', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const asBob = await site.service.as(bob)
  await asBob.setName({ body: { address: bob, name: 'Robert' } })
  const write = (message: string) =>
    asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message } })
  await write('gm')
  await write('Are you there?')
  await arrive(alice, `/dm/${bob}`)
  await say(alice, 'I am')
  const log = alice.page.getByRole('log')
  await log.getByRole('img', { name: 'Sent' }).waitFor()
  expect(await log.innerText()).toMatch(/Robert\s*:\s*gm[^]*Robert\s*:\s*Are you there\?[^]*You\s*:\s*I am/)
  const names = await log
    .getByRole('button', { name: 'Message options' })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  expect(new Set(names).size).toBe(3)
  // New ones are announced once, by a line of their own.
  expect(await log.getAttribute('aria-live')).toBe('off')
  await write('Good')
  await alice.page.getByRole('status').filter({ hasText: 'Robert: Good' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test('of several messages of one person the last one has the tail and shows the time; the others on demand', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const asBob = await site.service.as(bob)
  for (const message of ['first', 'second', 'third'])
    await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message } })
  await arrive(alice, `/dm/${bob}`)
  const times = alice.page.getByRole('log').locator('time')
  await alice.page.getByRole('log').getByText('third').waitFor()
  expect(await times.count()).toBe(3)
  const shown = () =>
    times.evaluateAll((all) => all.map((time) => getComputedStyle(time.parentElement!).opacity === '1'))
  expect(await shown()).toEqual([false, false, true])
  await alice.page.getByRole('log').getByText('first').hover()
  await expect.poll(shown).toEqual([true, false, true])
})

test('text of right-to-left scripts is in its order, in messages, while it is written and in the inbox', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const message = 'שלום Alice!'
  await (
    await site.service.as(bob)
  ).sendDirectMessage({
    body: { fromaddr: bob, toaddr: alice.address, message },
  })
  await arrive(alice, `/dm/${bob}`)
  const text = alice.page.getByRole('log').getByText(message, { exact: true })
  const direction = (element: Element) => getComputedStyle(element).direction
  expect(await text.evaluate(direction)).toBe('rtl')
  const preview = alice.page.getByRole('link', { name: new RegExp(message) }).getByText(message)
  expect(await preview.evaluate(direction)).toBe('rtl')
  const field = alice.page.getByRole('textbox', { name: /^Message / })
  expect(await field.evaluate(direction)).toBe('ltr')
  await field.fill('مرحبا')
  expect(await field.evaluate(direction)).toBe('rtl')
})
