// Edits, reactions and pins in encrypted conversations: between two people, on a locked device, and against a service that
// goes back, moves and copies.

import { expect, test } from 'vitest'
import { arrive, bubble, eventually, openPerson, type Person } from './person.ts'
import { useSealedTalk } from './sealed-talk.ts'
import { useSite } from './site.ts'
import { choose, edit } from './talking.ts'

const site = useSite()
const talking = useSealedTalk(site)

const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const pill = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true })
const older = ({ page }: Person) => page.getByRole('log').getByText('The service shows an older version.')
/** What the browser remembers of the highest revisions and counts. */
const remembered = ({ page }: Person) =>
  page.evaluate(
    async () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('parley', 1)
        opening.addEventListener('success', () => {
          const keys = IDBKeyRange.bound('0x', '0y')
          const reading: IDBRequest<unknown[]> = opening.result
            .transaction('keys')
            .objectStore('keys')
            .getAll(keys)
          reading.addEventListener('success', () => {
            resolve(reading.result.filter(Array.isArray).map(String).join())
            opening.result.close()
          })
        })
      }),
  )
const run = (sql: string, values: unknown[]) => site.service.ctx.db.query(sql, values)

async function editShown(person: Person, from: string, to: string): Promise<void> {
  await edit(person, from, to)
  await bubble(person, to).first().waitFor()
}

test('a message in the clear becomes an encrypted one by its edit; an edited reply stays one', async () => {
  const t = await talking()
  const { address: fromaddr } = t.alice
  await (
    await site.service.as(fromaddr)
  ).sendDirectMessage({ body: { fromaddr, toaddr: t.bob.address, message: 'in the clear' } })
  await bubble(t.alice, 'in the clear').waitFor()
  await editShown(t.alice, 'in the clear', 'no longer')
  await bubble(t.bob, 'no longer').waitFor()
  const stored = await t.stored()
  expect(stored[2]!.x_access_conditions).toContain('parley-hpke-2')
  expect(await t.seenByService()).not.toContain('no longer')
  await t.bob.page.getByRole('button', { name: 'edited' }).first().click()
  await t.bob.page.getByRole('dialog').getByText('not encrypted').waitFor()
  await t.bob.page.keyboard.press('Escape')
  await choose(t.bob, 'from Alice', 'Reply')
  await field(t.bob).fill('a reply')
  await field(t.bob).press('Enter')
  await bubble(t.alice, 'a reply').waitFor()
  await editShown(t.bob, 'a reply', 'an edited reply')
  await bubble(t.alice, 'an edited reply').waitFor()
  await t.alice.page.getByRole('button', { name: /In reply to You ?from Alice/ }).waitFor()
  await editShown(t.alice, 'from Alice', 'from Alice, edited')
  await t.bob.page
    .getByRole('button', { name: /In reply to .*\(edited since\) ?from Alice, edited/ })
    .waitFor()
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

/** A hostile service writes reactions, and shows them in its lists. */
async function tamper(id: number, sql: string, values: unknown[]): Promise<void> {
  await run(sql, values)
  await run(
    'select show_message_reactions_v1(bucket, conversation_id, id, fromaddr, toaddr) as shown from direct_messages where id = $1',
    [id],
  )
}

const setVals = 'update reactions set vals = $3 where item_id = $1 and walletaddr = $2'

test('a reaction is sealed, counts for its wallet at its message alone, and is taken back; a locked device says so', async () => {
  const t = await talking()
  await choose(t.bob, 'from Alice', 'React with thumbs up')
  await pill(t.bob, 'thumbs up, 1, you reacted').waitFor()
  await pill(t.alice, 'thumbs up, 1').click()
  await pill(t.bob, 'thumbs up, 2, you reacted').waitFor()
  await t.bob.page.getByRole('button', { name: 'Who reacted' }).click()
  await t.bob.page.getByRole('dialog', { name: 'Reactions' }).getByText('You').waitFor()
  await t.bob.page.keyboard.press('Escape')
  expect(await t.seenByService()).not.toContain('👍')
  await using tablet = await openPerson(site.url, { key: t.bob.key })
  await arrive(tablet, `/dm/${t.alice.address}`)
  await tablet.page.getByRole('img', { name: 'Unlock to see reactions' }).waitFor()
  expect(await pill(tablet, 'thumbs up, 2, you reacted').count()).toBe(0)
  const [first, second] = await t.stored()
  const kept = first!.reactions!.find(({ value }) => value.includes(''))!
  expect(kept.value).toMatch(/^\{"v":2/)

  // The service puts Bob's reaction to another message, and Alice's in Bob's mouth.
  const moved = await run('select walletaddr, vals from reactions where item_id = $1', [first!.id])
  const valsOf = (person: Person) =>
    (moved as { walletaddr: string; vals: string[] }[]).find((one) => one.walletaddr === person.address)!.vals
  await tamper(
    second!.id,
    'insert into reactions (bucket, item_id, walletaddr, vals, ms) select bucket, $2, walletaddr, vals, ms from reactions where item_id = $1 and walletaddr = $3',
    [first!.id, second!.id, t.bob.address],
  )
  await tamper(first!.id, setVals, [first!.id, t.bob.address, valsOf(t.alice).map((value) => `${value} `)])
  await t.alice.page.reload()
  const refused = t.alice.page.getByRole('img', { name: /^A reaction that can’t be opened/ })
  await refused.nth(1).waitFor()
  await pill(t.alice, 'thumbs up, 1, you reacted').waitFor()

  // It goes back to what stood there, and then replays it after it was taken back.
  await tamper(first!.id, setVals, [first!.id, t.bob.address, valsOf(t.bob)])
  await tamper(second!.id, 'delete from reactions where item_id = $1', [second!.id])
  for (const person of [t.alice, t.bob]) {
    await person.page.reload()
    await pill(person, 'thumbs up, 2, you reacted').waitFor()
  }
  const before = await remembered(t.alice)
  await pill(t.bob, 'thumbs up, 2, you reacted').click()
  await pill(t.alice, 'thumbs up, 1, you reacted').waitFor()
  await eventually(
    () => remembered(t.alice),
    (numbers) => expect(numbers).not.toBe(before),
  )
  await tamper(first!.id, setVals, [first!.id, t.bob.address, valsOf(t.bob)])
  await t.alice.page.reload()
  await pill(t.alice, 'thumbs up, 1, you reacted').waitFor()
  expect(await pill(t.alice, 'thumbs up, 2, you reacted').count()).toBe(0)
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('emoji in the clear at an encrypted message count for nothing, and a message in the clear takes no reaction here', async () => {
  const t = await talking()
  const [first] = await t.stored()
  await tamper(
    first!.id,
    'insert into reactions (bucket, item_id, walletaddr, vals, ms) select bucket, id, $2, $3, ms from direct_messages where id = $1',
    [first!.id, t.bob.address, ['👎']],
  )
  await t.alice.page.reload()
  await bubble(t.alice, 'from Bob').waitFor()
  expect(JSON.stringify(await t.stored())).toContain('👎')
  expect(await t.alice.page.getByRole('button', { name: /^👎/ }).count()).toBe(0)
  const { address: fromaddr } = t.bob
  await (
    await site.service.as(fromaddr)
  ).sendDirectMessage({ body: { fromaddr, toaddr: t.alice.address, message: 'in the clear' } })
  await bubble(t.alice, 'in the clear').waitFor()
  await t.alice.page.getByRole('article').filter({ hasText: 'in the clear' }).hover()
  await t.alice.page.getByRole('button', { name: /^Message options: .*in the clear/ }).click()
  await t.alice.page.getByRole('menuitem', { name: 'Reply' }).waitFor()
  expect(await t.alice.page.getByRole('menuitem', { name: /^React with/ }).count()).toBe(0)
})

test('a pinned encrypted message shows its text, and on a locked device that it is one', async () => {
  const t = await talking()
  await choose(t.alice, 'from Bob', 'Pin')
  const strip = ({ page }: Person) => page.getByRole('region', { name: 'Pinned messages' })
  for (const person of [t.alice, t.bob]) await strip(person).getByText('from Bob').waitFor()
  await using tablet = await openPerson(site.url, { key: t.bob.key })
  await arrive(tablet, `/dm/${t.alice.address}`)
  await tablet.page.getByRole('button', { name: 'Pinned: Encrypted message. Go to message' }).waitFor()
  await choose(t.bob, 'from Bob', 'Unpin')
  await strip(t.alice).waitFor({ state: 'detached' })
  expect([...t.alice.complaints, ...t.bob.complaints, ...tablet.complaints]).toEqual([])
})

test('edits and reactions wait encrypted for a connection; on a device that is locked meanwhile nothing goes in the clear', async () => {
  const t = await talking()
  await t.alice.context.route('**/v1/{messages,reactions}/*', (route) => route.abort())
  await editShown(t.alice, 'from Alice', 'edited offline')
  await choose(t.alice, 'from Bob', 'React with red heart')
  await pill(t.alice, 'red heart, 1, you reacted').waitFor()
  await t.alice.page.reload()
  await bubble(t.alice, 'edited offline').waitFor()
  await pill(t.alice, 'red heart, 1, you reacted').waitFor()
  await t.alice.context.unrouteAll({ behavior: 'ignoreErrors' })
  await bubble(t.bob, 'edited offline').waitFor()
  await pill(t.bob, 'red heart, 1').waitFor()
  expect(await t.seenByService()).not.toMatch(/edited offline|❤️/)
  // On a locked device there is nothing to edit or to react with.
  await using tablet = await openPerson(site.url, { key: t.alice.key })
  await arrive(tablet, `/dm/${t.bob.address}`)
  // This comes after the messages, and moves them.
  await tablet.page.getByText('Your encryption key is locked on this device.').waitFor()
  await tablet.page.getByRole('article').last().hover()
  await tablet.page
    .getByRole('button', { name: /^Message options/ })
    .last()
    .click()
  await tablet.page.getByRole('menuitem', { name: 'Delete for me' }).waitFor()
  expect(await tablet.page.getByRole('menuitem', { name: /^(Edit|Reply|React)/ }).count()).toBe(0)
})

test('an edit is encrypted, shown at both with its history, and a service that goes back to what stood before is seen', async () => {
  const t = await talking()
  const [before] = await t.stored()
  await editShown(t.alice, 'from Alice', 'from Alice, better')
  await bubble(t.bob, 'from Alice, better').waitFor()
  const [after] = await t.stored()
  const [one, other] = [before!, after!].map((item) => JSON.parse(item.encrypted_sym_x_key!))
  expect([other.cid, other.rev, after!.revision]).toEqual([one.cid, 1, 1])
  await editShown(t.alice, 'from Alice, better', 'from Alice, best')
  await bubble(t.bob, 'from Alice, best').waitFor()
  expect(await t.seenByService()).not.toMatch(/better|best/)
  await t.bob.page.getByRole('button', { name: 'edited' }).first().click()
  const dialog = t.bob.page.getByRole('dialog', { name: 'Edit history' })
  await dialog.locator('ins', { hasText: 'best' }).waitFor()
  expect(await dialog.getByRole('listitem').count()).toBe(3)
  expect(await dialog.getByText('can’t be opened here').count()).toBe(0)
  await t.bob.page.keyboard.press('Escape')

  // An earlier version in the history that belongs to another message is not shown as one of it.
  const [, second] = await t.stored()
  await run(
    `update direct_messages set edits = jsonb_set(edits, '{0}', edits->0 || $2::jsonb) where id = $1`,
    [
      after!.id,
      JSON.stringify({ message: second!.message, encrypted_sym_x_key: second!.encrypted_sym_x_key }),
    ],
  )
  await t.bob.page.reload()
  await t.bob.page.getByRole('button', { name: 'edited' }).first().click()
  await dialog.getByText('1 of 3 versions can’t be opened here.').waitFor()
  expect(await dialog.getByText('from Bob').count()).toBe(0)
  await t.bob.page.keyboard.press('Escape')

  await run(
    'update direct_messages set message = $2, encrypted_sym_x_key = $3, rev = 3, edited_ms = ms where id = $1',
    [before!.id, before!.message, before!.encrypted_sym_x_key],
  )
  for (const person of [t.alice, t.bob]) {
    expect(await older(person).count()).toBe(0)
    await person.page.reload()
    await older(person).waitFor()
    await bubble(person, 'from Alice').waitFor()
  }
  expect(await remembered(t.bob)).not.toBe('')
  await t.bob.page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await t.bob.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await t.bob.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await eventually(
    () => remembered(t.bob),
    (numbers) => expect(numbers).toBe(''),
  )
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})
