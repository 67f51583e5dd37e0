// The strip of pinned messages, and the lines between messages that say who has pinned one.

import { test } from 'vitest'
import { newName } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { acquaint, arrive, bubble, eventually, openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { newTown, talk } from './talking.ts'

const site = useSite()

const strip = ({ page }: Person) => page.getByRole('region', { name: 'Pinned messages' })
const line = ({ page }: Person, who: string | RegExp = /pinned a message$/) =>
  page.getByRole('log').getByRole('button', { name: who })
const focused = ({ page }: Person) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** What is in the list from top to bottom, of these texts. */
const orderOf = ({ page }: Person, texts: RegExp) =>
  page.getByRole('log').evaluate(
    (log, pattern) =>
      [...log.querySelectorAll('p, div[dir=auto], [role=separator]')]
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
        .flatMap((text) => new RegExp(pattern).exec(text)?.[0] ?? []),
    texts.source,
  )

/** A conversation of many messages, of which Alice has sent all. */
async function long(count: number) {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice.address)
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const body = { fromaddr: alice.address, toaddr: bob.address, message: `line ${n}` }
    ids.push((await asAlice.sendDirectMessage({ body }))[0]!.id)
  }
  const asBob = await site.service.as(bob.address)
  await asBob.markReadTo({ addr: alice.address, body: { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' } })
  return {
    alice,
    bob,
    asAlice,
    asBob,
    ids,
    [Symbol.asyncDispose]: async () => {
      await alice[Symbol.asyncDispose]()
      await bob[Symbol.asyncDispose]()
    },
  }
}

test.concurrent('the strip shows one pin after the other with its place among them, and hides until the next pin', async ({
  expect,
}) => {
  await using t = await long(12)
  for (const id of t.ids.slice(0, 9)) await t.asAlice.pinMessage({ id })
  await arrive(t.bob, `/dm/${t.alice.address}`)
  const button = (name: string) => strip(t.bob).getByRole('button', { name, exact: true })
  await button('Pinned, 1 of 9: line 8. Go to message').click()
  await eventually(
    () => focused(t.bob),
    (text) => expect(text).toContain('line 8'),
  )
  await button('Pinned, 2 of 9: line 7. Go to message').waitFor()
  const segments = await strip(t.bob)
    .locator('[data-segment]')
    .evaluateAll((all) =>
      all.map((one) => ({
        height: one.getBoundingClientRect().height,
        isPresent: (one as HTMLElement).dataset['segment'] === 'present',
      })),
    )
  expect(segments).toHaveLength(7)
  expect(segments.filter(({ isPresent }) => isPresent)).toHaveLength(1)
  for (const { height } of segments) expect(height).toBeGreaterThanOrEqual(3)
  expect((await strip(t.bob).boundingBox())!.height).toBeCloseTo(45, 0)
  expect(await faults(t.bob.page)).toEqual([])
  // After the oldest one comes the newest again.
  for (let n = 7; n >= 0; n--) await button(`Pinned, ${9 - n} of 9: line ${n}. Go to message`).click()
  await button('Pinned, 1 of 9: line 8. Go to message').click()
  // A new one is shown first.
  await t.asAlice.pinMessage({ id: t.ids[9]! })
  await button('Pinned, 1 of 10: line 9. Go to message').waitFor()
  await button('Hide pinned messages until the next pin').click()
  await strip(t.bob).waitFor({ state: 'detached' })
  await t.asAlice.pinMessage({ id: t.ids[10]! })
  await button('Pinned, 1 of 11: line 10. Go to message').waitFor()
  expect(t.bob.complaints).toEqual([])
})

test.concurrent('a line says who pinned a message, at the end for a reader who is there; it goes to the message far above, and back', async ({
  expect,
}) => {
  await using t = await long(180)
  await arrive(t.alice, `/dm/${t.bob.address}`)
  await arrive(t.bob, `/dm/${t.alice.address}`)
  for (const one of [t.alice, t.bob]) await bubble(one, 'line 179').waitFor()
  // Earlier messages are still being read.
  await t.bob.page.waitForTimeout(1500)
  const asked: string[] = []
  t.bob.page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/')[2]!))
  await t.asAlice.pinMessage({ id: t.ids[0]! })
  await line(t.alice, 'You pinned a message').waitFor()
  const ofAlice = new RegExp(`^${t.alice.address.slice(0, 4)}.* pinned a message$`)
  await line(t.bob, ofAlice).waitFor()
  // The strip reads its pins, and the reader's own picture may come late; the line reads nothing.
  const others = asked.filter((path) => !['conversations', 'conversation_pins', 'picture'].includes(path))
  expect(others).toEqual([])
  const isInView = async (person: Person) => {
    const [box, log] = [await line(person).boundingBox(), await person.page.getByRole('log').boundingBox()]
    return box!.y >= log!.y && box!.y + box!.height <= log!.y + log!.height
  }
  for (const one of [t.alice, t.bob])
    await eventually(
      () => isInView(one),
      (is) => expect(is).toBe(true),
    )
  await line(t.bob).click()
  await eventually(
    () => focused(t.bob),
    (text) => expect(text).toContain('line 0'),
  )
  await t.bob.page.getByRole('button', { name: /^To the newest/ }).click()
  await bubble(t.bob, 'line 179').waitFor()
  await line(t.bob).waitFor()
  expect(await faults(t.bob.page, { within: '[role=log]' })).toEqual([])
  await t.asAlice.unpinMessage({ id: t.ids[0]! })
  for (const one of [t.alice, t.bob]) await line(one).waitFor({ state: 'detached' })
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test.concurrent('a line stands below the heading of its own day, and above what is new', async ({
  expect,
}) => {
  await using t = await long(2)
  const day = 24 * 3_600_000
  const run = (sql: string, values: unknown[]) => site.service.ctx.db.query(sql, values)
  await t.asAlice.pinMessage({ id: t.ids[0]! })
  await t.asAlice.pinMessage({ id: t.ids[1]! })
  // Two old messages, and a pin on the day after each of them.
  for (const [n, ago] of [10, 6].entries()) {
    await run('update direct_messages set ms = ms - $2::bigint where id = $1', [t.ids[n], ago * day])
    await run('update pins set ms = ms - $2::bigint where item_id = $1', [t.ids[n], (ago - 1) * day])
  }
  const body = { fromaddr: t.alice.address, toaddr: t.bob.address, message: 'line 2' }
  await t.asAlice.sendDirectMessage({ body })
  await arrive(t.bob, `/dm/${t.alice.address}`)
  await bubble(t.bob, 'line 2').waitFor()
  await line(t.bob).nth(1).waitFor()
  const seen = await orderOf(
    t.bob,
    /line \d|pinned a message|1 new message|Today|^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|^\d+ \w+/,
  )
  expect(seen.map((text) => text.replace(/^(?!Today)(\w+day|\d+ \w+)$/, 'day'))).toEqual([
    'day',
    'line 0',
    'day',
    'pinned a message',
    'day',
    'line 1',
    'day',
    'pinned a message',
    'Today',
    '1 new message',
    'line 2',
  ])
  expect(new Set(seen.filter((text) => /day|^\d+ [A-Z]/.test(text))).size).toBe(5)
  expect(t.bob.complaints).toEqual([])
})

test.concurrent('in a community a line has the name of who has pinned, and none is of somebody whom one has blocked', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const { town, asOwner: asAlice } = await newTown(site, alice, bob)
  const name = newName('Alice')
  await asAlice.setName({ body: { address: alice.address, name } })
  const asBob = await site.service.as(bob.address)
  const post = async (message: string, as = asAlice, fromaddr = alice.address) =>
    (await as.postGroupMessage({ body: { fromaddr, nftaddr: town, message } }))[0]!
  const { id } = await post('the stalls open at eight')
  await asAlice.pinMessage({ id })
  await post('see you there', asBob, bob.address)
  await arrive(bob, `/c/${town}`)
  await line(bob, `${name} pinned a message`).click()
  await eventually(
    () => focused(bob),
    (text) => expect(text).toContain('the stalls open at eight'),
  )
  await asBob.setContact({ peer: alice.address, body: { state: 'blocked' } })
  await bob.page.reload()
  await bubble(bob, 'see you there').waitFor()
  await strip(bob).waitFor()
  expect(await line(bob).count()).toBe(0)
  expect(bob.complaints).toEqual([])
})

test.concurrent('in a conversation the other end reads who has pinned', async () => {
  await using t = await talk(site)
  const asBob = await site.service.as(t.bob.address)
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const [first] = await asBob.listConversation(pair)
  await asBob.pinMessage({ id: first!.id })
  await line(t.bob, 'You pinned a message').waitFor()
  await line(t.alice, new RegExp(`^${t.bob.address.slice(0, 4)}.* pinned a message$`)).waitFor()
})
