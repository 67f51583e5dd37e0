import { expect } from 'vitest'
import { newName } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, eventually, openPerson, type Person, say } from './person.ts'
import type { useSite } from './site.ts'

/** Two people with a conversation of two messages, open at both. */
export async function talk(site: ReturnType<typeof useSite>) {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await acquaint(site.service, alice, bob)
  await arrive(alice, `/dm/${bob.address}`)
  await arrive(bob, `/dm/${alice.address}`)
  await say(alice, 'from Alice')
  await bubble(bob, 'from Alice').waitFor()
  await say(bob, 'from Bob')
  await bubble(alice, 'from Bob').waitFor()
  return {
    alice,
    bob,
    stored: async (person: Person) => {
      const pair = { fromaddr: alice.address, toaddr: bob.address }
      const items = await (await site.service.as(person.address)).listConversation(pair)
      return items.map(({ message }) => message)
    },
    [Symbol.asyncDispose]: async () => {
      await alice[Symbol.asyncDispose]()
      await bob[Symbol.asyncDispose]()
    },
  }
}

/** A community of the first of these people, which all of them have joined. Returns its name and the client of its owner. */
export async function newTown(site: ReturnType<typeof useSite>, ...people: [Person, ...Person[]]) {
  const town = newName('town')
  const asOwner = await site.service.as(people[0].address)
  await asOwner.createCommunity({ body: { community: town } })
  for (const { address } of people)
    await (await site.service.as(address)).joinChat({ body: { walletaddr: address, nftaddr: town } })
  return { town, asOwner }
}

/** Chooses an item of the menu of a message. */
export async function choose({ page }: Person, text: string, item: string | RegExp): Promise<void> {
  await page.getByRole('article').filter({ hasText: text }).first().hover()
  await page.getByRole('button', { name: new RegExp(`^Message options: .*${text}`) }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Edits a message: its text in the field is replaced by another one. */
export async function edit(person: Person, from: string, to: string): Promise<void> {
  await choose(person, from, 'Edit')
  const field = person.page.getByRole('textbox', { name: /^Message / })
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe(from),
  )
  await field.fill(to)
  await field.press('Enter')
}

/** Returns what a search has marked in the messages on the page. */
export const marked = ({ page }: Person) =>
  page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => (range as Range).toString()))
