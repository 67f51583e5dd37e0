// What a program suggests stands where it would go, and a person sends or discards it.

import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { clientOf, newWallet } from '../../testing/service/service.ts'
import {
  acquaint,
  arrive,
  arriveWithEncryption,
  bubble,
  eventually,
  openPerson,
  type Person,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const card = ({ page }: Person) => page.getByRole('region', { name: 'Suggested message' })
const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const mark = ({ page }: Person) => page.locator('#inbox-rows').getByRole('img', { name: 'Suggested message' })

/** A program with a key of a person that may suggest, and nothing else. */
const programOf = async ({ address }: Person) =>
  clientOf(site.service.app, { token: await newApiKeyOf(site.service, address, ['draft:write']) })
const draftsOf = async ({ address }: Person) => (await site.service.as(address)).listDrafts()
const textsBetween = async (person: Person, peer: string) =>
  (await (await site.service.as(peer)).listConversation({ fromaddr: person.address, toaddr: peer })).map(
    ({ message }) => message,
  )

const poll = <T>(read: () => Promise<T> | T) => ({
  toEqual: (value: T) => eventually(read, (found) => expect(found).toEqual(value)),
})

/** For whoever looks at them: SCREENSHOTS=folder. */
async function picture({ page }: Person, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
}

test.concurrent('a draft is changed and sent the normal way, and is gone then; another one is discarded', async () => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  const asAlice = await site.service.as(alice)
  await asAlice.sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob.address, message: 'When do we meet?' },
  })
  const program = await programOf(bob)
  for (const message of ['Shall we meet at ten?', 'A second thought'])
    await program.createDraft({ body: { toaddr: alice, message } })
  await arrive(bob, `/dm/${alice}`)
  await card(bob).getByText('Suggested by a key of a test').waitFor()
  await card(bob).getByText('1 more').waitFor()
  await mark(bob).waitFor()
  await picture(bob, 'draft-desktop')
  await card(bob).getByRole('button', { name: 'Use this' }).click()
  expect(await field(bob).inputValue()).toBe('Shall we meet at ten?')
  expect(await card(bob).count()).toBe(0)
  // Nothing is sent by itself.
  expect(await textsBetween(bob, alice)).not.toContain('Shall we meet at ten?')
  await field(bob).fill('Shall we meet at eleven?')
  await field(bob).press('Enter')
  await bubble(bob, 'Shall we meet at eleven?').waitFor()
  await poll(async () => (await textsBetween(bob, alice)).at(-1)).toEqual('Shall we meet at eleven?')
  await card(bob).getByText('A second thought').waitFor()
  await poll(async () => (await draftsOf(bob)).map(({ message }) => message)).toEqual(['A second thought'])
  await card(bob).getByRole('button', { name: 'Discard' }).click()
  await card(bob).waitFor({ state: 'detached' })
  await mark(bob).waitFor({ state: 'detached' })
  await poll(() => draftsOf(bob)).toEqual([])
  expect(bob.complaints).toEqual([])
})

test.concurrent('on a phone a long draft of a chat leaves room, what a draft says is no markup, and it comes when one comes back to the page', async () => {
  await using bob = await openPerson(site.url, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const chat = newWallet()
  const client = await site.service.as(bob.address)
  await client.joinChat({ body: { walletaddr: bob.address, nftaddr: chat } })
  await client.postGroupMessage({ body: { fromaddr: bob.address, nftaddr: chat, message: 'gm' } })
  await arrive(bob)
  await visit(bob, `/nft/${chat}`)
  await bubble(bob, 'gm').waitFor()
  const message = `<b>Dear all</b>, \n\n${'a long suggestion about the meeting on Friday. '.repeat(40)}`
  await (await programOf(bob)).createDraft({ body: { nftaddr: chat, message } })
  expect(await card(bob).count()).toBe(0)
  await bob.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await card(bob).getByText('<b>Dear all</b>').waitFor()
  await picture(bob, 'draft-phone')
  const box = (await card(bob).boundingBox())!
  expect(box.height).toBeLessThan(340)
  expect(box.x + box.width).toBeLessThanOrEqual(390)
  await card(bob).getByRole('button', { name: 'Use this' }).click()
  await bob.page.getByRole('button', { name: 'Send' }).click()
  await poll(async () => {
    const posts = await client.listGroupMessages({ address: chat, useraddress: bob.address })
    return posts.at(-1)?.message
  }).toEqual(message.trim())
  await poll(() => draftsOf(bob)).toEqual([])
})

test.concurrent('a draft that is made while drafts are being read comes when one comes back to the page', async () => {
  await using bob = await openPerson(site.url)
  const chat = newWallet()
  const client = await site.service.as(bob.address)
  await client.joinChat({ body: { walletaddr: bob.address, nftaddr: chat } })
  await client.postGroupMessage({ body: { fromaddr: bob.address, nftaddr: chat, message: 'gm' } })
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await bob.page.route('**/v1/drafts*', async (route) => {
    const response = await route.fetch()
    begun.resolve()
    await held.promise
    await route.fulfill({ response })
  })
  await arrive(bob, `/nft/${chat}`)
  await bubble(bob, 'gm').waitFor()
  await begun.promise
  await (await programOf(bob)).createDraft({ body: { nftaddr: chat, message: 'Dear all' } })
  await bob.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  held.resolve()
  await card(bob).getByText('Dear all').waitFor()
  expect(bob.complaints).toEqual([])
})

test.concurrent('in a conversation that is encrypted it is sent encrypted', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  await (await programOf(bob)).createDraft({ body: { toaddr: alice.address, message: 'a secret' } })
  await visit(bob, `/dm/${alice.address}`)
  await card(bob).getByRole('button', { name: 'Use this' }).click()
  await field(bob).press('Enter')
  await bubble(bob, 'a secret').waitFor()
  await poll(() => draftsOf(bob)).toEqual([])
  const stored = async () =>
    (await site.service.as(alice.address)).listConversation({ fromaddr: bob.address, toaddr: alice.address })
  await poll(async () => (await stored()).length).toEqual(1)
  const [last] = await stored()
  expect(last!.message).not.toContain('secret')
  expect(last!.encrypted_sym_x_key).toBeTruthy()
})

test.concurrent('what cannot be seen in a suggestion, and in what one writes, stands there as a mark before it is sent', async () => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  // Keys of programs are refused; the wallet itself, or a service of before, may have it.
  const hidden = 'ok\u202e thanks \u{e0041}\u{e0042} 👨\u200d👩\u200d👧'
  const asBob = await site.service.as(bob.address)
  await asBob.createDraft({ body: { toaddr: alice, message: hidden } })
  await arrive(bob, `/dm/${alice}`)
  for (const code of ['U+202E', 'U+E0041', 'U+E0042'])
    await card(bob).getByText(`hidden character ${code}`, { exact: true }).waitFor()
  await card(bob).getByText('3 characters of this text cannot be seen').waitFor()
  await card(bob).getByRole('button', { name: 'Use this' }).click()
  await bob.page.getByText('3 characters of this text cannot be seen').waitFor()
  await bob.page.getByRole('button', { name: 'Remove them' }).click()
  await bob.page.getByText('of this text cannot be seen').waitFor({ state: 'detached' })
  await field(bob).press('Enter')
  await poll(async () => (await textsBetween(bob, alice)).at(-1)).toEqual('ok thanks  👨\u200d👩\u200d👧')
  await field(bob).fill('one\u200b')
  await bob.page.getByText('One character of this text cannot be seen, but would be sent: U+200B.').waitFor()
  expect(bob.complaints).toEqual([])
})
