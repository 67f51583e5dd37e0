// What a person makes of others: own names, mutes, blocks in chats, reports, and who may write.

import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet } from '../../testing/service/service.ts'
import {
  acquaint,
  arrive,
  arriveWithEncryption,
  bubble,
  eventually,
  openPerson,
  type Person,
  say,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const write = async (fromaddr: string, toaddr: string, message: string) =>
  (await (await site.service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } }))[0]!

const button = ({ page }: Person, name: string | RegExp) => page.getByRole('button', { name })
const rows = ({ page }: Person) => page.locator('#inbox-rows').getByRole('link')

async function choose(person: Person, menu: string | RegExp, item: string | RegExp): Promise<void> {
  await button(person, menu).click()
  await person.page.getByRole('menuitem', { name: item }).click()
}

test.concurrent('a muted wallet is counted in no total and shown as muted; an own name stands in place of its own, in all tabs', async () => {
  await using bob = await openPerson(site.url)
  const alice = newWallet()
  await acquaint(site.service, alice, bob)
  await (
    await site.service.as(alice)
  ).setName({ body: { address: alice, name: `Alice${alice.slice(2, 8)}` } })
  await write(alice, bob.address, 'one')
  await arrive(bob, `/dm/${alice}`)
  await bubble(bob, 'one').waitFor()
  await choose(bob, 'Conversation options', 'Mute…')
  await button(bob, 'Always').click()
  await rows(bob).getByRole('img', { name: 'Muted' }).waitFor()
  const other: Person = { ...bob, page: await bob.context.newPage() }
  await other.page.goto('/')
  await visit(bob, '/communities')
  // The tab may show at first what the device has kept from before.
  await rows(other).getByRole('img', { name: 'Muted' }).waitFor()
  await write(alice, bob.address, 'two')
  await rows(other).getByText('1 unread').waitFor({ state: 'attached' })
  expect(await other.page.title()).not.toContain('(1)')
  expect(await other.page.getByRole('tab', { name: 'All' }).innerText()).toBe('All')

  await visit(bob, `/dm/${alice}`)
  await button(bob, /^Profile of/).click()
  await button(bob, 'Add nickname').click()
  await bob.page.getByLabel('Nickname').fill('Ann from work')
  await bob.page.keyboard.press('Enter')
  await bob.page
    .getByRole('dialog')
    .getByText(/^Calls themselves Alice/)
    .waitFor()
  await bob.page.keyboard.press('Escape')
  await bob.page.getByRole('heading', { name: 'Ann from work' }).waitFor()
  await rows(other).filter({ hasText: 'Ann from work' }).waitFor()
  await choose(bob, 'Conversation options', 'Unmute')
  await rows(other).getByRole('img', { name: 'Muted' }).waitFor({ state: 'detached' })

  // Where they are listed, it is taken back.
  await visit(bob, '/settings/privacy')
  await button(bob, 'Remove the nickname: Ann from work').click()
  await rows(bob)
    .filter({ hasText: /^Alice/ })
    .waitFor()
  expect(bob.complaints).toEqual([])
})

test.concurrent('posts of a blocked wallet are folded, the settings list it, and a chat is muted and reported', async () => {
  await using bob = await openPerson(site.url)
  const [alice, mallory] = [newWallet(), newWallet()]
  const asAlice = await site.service.as(alice)
  const community = `yard-${alice.slice(2, 10)}`
  await asAlice.createCommunity({ body: { community } })
  const asBob = await site.service.as(bob.address)
  await asBob.joinChat({ body: { walletaddr: bob.address, nftaddr: community } })
  const post = async (fromaddr: string, message: string) =>
    (await site.service.as(fromaddr)).postGroupMessage({ body: { fromaddr, nftaddr: community, message } })
  await post(alice, 'good morning')
  await post(mallory, 'buy my coin')
  await post(mallory, 'buy it now')
  await post(alice, 'and goodbye')
  await arrive(bob, `/c/${community}`)
  await bubble(bob, 'buy my coin').hover()
  await choose(bob, /^Message options: .*buy my coin/, /^Block /)
  await bob.page.getByText('2 hidden messages of somebody whom you have blocked').waitFor()
  expect(await bubble(bob, 'buy it now').count()).toBe(0)
  await button(bob, 'show').click()
  await bubble(bob, 'buy it now').hover()
  await choose(bob, /^Message options: .*buy it now/, 'Report…')
  const dialog = bob.page.getByRole('dialog')
  await dialog.getByText('Spam').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const [report] = await asBob.listOwnReports()
  expect(report).toMatchObject({ subject: mallory, reason: 'spam' })

  await rows(bob).getByText('and goodbye').waitFor()
  await post(mallory, 'last chance')
  await rows(bob).getByText('Hidden message').waitFor()
  expect(await rows(bob).getByText('last chance').count()).toBe(0)

  await choose(bob, 'Chat options', 'Mute…')
  await button(bob, 'For 8 hours').click()
  await rows(bob).getByRole('img', { name: 'Muted' }).waitFor()
  await visit(bob, '/settings/privacy')
  await bob.page.getByRole('radio', { name: /^Contacts only/, disabled: false }).waitFor()
  await bob.page.getByText('Contacts only').click()
  await eventually(
    () => asBob.getOwnDmPolicy(),
    (policy) => expect(policy).toEqual({ who: 'contacts' }),
  )
  await button(bob, /^Unblock: /).click()
  await bob.page.getByText('You haven’t blocked anyone.').waitFor()
  expect(bob.complaints).toEqual([])
})

test.concurrent('a request is reported and blocked at once; of an encrypted message only its key is revealed', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const [operator, mallory] = [newWallet(), newWallet()]
  await addOperator(site.service, operator)
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  const evidence = async (subject: string) => {
    const asOperator = await site.service.as(operator)
    const reported = await (await site.service.as(bob.address)).listOwnReports()
    const { id } = reported.find((one) => one.subject === subject)!
    return (await asOperator.getReport({ id }))[0]!.evidence
  }
  await visit(alice, `/dm/${bob.address}`)
  await say(alice, 'a secret threat')
  await say(alice, 'another secret')
  await visit(bob, `/dm/${alice.address}`)
  await bubble(bob, 'a secret threat').hover()
  await choose(bob, /^Message options: .*a secret threat/, 'Report…')
  const dialog = bob.page.getByRole('dialog')
  await dialog.getByText('Threats, hate').click()
  await dialog.getByText('Let the operators read this message').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  await bob.page.getByText(/^Reported /).waitFor()
  expect(await evidence(alice.address)).toMatchObject([{ proof: 'opened', message: 'a secret threat' }])

  await write(mallory, bob.address, 'send me your seed phrase')
  await visit(bob, `/dm/${mallory}`)
  await button(bob, 'Report and block').click()
  await dialog.getByText('Scam or phishing').click()
  await dialog.getByRole('button', { name: 'Report', exact: true }).click()
  await bob.page.waitForURL('**/requests')
  expect(await evidence(mallory)).toMatchObject([{ proof: 'stored', message: 'send me your seed phrase' }])

  // Who is muted by an operator is told why, and can appeal.
  const asOperator = await site.service.as(operator)
  await asOperator.act({ body: { action: 'warn', subject: bob.address, reason: 'Take care' } })
  await bob.page.getByText(/^The operators of .* have a message for you/).waitFor()
  await asOperator.act({ body: { action: 'mute', subject: bob.address, reason: 'Too many reports' } })
  await bob.page.getByText('You can read but not post, without an end.').waitFor()
  await button(bob, 'Appeal').click()
  await bob.page.getByLabel('Why should this be reviewed?').fill('They were right')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await bob.page.getByText('Appeal sent to the operators').waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('who may not write to a wallet is told so at the message, and nothing is tried again by itself', async () => {
  await using alice = await openPerson(site.url)
  const [bob, carol] = [newWallet(), newWallet()]
  await (await site.service.as(bob)).setDmPolicy({ body: { who: 'contacts' } })
  await (await site.service.as(carol)).setDmPolicy({ body: { who: 'requests' } })
  let sent = 0
  alice.page.on('request', (request) => {
    if (request.url().includes('/create_chatitem')) sent++
  })
  await arrive(alice, `/dm/${bob}`)
  // It is public whom a wallet takes messages of, so it is told before the first one.
  await alice.page.getByText(/only accepts messages from contacts\./).waitFor()
  await say(alice, 'let me in')
  await alice.page
    .getByRole('alert')
    .getByText(/^Couldn’t send\. .* takes messages of its contacts only/)
    .waitFor()
  await alice.page.waitForTimeout(1500)
  expect(sent).toBe(1)
  await (await site.service.as(bob)).setContact({ peer: alice.address, body: { state: 'accepted' } })
  await button(alice, 'Try again').click()
  await alice.page.getByRole('img', { name: 'Sent' }).waitFor()
  for (let n = 1; n <= 5; n++) await write(alice.address, carol, `request ${n}`)
  await visit(alice, `/dm/${carol}`)
  await bubble(alice, 'request 5').waitFor()
  await alice.page.getByText(/^You can write more when .* replies\.$/).waitFor()
  expect(alice.complaints).toEqual([])
})
