// Roles in a chat: who moderates, what they do, and what those who are concerned are told.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, openPerson, type Person, say, visit } from './person.ts'
import { punks } from './places.ts'
import { useSite } from './site.ts'

const site = useSite()

/** A community of one owner, that the others have joined. */
async function found(community: string, owner: Person, ...members: string[]) {
  const asOwner = await site.service.as(owner.address)
  await asOwner.createCommunity({ body: { community } })
  for (const walletaddr of [owner.address, ...members])
    await (await site.service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr: community } })
  return asOwner
}

const post = async (fromaddr: string, nftaddr: string, message: string) =>
  (await (await site.service.as(fromaddr)).postGroupMessage({ body: { fromaddr, nftaddr, message } }))[0]!

async function choose({ page }: Person, text: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Message options: .*${text}`) }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).click()
}

test.concurrent('an owner adds a moderator, who mutes by a message’s menu; who is muted reads until when and why', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const mallory = newWallet()
  const asAlice = await found('harbour', alice, bob.address, mallory)
  await post(mallory, 'harbour', 'buy my coin')
  await arrive(alice, '/c/harbour')
  await alice.page.getByRole('button', { name: 'Chat options' }).press('Enter')
  await alice.page.getByRole('menuitem', { name: 'Moderation' }).press('Enter')
  await alice.page.getByLabel('Add a moderator').fill(bob.address)
  await alice.page.keyboard.press('Enter')
  const moderators = alice.page.getByRole('list', { name: 'Moderators' })
  await moderators.getByText(/^Moderator since/).waitFor()
  expect(await faults(alice.page), 'the owner’s page').toEqual([])

  await arrive(bob, '/c/harbour')
  await bubble(bob, 'buy my coin').waitFor()
  await choose(bob, 'buy my coin', 'Mute in this chat…')
  const dialog = bob.page.getByRole('dialog')
  await dialog.getByText('1 week').click()
  await dialog.getByLabel('Why (optional)').fill('Only advertising')
  expect(await faults(bob.page), 'the question').toEqual([])
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const [muted] = await asAlice.listRestricted({ nftaddr: 'harbour' })
  expect(muted).toMatchObject({ walletaddr: mallory, reason: 'Only advertising' })
  expect(Date.parse(muted!.muted_until!) - Date.now()).toBeGreaterThan(6 * 86_400_000)

  // A ban beside the mute leaves that as it is, and lifting ends both.
  await choose(bob, 'buy my coin', 'Ban from this chat…')
  await dialog.getByText('Forever').click()
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await asAlice.listRestricted({ nftaddr: 'harbour' })).toMatchObject([
    { banned_until: 'forever', muted_until: muted!.muted_until },
  ])
  await visit(bob, '/c/harbour/moderation')
  const restricted = bob.page.getByRole('list', { name: 'Restricted' })
  await restricted.getByText(/^Banned forever\. Muted until/).waitFor()
  await bob.page.getByRole('list', { name: 'Activity' }).getByText('Only advertising').waitFor()
  expect(await faults(bob.page), 'the moderator’s page').toEqual([])
  await restricted.getByRole('button', { name: 'Lift' }).click()
  await restricted.getByRole('button', { name: 'Lift' }).waitFor({ state: 'detached' })
  expect(await asAlice.listRestricted({ nftaddr: 'harbour' })).toEqual([])
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a member reads who moderates, and why it cannot post or read', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url, { colorScheme: 'dark', viewport: { width: 360, height: 640 } })
  const asAlice = await found('mill', alice, bob.address)
  await post(alice.address, 'mill', 'welcome')
  await arrive(bob)
  await visit(bob, '/c/mill')
  await bubble(bob, 'welcome').waitFor()
  const restrict = (body: object) =>
    asAlice.restrictMember({
      nftaddr: 'mill',
      walletaddr: bob.address,
      body: { reason: 'Take a break', ...body },
    })
  await restrict({ muted_until: 'forever' })
  await say(bob, 'may I?')
  await bob.page
    .getByRole('alert')
    .getByText(/Couldn’t send\. A moderator has muted you in this chat/)
    .waitFor()
  await bob.page
    .getByRole('alert')
    .getByText(/Take a break/)
    .waitFor()
  await bob.page.getByRole('button', { name: 'Delete' }).click()
  await restrict({})
  await asAlice.setChatRules({ nftaddr: 'mill', body: { slow_seconds: 5 } })
  await say(bob, 'a moment')
  await bob.page.getByRole('img', { name: 'Sent' }).waitFor()
  await say(bob, 'and on')
  // What waits for seconds goes out by itself.
  await bob.page.getByText(/^Waiting to be sent\. This chat is in slow/).waitFor()
  await bob.page.getByText(/^Waiting to be sent/).waitFor({ state: 'detached' })
  await asAlice.setChatRules({ nftaddr: 'mill', body: { slow_seconds: 0 } })
  await say(bob, 'first')
  await eventually(
    () => bob.page.getByRole('img', { name: 'Sent' }).count(),
    (count) => expect(count).toBe(3),
  )
  await asAlice.setChatRules({ nftaddr: 'mill', body: { slow_seconds: 3600 } })
  await say(bob, 'second')
  await bob.page.getByText(/This chat is in slow mode: you can post again at \w/).waitFor()
  expect(await bob.page.getByText(/\dT\d\d:/).count(), 'times are told as people write them').toBe(0)

  await visit(bob, '/c/mill/moderation')
  await bob.page.getByText(/^Owner since/).waitFor()
  await bob.page.getByText('1 hour between posts').waitFor()
  for (const name of ['Waiting for approval', 'Restricted', 'Activity'])
    expect(await bob.page.getByRole('heading', { name }).count(), name).toBe(0)
  expect(await faults(bob.page, { screenOnly: true })).toEqual([])
  await visit(bob, '/c/mill/about')
  await bob.page.getByRole('listitem').getByText('Owner', { exact: false }).waitFor()
  await restrict({ banned_until: new Date(Date.now() + 86_400_000).toISOString() })
  await bob.page.goto('/c/mill')
  await bob.page
    .getByText(/A moderator has banned you from this chat until/)
    .first()
    .waitFor()
  expect(await bob.page.getByText('Create it').count()).toBe(0)
  expect(bob.complaints).toEqual([])
})

test.concurrent('a post with a word waits: its author is told, and a moderator approves or rejects it', async () => {
  await using alice = await openPerson(site.url, {
    colorScheme: 'dark',
    viewport: { width: 360, height: 640 },
  })
  await using bob = await openPerson(site.url)
  const asAlice = await found('pier', alice, bob.address)
  await arrive(alice)
  await visit(alice, '/c/pier/moderation')
  await alice.page.getByText('30 seconds').click()
  await alice.page.getByText('Off', { exact: true }).click()
  await alice.page.getByLabel('Hold posts with these words').fill('airdrop\ncasino')
  await alice.page.getByRole('button', { name: 'Save the rules' }).click()
  await eventually(
    () => asAlice.getChatRules({ nftaddr: 'pier' }),
    (rules) => expect(rules).toEqual({ slow_seconds: 0, words: ['airdrop', 'casino'] }),
  )
  await arrive(bob, '/c/pier')
  for (const text of ['a free airdrop', 'to the Casino']) {
    await say(bob, text)
    await bubble(bob, text).waitFor()
  }
  await eventually(
    () => bob.page.getByText('Waiting for a moderator').count(),
    (count) => expect(count).toBe(2),
  )
  await visit(alice, '/c/pier')
  await alice.page.getByRole('link', { name: '2 posts are waiting for approval' }).click()
  const held = alice.page.getByRole('list', { name: 'Waiting for approval' })
  await held.getByText('a free airdrop').waitFor()
  expect(await faults(alice.page, { screenOnly: true })).toEqual([])
  await held.getByRole('button', { name: 'Approve: a free airdrop' }).click()
  await held.getByText('a free airdrop').waitFor({ state: 'detached' })
  await held.getByRole('button', { name: 'Reject: to the Casino' }).click()
  await held.waitFor({ state: 'detached' })
  await bubble(bob, 'Removed by a moderator').waitFor()
  await bob.page.getByText('Waiting for a moderator').first().waitFor({ state: 'detached' })
  await visit(alice, '/c/pier')
  await bubble(alice, 'a free airdrop').waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a chat is handed over after a fresh signature; who claims the chat of a contract is told why it fails', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  const asAlice = await found('quay', alice, bob)
  await asAlice.addModerator({ nftaddr: 'quay', walletaddr: bob })
  await arrive(alice)
  const { page } = alice
  await site.service.ctx.db.query(
    'update sessions set created_ms = created_ms - 3600000 where walletaddr = $1',
    [alice.address],
  )
  // The token of before says when it was signed.
  await page.goto('/c/quay/moderation')
  await page.getByRole('button', { name: 'Hand over…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Hand over', exact: true }).click()
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByRole('button', { name: 'Step down…' }).waitFor()
  expect(await asAlice.listModerators({ nftaddr: 'quay' })).toMatchObject([
    { walletaddr: bob, role: 'owner' },
    { walletaddr: alice.address, role: 'moderator' },
  ])
  await page.getByRole('button', { name: 'Step down…' }).click()
  await dialog.getByRole('button', { name: 'Step down' }).click()
  await page.getByRole('button', { name: 'Step down…' }).waitFor({ state: 'detached' })
  await visit(alice, `/nft/${punks}/moderation`)
  await page.getByRole('button', { name: 'Claim this chat' }).click()
  await page
    .getByRole('alert')
    .getByText(/connected to no chain/)
    .waitFor()
  expect(await faults(page)).toEqual([])
  expect(alice.complaints).toEqual([])
})
