// A first read whose answer comes late: what has happened since it was made is shown all the same.

import type { Route } from 'playwright-core'
import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

/** Has the first answer of a path be made at once, and come when it is let go. */
async function holdAnswer({ page }: Person, path: string) {
  const made = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  let count = 0
  await page.route(path, async (route: Route) => {
    if (++count > 1) return route.continue()
    const response = await route.fetch()
    made.resolve()
    await letGo.promise
    return route.fulfill({ response })
  })
  return { made: made.promise, letGo: letGo.resolve }
}

/** The event stream of a page is open. */
const streamOpens = ({ page }: Person) =>
  page.waitForResponse((response) => response.url().includes('/v1/events'))

test.concurrent('a message that comes while its conversation is read for the first time is shown', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice)
  const send = (message: string) =>
    asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob.address, message } })
  await send('before')
  const answer = await holdAnswer(bob, '**/v1/getall_chatitems/**')
  const opened = streamOpens(bob)
  await arrive(bob, `/dm/${alice}`)
  await Promise.all([answer.made, opened])
  await send('meanwhile')
  // Its event has come: the row shows it.
  await bob.page.getByRole('link', { name: /meanwhile/ }).waitFor()
  answer.letGo()
  await bubble(bob, 'before').waitFor()
  await bubble(bob, 'meanwhile').waitFor()
  expect(bob.complaints).toEqual([])
})

test.concurrent('a message that comes while the inbox is read for the first time is in its row', async ({
  expect,
}) => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice)
  const send = (message: string) =>
    asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob.address, message } })
  await send('before')
  const answer = await holdAnswer(bob, '**/v1/get_inbox/**')
  const opened = streamOpens(bob)
  await arrive(bob, `/dm/${alice}`)
  await Promise.all([answer.made, opened, bubble(bob, 'before').waitFor()])
  await send('meanwhile')
  await bubble(bob, 'meanwhile').waitFor()
  // Longer than the inbox waits before it is read again.
  await bob.page.waitForTimeout(1000)
  answer.letGo()
  await bob.page.getByRole('link', { name: /meanwhile/ }).waitFor()
  expect(bob.complaints).toEqual([])
})
