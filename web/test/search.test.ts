// The search of all conversations: people, communities and messages, by words, beginnings of words, names of files and filters.

import { assert, test } from 'vitest'
import { newName } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { sendFiles } from './filing.ts'
import { bubble, eventually, hasFocus, type Person } from './person.ts'
import { useSite } from './site.ts'
import { marked, newTown, useTalk } from './talking.ts'

const site = useSite()
const talking = useTalk(site)

const field = ({ page }: Person) =>
  page.getByRole('combobox', { name: 'Search people, communities and messages' })
const found = ({ page }: Person) => page.getByRole('listbox', { name: 'Found' })
const messages = (person: Person) =>
  found(person).getByRole('group', { name: 'Messages' }).getByRole('option')

/** Goes to the field by its keys and types; its code may still be loading. */
async function search(person: Person, text: string): Promise<void> {
  await person.page.keyboard.press('Control+Shift+f')
  await field(person).waitFor()
  await field(person).fill(text)
}

const shows = (person: Person, count: number) =>
  eventually(
    () => messages(person).count(),
    (shown) => assert.equal(shown, count),
  )

type Talk = Awaited<ReturnType<typeof talking>>

/** Sends messages from Bob to Alice, and returns their ids. */
async function sendAll(t: Talk, texts: string[]): Promise<number[]> {
  const asBob = await site.service.as(t.bob.address)
  const ids: number[] = []
  for (const message of texts) {
    const body = { fromaddr: t.bob.address, toaddr: t.alice.address, message }
    ids.push((await asBob.sendDirectMessage({ body }))[0]!.id)
  }
  return ids
}

test('people and communities are found by their name, and by an address that is new here', async ({
  expect,
}) => {
  const t = await talking()
  const { alice, bob } = t
  const { town } = await newTown(site, alice, bob)
  const asAlice = await site.service.as(alice.address)
  await asAlice.setContact({ peer: bob.address, body: { alias: 'Basso Continuo' } })
  await search(alice, 'basso')
  await found(alice).getByRole('group', { name: 'People' }).getByText('Basso Continuo').waitFor()
  await field(alice).fill(town)
  await found(alice).getByRole('group', { name: 'Communities' }).getByText(town).click()
  await alice.page.getByRole('heading', { name: town, level: 1 }).waitFor()
  await search(alice, `0x${'ab'.repeat(20)}`)
  await found(alice)
    .getByText(/^Message 0xabab/)
    .waitFor()
  expect(alice.complaints).toEqual([])
})

test('the conversations and the field stay as they are while the code of the search arrives', async ({
  expect,
}) => {
  const t = await talking()
  const { page } = t.alice
  let arrive = (): void => {}
  const arrives = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(/SearchPane/, async (route) => {
    await arrives
    await route.continue()
  })
  // The field of the conversation comes while somebody types, and does not take the focus.
  let go = (): void => {}
  const goes = new Promise<void>((resolve) => (go = resolve))
  await page.route(/\/v1\/(getall_chatitems|contact)/, async (route) => {
    await goes
    await route.continue()
  })
  await page.reload()
  const row = await page.locator('#inbox-rows').getByRole('link').first().elementHandle()
  const plain = page.getByRole('searchbox', { name: 'Search people, communities and messages' })
  await plain.pressSequentially('la')
  go()
  await page.getByRole('textbox', { name: /^Message / }).waitFor()
  await page.keyboard.type('n')
  // Somebody goes back to correct a letter.
  await plain.press('ArrowLeft')
  const typing = await plain.elementHandle()
  arrive()
  await field(t.alice).waitFor()
  await page.keyboard.type('t')
  expect(await typing.inputValue()).toBe('latn')
  expect(await row.evaluate((element) => element.isConnected)).toBe(true)
  expect(t.alice.complaints).toEqual([])
})

test('filters are typed or chosen, are shown as chips, and are removed by Backspace', async ({ expect }) => {
  const t = await talking()
  const { alice, bob } = t
  const { page } = alice
  const { town } = await newTown(site, alice, bob)
  const asBob = await site.service.as(bob.address)
  await asBob.postGroupMessage({
    body: { fromaddr: bob.address, nftaddr: town, message: 'a lantern for the town' },
  })
  await sendAll(t, ['a lantern', 'a lantern at https://example.org/lantern'])
  const asAlice = await site.service.as(alice.address)
  await asAlice.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: bob.address, message: 'my lantern' },
  })
  const chip = (name: string) => page.getByRole('button', { name: `Remove the filter: ${name}` })
  await search(alice, 'lantern')
  await shows(alice, 4)
  await field(alice).fill('lantern from:me ')
  await chip('From me').waitFor()
  expect(await field(alice).inputValue()).toBe('lantern ')
  await shows(alice, 1)
  await chip('From me').click()
  await shows(alice, 4)
  await field(alice).fill(`in:${town} lantern`)
  await chip(`In ${town}`).waitFor()
  await shows(alice, 1)
  await messages(alice).getByText('a lantern for the town').waitFor()
  await chip(`In ${town}`).click()
  // The button lists what may follow, and the keyboard chooses it.
  await page.getByRole('button', { name: 'Has…' }).click()
  await found(alice).getByText('Has a link').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await chip('Has a link').waitFor()
  await shows(alice, 1)
  await field(alice).fill('')
  await shows(alice, 1)
  await page.keyboard.press('Backspace')
  await chip('Has a link').waitFor({ state: 'detached' })
  await field(alice).fill('lantern before:2020-01-01 ')
  await page.getByText('No messages with “lantern”').waitFor()
  // Nobody has this name: it stays a text.
  await field(alice).fill('lantern from:nobody-here ')
  expect(await page.getByRole('button', { name: /^Remove the filter: From/ }).count()).toBe(0)
  expect(await faults(page)).toEqual([])
  await field(alice).press('Escape')
  await page.getByRole('button', { name: /^Remove the filter/ }).waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test('more results come while one moves down, and a message that is deleted leaves them', async ({
  expect,
}) => {
  const t = await talking()
  const { alice } = t
  const ids = await sendAll(
    t,
    Array.from({ length: 45 }, (_, n) => `crate number ${n}`),
  )
  await search(alice, 'crate')
  await messages(alice).first().waitFor()
  expect(await messages(alice).count()).toBeLessThan(45)
  await alice.page.keyboard.press('End')
  await eventually(
    async () => {
      await alice.page.keyboard.press('End')
      return messages(alice).count()
    },
    (count) => expect(count).toBe(45),
  )
  await (await site.service.as(t.bob.address)).deleteDirectMessage({ id: ids[7]! })
  await shows(alice, 44)
  expect(await messages(alice).getByText('crate number 7', { exact: true }).count()).toBe(0)
  expect(alice.complaints).toEqual([])
})

test('a search that fails says why in words, and can be tried again', async ({ expect }) => {
  const t = await talking()
  const { alice } = t
  const { page } = alice
  const refuse = (status: number, code: string) =>
    page.route('**/v1/search', (route) =>
      route.fulfill({
        status,
        contentType: 'application/problem+json',
        json: { type: `/docs/errors#${code}`, title: code, status, code, detail: 'For programs.' },
      }),
    )
  await refuse(429, 'rate_limited')
  await search(alice, newName('word'))
  await page.getByText('You search faster than the service allows.').waitFor()
  await page.unroute('**/v1/search')
  await refuse(503, 'unavailable')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This search takes too long right now.').waitFor()
  await page.unroute('**/v1/search')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/^No messages with “word/).waitFor()
  await alice.context.setOffline(true)
  await field(alice).fill('from')
  await page.getByText('Searching what is on this device.').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await field(alice).fill('a b c d e f g h i')
  await page.getByText('Your search must have at most 8 words and phrases.').waitFor()
  expect(alice.complaints).toEqual([])
})

test('what was not searched is said, and is searched when one asks', async ({ expect }) => {
  const t = await talking()
  const { alice } = t
  const [id] = await sendAll(t, ['an older barrel'])
  const item = (
    await (
      await site.service.as(alice.address)
    ).listConversation({
      fromaddr: alice.address,
      toaddr: t.bob.address,
    })
  ).find((one) => one.id === id)!
  await alice.page.route('**/v1/search', (route) => {
    const { before } = route.request().postDataJSON() as { before?: number }
    return route.fulfill({
      json: before === 77 ? [{ item, marks: [[9, 15]] }] : [{ searched_to: 77, complete_to: item.timestamp }],
    })
  })
  await search(alice, 'barrel')
  await alice.page.getByText('Older messages are not searched yet.').waitFor()
  expect(await alice.page.getByText(/^No messages with/).count()).toBe(0)
  await alice.page.getByRole('button', { name: 'Search further' }).click()
  await messages(alice).getByText('an older barrel').waitFor()
  await alice.page.getByText(/^Some messages after .* may be missing for a moment\.$/).waitFor()
  expect(alice.complaints).toEqual([])
})

test('a message is found by a word, by the beginning of a word and by the name of a file; Enter goes to it', async ({
  expect,
}) => {
  const t = await talking()
  const { alice } = t
  await sendAll(t, ['the **invoice** of May', 'Café at nine'])
  await sendFiles(site, [t.bob, alice], [{ name: 'stall-plan.pdf', bytes: new Uint8Array(9) }])
  await bubble(alice, 'Café at nine').waitFor()
  await search(alice, 'cafe')
  await shows(alice, 1)
  await search(alice, 'invoi')
  await eventually(
    () => messages(alice).allInnerTexts(),
    ([text]) => expect(text).toMatch(/the invoice of May$/),
  )
  expect(await messages(alice).locator('mark').allInnerTexts()).toEqual(['invoice'])
  await alice.page.getByRole('status').getByText('1 result', { exact: true }).waitFor({ state: 'attached' })
  expect(await faults(alice.page)).toEqual([])
  await alice.page.keyboard.press('Enter')
  await hasFocus(alice, 'invoice of May')
  await eventually(
    () => marked(alice),
    (words) => expect(words).toEqual(['invoice']),
  )
  await search(alice, 'stall-pl')
  await messages(alice).getByText('stall-plan.pdf').waitFor()
  // What is searched for stands in no address and no entry of the browser's history.
  const traces = await alice.page.evaluate(() => [location.href, JSON.stringify(history.state)])
  expect(traces.join(' ')).not.toMatch(/invoi|stall/)
  expect(alice.complaints).toEqual([])
})

test('Escape clears the search, then shows the chats where they were; recent searches end with the session', async ({
  expect,
}) => {
  const t = await talking()
  const { alice } = t
  const { page } = alice
  const stored = () => page.evaluate(() => JSON.stringify(localStorage))
  const recent = found(alice).getByRole('group', { name: 'Recent searches' })
  await search(alice, 'from bo')
  await messages(alice).first().click()
  await hasFocus(alice, 'from Bob')
  await search(alice, 'another')
  await page.keyboard.press('Escape')
  expect(await field(alice).inputValue()).toBe('')
  await recent.getByText('from bo').waitFor()
  expect(await page.getByRole('tab', { name: 'Direct' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Direct' }).waitFor()
  expect(await found(alice).count()).toBe(0)
  await search(alice, '')
  await recent.getByText('from bo').click()
  await messages(alice).first().waitFor()
  await field(alice).fill('')
  await page.getByRole('button', { name: 'Clear' }).click()
  await recent.waitFor({ state: 'detached' })
  expect(await stored()).not.toContain('from bo')

  await search(alice, 'from bo')
  await messages(alice).first().click()
  await eventually(stored, (text) => expect(text).toContain('from bo'))
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  expect(await stored()).not.toContain('from bo')
  expect(alice.complaints).toEqual([])
})
