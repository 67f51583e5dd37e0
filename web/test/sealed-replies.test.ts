// Replies in encrypted conversations, and services that show another message in the place of what is quoted.

import { expect, test } from 'vitest'
import { bubble, eventually, type Person, say } from './person.ts'
import { useSealedTalk } from './sealed-talk.ts'
import { useSite } from './site.ts'
import { choose } from './talking.ts'

const site = useSite()
const talking = useSealedTalk(site)

const quote = ({ page }: Person, text: string | RegExp) =>
  page.getByRole('log').getByRole('button', { name: text })
const warning = ({ page }: Person) => page.getByRole('log').getByText('Doesn’t match the original message')

async function reply(person: Person, to: string, text: string): Promise<void> {
  await choose(person, to, 'Reply')
  await person.page.getByText('Replying to').waitFor()
  await say(person, text)
  await bubble(person, text).waitFor()
}

test('a reply shows what it replies to at both, the service cannot read it, and a deleted message says so', async () => {
  const t = await talking()
  await reply(t.bob, 'from Alice', 'an answer')
  await quote(t.alice, /In reply to You ?from Alice/).waitFor()
  const [first, , third] = await t.stored()
  expect(third).toMatchObject({ reply_to: first!.id })
  expect(await t.seenByService()).not.toContain('an answer')
  for (const person of [t.alice, t.bob]) {
    await person.page.reload()
    await quote(person, /In reply to .*from Alice/).waitFor()
    expect(await warning(person).count()).toBe(0)
  }
  await (await site.service.as(t.alice.address)).deleteDirectMessage({ id: first!.id })
  await t.bob.page.getByText('Message deleted').waitFor()
  expect([...t.alice.complaints, ...t.bob.complaints]).toEqual([])
})

test('a service that moves a reply to another message, drops what it replies to, or adds that, is seen', async () => {
  const t = await talking()
  await reply(t.bob, 'from Alice', 'yes, I agree')
  await quote(t.alice, /In reply to You ?from Alice/).waitFor()
  const [first, second, third] = await t.stored()
  const set = (id: number, to: number | null) =>
    site.service.ctx.db.query('update direct_messages set reply_to = $2 where id = $1', [id, to])
  const seen = async (wrong: number) => {
    for (const person of [t.alice, t.bob]) {
      await person.page.reload()
      await warning(person)
        .nth(wrong - 1)
        .waitFor()
      expect(await warning(person).count()).toBe(wrong)
      expect(await quote(person, /In reply to/).count()).toBe(0)
      await bubble(person, 'yes, I agree').waitFor()
    }
  }
  await set(third!.id, second!.id)
  await seen(1)
  await set(third!.id, null)
  await seen(1)
  // A message that replies to none is made a reply.
  await set(second!.id, first!.id)
  await seen(2)
})

test('a message in the clear that is quoted says that it is not encrypted; another text in its place is seen', async () => {
  const t = await talking()
  const asAlice = await site.service.as(t.alice.address)
  const { address: fromaddr } = t.alice
  const [clear] = await asAlice.sendDirectMessage({
    body: { fromaddr, toaddr: t.bob.address, message: 'in the clear' },
  })
  await bubble(t.bob, 'in the clear').waitFor()
  await reply(t.bob, 'in the clear', 'an answer')
  await quote(t.alice, /In reply to You ?Not encrypted ?in the clear/).waitFor()
  await site.service.ctx.db.query('update direct_messages set message = $2 where id = $1', [
    clear!.id,
    'another text',
  ])
  await t.alice.page.reload()
  await warning(t.alice).waitFor()
  // Its author edits it: the reply is to what stood in it before.
  await site.service.ctx.db.query('update direct_messages set message = $2 where id = $1', [
    clear!.id,
    'in the clear',
  ])
  await asAlice.editMessage({ id: clear!.id, body: { message: 'in the clear, edited', revision: 0 } })
  await t.alice.page.reload()
  await quote(t.alice, /In reply to .*\(edited since\) ?in the clear, edited/).waitFor()
  await eventually(
    () => warning(t.alice).count(),
    (count) => expect(count).toBe(0),
  )
})
