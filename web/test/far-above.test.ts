// Going to a message far above reads what is around it, and nothing between; scrolling down from there joins the end.

import { test } from 'vitest'
import { acquaint, arrive, bubble, eventually, openPerson, say } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test.concurrent('a quote of a message far above goes there and back with a few requests, and scrolling down joins the end', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice.address)
  const send = async (message: string, more = {}) =>
    (
      await asAlice.sendDirectMessage({
        body: { fromaddr: alice.address, toaddr: bob.address, message, ...more },
      })
    )[0]!
  const first = await send('the very first one')
  for (let n = 0; n < 600; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => send(`line ${n + i}`)))
  await send('about the first one', { reply_to: first.id })
  const asBob = await site.service.as(bob.address)
  await asBob.markReadTo({ addr: alice.address, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  await arrive(bob, `/dm/${alice.address}`)
  await bubble(bob, 'about the first one').waitFor()
  const lists: string[] = []
  bob.page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.searchParams.has('limit') && url.pathname.includes(alice.address)) lists.push(url.search)
  })
  await bob.page.getByRole('button', { name: /In reply to / }).click()
  await bubble(bob, 'the very first one').waitFor()
  await eventually(
    () => bob.page.evaluate(() => document.activeElement?.textContent ?? ''),
    (text) => expect(text).toContain('the very first one'),
  )
  expect(lists.length).toBeLessThan(5)
  // What arrives meanwhile does not move the reader; the way back leads to the reply.
  await send('meanwhile')
  await bob.page.getByRole('button', { name: /^Back to / }).click()
  await bubble(bob, 'meanwhile').waitFor()
  await bubble(bob, 'about the first one').waitFor()
  // From there down it reads page by page until it has joined the end.
  await bob.page.getByRole('button', { name: /In reply to / }).click()
  await bubble(bob, 'the very first one').first().waitFor()
  await eventually(
    async () => {
      await bob.page.getByRole('log').evaluate((log) => log.scrollBy(0, 3000))
      return bubble(bob, 'meanwhile').count()
    },
    (count) => expect(count).toBe(1),
  )
  // It is one history now: an edit of a message of the part shows, and what one sends is at its end.
  await say(bob, 'thanks')
  await bubble(bob, 'thanks').waitFor()
  await bob.page.getByRole('log').focus()
  await bob.page.keyboard.press('Home')
  await bubble(bob, 'the very first one').first().waitFor()
  await asAlice.editMessage({ id: first.id, body: { message: 'the first one of all', revision: 0 } })
  await bubble(bob, 'the first one of all').first().waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
