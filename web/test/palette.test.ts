import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, openPerson, type Person, arrive, visit } from './person.ts'
import { faults } from './axe.ts'
import { useSite } from './site.ts'

const site = useSite()

/** A person to whom others have written. */
async function withConversations(names: string[]): Promise<Person> {
  const alice = await openPerson(site.url)
  for (const name of names) {
    const address = newWallet()
    const client = await site.service.as(address)
    await client.setName({ body: { address, name } })
    await acquaint(site.service, alice, address)
    await client.sendDirectMessage({ body: { fromaddr: address, toaddr: alice.address, message: 'gm' } })
  }
  await arrive(alice)
  await alice.page.getByRole('link', { name: new RegExp(names[0]!) }).waitFor()
  return alice
}

/** Opens it and types; answers what the combobox has as its active option. */
async function type({ page }: Person, text: string) {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Go to' })
  await field.fill(text)
  return async () => {
    const id = await field.getAttribute('aria-activedescendant')
    return id && page.locator(`[id="${id}"]`).innerText()
  }
}

test('a conversation is opened by keys alone, and Escape leads back to where one was', async () => {
  await using alice = await withConversations(['Peregrine', 'Wagtail'])
  const { page } = alice
  const search = page.getByLabel('Search people, communities and messages')
  await search.focus()
  const active = await type(alice, 'wag')
  await expect.poll(active).toMatch(/^Wagtail/)
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' })
  expect(await search.evaluate((element) => element === document.activeElement)).toBe(true)
  await type(alice, 'wag')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Message Wagtail' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test('its keys are shown beside what they open, and not in the search of the inbox', async () => {
  await using alice = await withConversations(['Heron'])
  const { page } = alice
  expect(await page.getByRole('navigation').getByText('Ctrl K').count()).toBe(0)
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  const item = page.getByRole('menuitem', { name: 'Jump to…' })
  expect(await item.innerText()).toMatch(/Ctrl K$/)
  await item.click()
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  expect(alice.complaints).toEqual([])
})

test('arrows go round through conversations and what one can do', async () => {
  await using alice = await withConversations(['Kestrel'])
  const { page } = alice
  const active = await type(alice, '')
  await expect.poll(active).toMatch(/^Kestrel/)
  await page.keyboard.press('ArrowDown')
  await expect.poll(active).toMatch(/^New conversation/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect.poll(active).toMatch(/^Profile and settings/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('heading', { name: /settings/i })
    .first()
    .waitFor()
  await type(alice, 'new conv')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New conversation' }).waitFor()
})

test('it finds communities one has not joined, and writes to an address', async () => {
  await using alice = await withConversations(['Dunlin'])
  const { page } = alice
  await (await site.service.as(newWallet())).createCommunity({ body: { community: 'saltmarsh' } })
  const active = await type(alice, 'salt')
  await expect.poll(active).toMatch(/^saltmarsh/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'saltmarsh' }).waitFor()
  const peer = newWallet()
  const address = await type(alice, peer)
  await expect.poll(address).toMatch(/^Write to 0x/)
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/dm/${peer}`)
  const nothing = await type(alice, 'nothing is called this')
  await expect.poll(nothing).toMatch(/^Search messages for “nothing is called this”/)
  await page.getByRole('combobox', { name: 'Go to' }).fill('~')
  await page.getByText('No matches').waitFor()
  expect(await nothing()).toBe(null)
})

test.each(['light', 'dark'] as const)('axe finds nothing in it: %s', async (colorScheme) => {
  await using alice = await openPerson(site.url, { colorScheme, viewport: { width: 360, height: 640 } })
  await arrive(alice)
  await type(alice, '')
  await alice.page.getByRole('option').first().waitFor()
  expect(await faults(alice.page, { within: 'dialog', screenOnly: colorScheme === 'dark' })).toEqual([])
})

test('the title of the document says which page it is', async () => {
  await using bob = await openPerson(site.url)
  const titled = (title: RegExp | string) => expect.poll(() => bob.page.title()).toMatch(title)
  await bob.page.goto('/')
  await titled('Sign in · Parley')
  await arrive(bob)
  await titled('Chats · Parley')
  const contract = newWallet()
  for (const [path, title] of [
    ['/settings', /^Profile and settings · Parley$/],
    ['/communities/new', /^Create a community · Parley$/],
    [`/dm/${contract}`, /^0x\S{5,12} · Parley$/],
    [`/dm/${contract}?nft=${contract}&token=7`, /^0x\S{5,12} about 0x\S{5,12} #7 · Parley$/],
    [`/nft/${contract}`, /^0x\S{5,12} · Parley$/],
    [`/nft/${contract}/7`, /^Comments on 0x\S{5,12} #7 · Parley$/],
    ['/c/nowhere', /^nowhere · Parley$/],
    ['/nothing/here', /^Nothing here · Parley$/],
  ] as const) {
    await visit(bob, path)
    await titled(title)
  }
})
