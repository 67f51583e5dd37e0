import { afterAll, expect, onTestFailed } from 'vitest'
import { newName } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, eventually, openPerson, type Person, say, visit } from './person.ts'
import type { useSite } from './site.ts'

/** Two people with a conversation of two messages, open at both. */
export async function talk(site: ReturnType<typeof useSite>) {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url)]
  await acquaint(site.service, alice, bob)
  await arrive(alice, `/dm/${bob.address}`)
  await arrive(bob, `/dm/${alice.address}`)
  await greet(alice, bob)
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

export async function greet(alice: Person, bob: Person): Promise<void> {
  await say(alice, 'from Alice')
  await bubble(bob, 'from Alice').waitFor()
  await say(bob, 'from Bob')
  await bubble(alice, 'from Bob').waitFor()
}

/** Where a page is, who is signed in there, and what it keeps in its browser. */
const placeOf = ({ page }: Person) =>
  page.evaluate(() => {
    // Every conversation that is opened leaves that its offer was seen.
    const kept = Object.keys(localStorage).filter((name) => !name.startsWith('parley.encryption-offer-seen'))
    return [location.origin, localStorage.getItem('parley.accounts'), ...kept.toSorted()].join(' ')
  })

/** What is kept from one test to the next, and ends with the last one. */
function useShared<T extends AsyncDisposable>(
  peopleOf: (shared: T) => Person[],
  begin: () => Promise<T>,
  beginAgain: (shared: T) => Promise<void>,
): () => Promise<T> {
  let kept: { shared: T; places: string } | undefined
  const places = async (shared: T) => (await Promise.all(peopleOf(shared).map(placeOf))).join('\n')
  const end = async () => {
    const before = kept
    kept = undefined
    await before?.shared[Symbol.asyncDispose]()
  }
  afterAll(end)
  return async () => {
    onTestFailed(end)
    if (kept && (await places(kept.shared).catch(() => '')) !== kept.places) await end()
    if (kept) {
      const { shared } = kept
      for (const person of peopleOf(shared)) await tidy(person)
      await beginAgain(shared)
      return shared
    }
    const shared = await begin()
    kept = { shared, places: await places(shared) }
    return shared
  }
}

/**
 * The same as {@link talk} for tests that run one after another: they have the same people, because a page that opens
 * costs more than most tests. Each test begins with a conversation of two messages. Other people come after a test that failed,
 * or that left a page elsewhere, signed out, or with something new in its browser.
 */
export const useTalk = (site: ReturnType<typeof useSite>) =>
  shareTalk(site, () => talk(site), /^Say hello to/)

/** The same for a conversation of another kind: `begin` opens it, and it can be written in when its page has the text `ready`. */
export function shareTalk<T extends AsyncDisposable & { alice: Person; bob: Person }>(
  site: ReturnType<typeof useSite>,
  begin: () => Promise<T>,
  ready: RegExp,
): () => Promise<T> {
  return useShared(
    ({ alice, bob }) => [alice, bob],
    begin,
    async ({ alice, bob }) => {
      const pairs: [Person, Person][] = [
        [alice, bob],
        [bob, alice],
      ]
      for (const [one, other] of pairs)
        await (await site.service.as(one.address)).hideConversation({ toaddr: other.address })
      for (const [one, other] of pairs) {
        await visit(one, `/dm/${other.address}`)
        await one.page.getByText(ready).waitFor()
      }
      for (const { complaints } of [alice, bob]) complaints.length = 0
      await greet(alice, bob)
    },
  )
}

/** One person for tests that run one after another, as {@link useTalk} has two. Each test has other wallets to write to. */
export function usePerson(site: ReturnType<typeof useSite>): () => Promise<Person> {
  return useShared(
    (person) => [person],
    async () => {
      const person = await openPerson(site.url)
      await arrive(person)
      return person
    },
    async ({ complaints }) => void (complaints.length = 0),
  )
}

/** Undoes what a test has set in a browser, and leaves the page of the test. */
async function tidy(person: Person): Promise<void> {
  const { page, context } = person
  for (const tab of context.pages()) if (tab !== page) await tab.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await page.mouse.move(0, 0)
  // A dialog would stay open.
  await page.keyboard.press('Escape')
  await visit(person, '/')
}

/** A community of the first of these wallets, which all of them have joined. Returns its name and the client of its owner. */
export async function newTown(
  site: ReturnType<typeof useSite>,
  ...people: [{ address: string }, ...{ address: string }[]]
) {
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
