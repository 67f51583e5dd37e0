// Edits and reactions are sent once and in their turn, whatever connection, tab or service comes and goes.

import { expect, test } from 'vitest'
import { bubble, eventually, openConversation, type Person, say } from './person.ts'
import { useSite } from './site.ts'
import { choose, edit, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const pill = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true })

test('an edit and a reaction without a connection are shown, outlive a reload in another tab, and arrive in order', async () => {
  const t = await talking()
  const second = await t.alice.context.newPage()
  await second.goto(`/dm/${t.bob.address}`)
  const tab = { ...t.alice, page: second }
  await bubble(tab, 'from Alice').waitFor()
  await t.alice.context.route('**/v1/{messages,reactions,create_chatitem}**', (route) => route.abort())
  await t.alice.context.route('**/v1/{messages,reactions}/*', (route) => route.abort())
  await say(t.alice, 'written first')
  await edit(t.alice, 'from Alice', 'edited offline')
  await choose(t.alice, 'from Bob', 'React with party popper')
  await choose(t.alice, 'from Bob', 'React with red heart')
  await pill(t.alice, 'party popper, 1, you reacted').click()
  // Both tabs show it, and one of them is closed before there is a connection.
  for (const one of [t.alice, tab]) {
    await bubble(one, 'edited offline').waitFor()
    await pill(one, 'red heart, 1, you reacted').waitFor()
    expect(await bubble(one, 'from Alice').count()).toBe(0)
  }
  expect(await t.stored(t.bob)).toEqual(['from Alice', 'from Bob'])
  await t.alice.page.close()
  await t.alice.context.unrouteAll({ behavior: 'ignoreErrors' })
  await second.reload()
  for (const one of [tab, t.bob]) {
    await bubble(one, 'edited offline').waitFor()
    await pill(one, one === tab ? 'red heart, 1, you reacted' : 'red heart, 1').waitFor()
    expect(await pill(one, 'party popper, 1').count()).toBe(0)
  }
  await eventually(
    () => t.stored(t.bob),
    (texts) => expect(texts).toEqual(['edited offline', 'from Bob', 'written first']),
  )
  expect(await second.evaluate(() => Object.keys(localStorage).join())).not.toContain('parley.outbox')
})

test('an edit whose response was lost is one edit', async () => {
  const t = await talking()
  let isLost = true
  await t.alice.page.route('**/v1/messages/*', async (route) => {
    if (!isLost) return route.continue()
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await edit(t.alice, 'from Alice', 'once')
  await t.alice.page.getByRole('log').getByRole('img', { name: 'Waiting for a connection' }).waitFor()
  await t.alice.page
    .getByRole('log')
    .getByRole('img', { name: /Sent|Read/ })
    .first()
    .waitFor()
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const [first] = await (await site.service.as(t.alice.address)).listConversation(pair)
  expect(first).toMatchObject({ message: 'once', revision: 1 })
  expect(await field(t.alice).inputValue()).toBe('')
  await bubble(t.alice, 'once').waitFor()
})

test('an edit that waited while another device edited comes back to its writer with both texts, also after a reload', async () => {
  const t = await talking()
  await field(t.alice).fill('a draft')
  await t.alice.page.route('**/v1/messages/*', (route) => route.abort())
  await edit(t.alice, 'from Alice', 'from a laptop')
  await bubble(t.alice, 'from a laptop').waitFor()
  const asAlice = await site.service.as(t.alice.address)
  const pair = { fromaddr: t.alice.address, toaddr: t.bob.address }
  const [first] = await asAlice.listConversation(pair)
  await asAlice.editMessage({ id: first!.id, body: { message: 'from a phone', revision: 0 } })
  await t.alice.page.goto('/settings/account')
  await t.alice.page.unroute('**/v1/messages/*')
  await eventually(
    () =>
      t.alice.page.evaluate(() =>
        Object.entries(localStorage)
          .filter(([key]) => key.startsWith('parley.outbox'))
          .map(([, value]) => (JSON.parse(value as string) as { state: string }).state),
      ),
    (states) => expect(states).toEqual(['failed']),
  )
  await openConversation(t.alice, t.bob)
  await t.alice.page.getByText('This message was edited on another device.').waitFor()
  await bubble(t.alice, 'from a phone').waitFor()
  await eventually(
    () => field(t.alice).inputValue(),
    (text) => expect(text).toBe('from a laptop'),
  )
  expect(await t.stored(t.bob)).toEqual(['from a phone', 'from Bob'])
  await field(t.alice).press('Enter')
  await bubble(t.bob, 'from a laptop').waitFor()
  await eventually(
    () => field(t.alice).inputValue(),
    (text) => expect(text).toBe('a draft'),
  )
})
