// What the service does not take: the inbox and the conversation show that it was refused and does not wait, nothing
// overtakes it, and it is sent by itself once it may be.

import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, eventually, openPerson, type Person, say, visit } from './person.ts'
import { useSite } from './site.ts'
import { usePerson } from './talking.ts'

const site = useSite()
const signedIn = usePerson(site)

const write = async (fromaddr: string, toaddr: string, message: string) =>
  (await site.service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } })
const name = async (address: string, chosen: string) =>
  (await site.service.as(address)).setName({ body: { address, name: chosen } })
const receivedBy = async (me: string, peer: string) =>
  (await (await site.service.as(me)).listConversation({ fromaddr: me, toaddr: peer })).map(
    ({ message }) => message,
  )

const rows = ({ page }: Person) => page.locator('#inbox-rows').getByRole('link')
const field = ({ page }: Person) => page.getByRole('textbox', { name: /^Message / })
const openTab = async (person: Person, path: string): Promise<Person> => {
  const page = await person.context.newPage()
  await page.goto(path)
  return { ...person, page }
}

const refusal = {
  status: 403,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: '/docs/errors#forbidden', status: 403, detail: 'Not today.' }),
}

test('rows show what was refused in red and on top, what waits with a clock, and what was begun', async () => {
  const alice = await signedIn()
  const [ann, ben, cem] = [newWallet(), newWallet(), newWallet()]
  await acquaint(site.service, alice, ann, ben, cem)
  for (const [peer, text] of [
    [ann, 'from ann'],
    [ben, 'from ben'],
    [cem, 'from cem'],
  ] as const)
    await write(peer, alice.address, text)
  await visit(alice, `/dm/${ann}`)
  const second = await openTab(alice, '/')
  await alice.context.route('**/v1/create_chatitem', (route) => route.fulfill(refusal))
  await say(alice, 'to ann')
  for (const person of [alice, second]) {
    await rows(person).first().getByText('Not sent: to ann').waitFor()
  }
  const colour = await rows(alice)
    .first()
    .getByText('Not sent:')
    .evaluate((element) => getComputedStyle(element).color)
  const danger = await alice.page
    .getByRole('alert')
    .filter({ hasText: 'Not today.' })
    .evaluate((element) => getComputedStyle(element).color)
  expect(colour).toBe(danger)

  await alice.context.unroute('**/v1/create_chatitem')
  await alice.context.route('**/v1/create_chatitem', (route) => route.fulfill({ status: 503, json: {} }))
  await visit(alice, `/dm/${ben}`)
  await say(alice, 'to ben')
  const ofBen = rows(second).filter({ hasText: 'You: to ben' })
  await ofBen.getByRole('img', { name: 'Waiting' }).waitFor()
  expect(await ofBen.getByText('Not sent').count()).toBe(0)

  await visit(alice, `/dm/${cem}`)
  await field(alice).fill('half a thought')
  await rows(second).filter({ hasText: 'Draft: half a thought' }).waitFor()
  // The field itself shows it there.
  expect(await rows(alice).filter({ hasText: 'Draft:' }).count()).toBe(0)
  await visit(alice, '/settings')
  await rows(alice).filter({ hasText: 'Draft: half a thought' }).waitFor()
  await second.page.reload()
  await rows(second).filter({ hasText: 'Draft: half a thought' }).waitFor()
  await rows(second).first().getByText('Not sent: to ann').waitFor()
  await visit(alice, `/dm/${cem}`)
  await field(alice).fill('')
  await rows(second).filter({ hasText: 'Draft:' }).waitFor({ state: 'detached' })

  await alice.context.unroute('**/v1/create_chatitem')
  await visit(alice, `/dm/${ann}`)
  await alice.page.getByRole('button', { name: 'Try again' }).click()
  await rows(second).filter({ hasText: 'Not sent' }).waitFor({ state: 'detached' })
  expect([...alice.complaints, ...second.complaints]).toEqual([])
})

test('nothing overtakes a message that was refused, unless one says so', async () => {
  const alice = await signedIn()
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  await visit(alice, `/dm/${bob}`)
  let refuse = true
  await alice.context.route('**/v1/create_chatitem', (route) =>
    refuse ? route.fulfill(refusal) : route.continue(),
  )
  await say(alice, 'one')
  await alice.page.getByText('Couldn’t send. Not today.').waitFor()
  refuse = false
  await say(alice, 'two')
  await say(alice, 'three')
  await alice.page.getByText('Couldn’t send. The message above goes first.').nth(1).waitFor()
  expect(await receivedBy(bob, alice.address)).toEqual([])
  const again = alice.page.getByRole('button', { name: 'Try again' })
  await again.nth(2).click()
  await alice.page.getByRole('img', { name: 'Sent', exact: true }).waitFor()
  expect(await receivedBy(bob, alice.address)).toEqual(['three'])
  // What follows is sent by another tab too, once the first one is.
  const second = await openTab(alice, `/dm/${bob}`)
  await second.page.getByRole('button', { name: 'Try again' }).first().click()
  await eventually(
    () => receivedBy(bob, alice.address),
    (texts) => expect(texts).toEqual(['three', 'one', 'two']),
  )
  await alice.page.getByText('Couldn’t send.').waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test('five messages to a stranger are counted down, and what was refused is sent when the answer comes', async () => {
  const alice = await signedIn()
  const mira = newWallet()
  await name(mira, 'Mira Lindqvist')
  await (await site.service.as(mira)).setDmPolicy({ body: { who: 'requests' } })
  await visit(alice, `/dm/${mira}`)
  const { page } = alice
  await page
    .getByText('Mira Lindqvist doesn’t know you yet. You can send 5 messages until they reply.')
    .waitFor()
  for (const [text, left] of [
    ['one', 4],
    ['two', 3],
    ['three', 2],
    ['four', 1],
  ] as const) {
    await say(alice, text)
    await page.getByText(`${left} of 5 messages left until Mira Lindqvist replies.`).waitFor()
  }
  // Another program of hers writes the fifth one.
  await write(alice.address, mira, 'five')
  await page.getByText('You can write more when Mira Lindqvist replies.').waitFor()
  expect(await field(alice).isEditable()).toBe(false)
  await page.reload()
  await page.getByText('You can write more when Mira Lindqvist replies.').waitFor()

  await write(mira, alice.address, 'hello Alice')
  await page.getByText('You can write more').waitFor({ state: 'detached' })
  await say(alice, 'six')
  await eventually(
    () => receivedBy(mira, alice.address),
    (texts) => expect(texts).toContain('six'),
  )
  expect(alice.complaints).toEqual([])
})

test('a message that a stranger did not take is sent by itself after the answer, also where the conversation is not open', async () => {
  const alice = await signedIn()
  const [mira, noor] = [newWallet(), newWallet()]
  for (const peer of [mira, noor])
    await (await site.service.as(peer)).setDmPolicy({ body: { who: 'requests' } })
  await visit(alice, `/dm/${mira}`)
  for (const peer of [mira, noor]) {
    await visit(alice, `/dm/${peer}`)
    await say(alice, 'short')
    await alice.page.getByRole('img', { name: 'Sent', exact: true }).waitFor()
    // It is not the fifth, and there is no room for it.
    await say(alice, 'x'.repeat(16_380))
    await alice.page.getByText('Couldn’t send. You can write more when they reply.').waitFor()
    expect(await field(alice).isEditable()).toBe(false)
    await rows(alice).filter({ hasText: 'Not sent: xxx' }).first().waitFor()
  }
  // The open one reads what was sent, the other one answers.
  await (await site.service.as(noor)).setContact({ peer: alice.address, body: { state: 'accepted' } })
  const [first] = await (
    await site.service.as(noor)
  ).listConversation({ fromaddr: noor, toaddr: alice.address })
  await (
    await site.service.as(noor)
  ).markReadTo({ addr: alice.address, body: { id: first!.id, context_type: 'dm' } })
  await write(mira, alice.address, 'go on')
  for (const peer of [mira, noor])
    await eventually(
      () => receivedBy(peer, alice.address),
      (texts) => expect(texts.some((text) => text.startsWith('xxx'))).toBe(true),
    )
  await rows(alice).filter({ hasText: 'Not sent' }).waitFor({ state: 'detached' })
  await eventually(
    () => field(alice).isEditable(),
    (value) => expect(value).toBe(true),
  )
  expect(alice.complaints).toEqual([])
})

test.concurrent('a muted wallet has the reason, the end and the appeal where it would write; a banned one has one page, until the ban ends', async () => {
  await using alice = await openPerson(site.url)
  const [operator, bob] = [newWallet(), newWallet()]
  await addOperator(site.service, operator)
  await acquaint(site.service, alice, bob)
  await write(bob, alice.address, 'hello')
  const asOperator = await site.service.as(operator)
  const { page } = alice
  await arrive(alice, `/dm/${bob}`)
  await field(alice).waitFor()
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await asOperator.act({ body: { action: 'mute', subject: alice.address, reason: 'Too many links', until } })
  const note = page.getByRole('region', { name: 'You can’t write here' })
  await note.getByText(/^You can’t write here, until /).waitFor()
  await note.getByText('Reason: Too many links').waitFor()
  expect(await field(alice).count()).toBe(0)
  await visit(alice, '/nft/0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb/1')
  await page.getByText('No comments yet').waitFor()
  await note.waitFor()
  await note.getByRole('button', { name: 'Appeal' }).click()
  await page.getByLabel('Why should this be reviewed?').waitFor()
  await page.keyboard.press('Escape')

  await asOperator.act({ body: { action: 'ban', subject: alice.address, reason: 'It went on' } })
  await page.getByRole('heading', { name: /^You are banned from 127\.0\.0\.1/ }).waitFor()
  await page.getByText(/^It has no end\. You can’t read or send messages\./).waitFor()
  await page.getByText('It went on').waitFor()
  await page.reload()
  await page.getByText('It went on').waitFor()
  for (const button of ['Appeal', 'Download my data', 'Erase my wallet here'])
    expect(await page.getByRole('button', { name: button }).count(), button).toBe(1)
  expect(await page.getByText(/doesn’t allow|could not be read/).count()).toBe(0)
  await page.getByRole('button', { name: 'Appeal' }).click()
  await page.getByLabel('Why should this be reviewed?').fill('It was my bot')
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await page.getByText('Appeal sent to the operators').waitFor()
  const asAlice = await site.service.as(alice.address)
  await asOperator.act({ body: { action: 'lift', subject: alice.address, reason: 'Right' } })
  await eventually(
    () => asAlice.listSanctions(),
    (sanctions) => expect(sanctions).toEqual([]),
  )
  await page.reload()
  await field(alice)
    .or(page.getByRole('textbox', { name: 'Add a public comment' }))
    .waitFor()
  expect(alice.complaints).toEqual([])
})
