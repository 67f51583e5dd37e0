import { expect, test } from 'vitest'
import { codeFor } from '../../testing/people/moving-here.ts'
import { newWallet } from '../../testing/service/service.ts'
import { chatBucket } from '../../server/src/values/bucket.ts'
import { bubble, openPerson, say, arrive, visit } from './person.ts'
import { useSite } from './site.ts'
import { punks } from './places.ts'

const site = useSite()

test.concurrent('a community is created, found, joined, talked in and left', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await arrive(alice, '/communities/new')
  await alice.page.getByRole('main').getByLabel('Name', { exact: true }).fill('Gallery')
  await alice.page.getByLabel('Name there').fill('gallery')
  await alice.page.getByRole('button', { name: 'Create community' }).click()
  await say(alice, 'welcome')
  await bubble(alice, 'welcome').waitFor()

  await arrive(bob, '/c/gallery')
  await bob.page.getByText('1 member', { exact: true }).waitFor()
  await bob.page.getByText('welcome').waitFor()
  expect(await bob.page.getByRole('link', { name: 'twitter gallery' }).getAttribute('href')).toBe(
    'https://x.com/gallery',
  )
  await bob.page.getByRole('button', { name: 'Join', exact: true }).click()
  await say(bob, 'glad to be here')
  await bubble(alice, 'glad to be here').waitFor()

  await visit(bob, '/')
  await bob.page.getByRole('tab', { name: 'Communities' }).click()
  await say(alice, 'bring a friend')
  const row = bob.page.getByRole('navigation').getByRole('link', { name: /^Gallery/ })
  await row.getByText('1 unread').waitFor({ state: 'attached' })
  await row.click()
  await bubble(bob, 'bring a friend').waitFor()
  await row.getByText('1 unread').waitFor({ state: 'detached' })

  await bob.page.getByRole('button', { name: 'Chat options' }).click()
  await bob.page.getByRole('menuitem', { name: 'Leave', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  expect(await (await site.service.as(bob.address)).listBookmarks({ address: bob.address })).toEqual([])
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a post is removed by its author or the creator of the community, and an imported person is somebody here: all see both at once', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const [asAlice, asBob] = [await site.service.as(alice.address), await site.service.as(bob.address)]
  await asAlice.createCommunity({ body: { community: 'orangery' } })
  await asBob.joinChat({ body: { walletaddr: bob.address, nftaddr: 'orangery' } })
  await asAlice.joinChat({ body: { walletaddr: alice.address, nftaddr: 'orangery' } })
  for (const message of ['long ago', 'buy my coin', 'a typo'])
    await asBob.postGroupMessage({ body: { fromaddr: bob.address, nftaddr: 'orangery', message } })
  const { db } = site.service.ctx
  const rosa = 'discord:77'
  const at = [chatBucket('orangery'), 'orangery', rosa]
  await db.query(
    `update group_messages set fromaddr = $3, marks = marks | 64 where bucket = $1 and chat = $2 and message = 'long ago'`,
    at,
  )
  await db.query('insert into group_visits (bucket, chat, walletaddr, posted) values ($1, $2, $3, 1)', at)
  await Promise.all([arrive(alice, '/c/orangery'), arrive(bob, '/c/orangery')])
  const remove = async ({ page }: typeof alice, text: string) => {
    await page.getByRole('button', { name: new RegExp(`^Message options: .*${text}`) }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Remove for everyone' }).click()
    // Another notice ends the one with Undo, so that the test need not wait.
    await page
      .getByRole('button', { name: /^Message options/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Copy text' }).click()
  }
  await bubble(bob, 'a typo').waitFor()
  await remove(bob, 'a typo')
  await Promise.all([alice, bob].map((one) => bubble(one, 'Removed by its author').waitFor()))
  await remove(alice, 'buy my coin')
  await Promise.all([alice, bob].map((one) => bubble(one, 'Removed by a moderator').waitFor()))
  for (const { page } of [alice, bob]) {
    expect(await page.getByText('buy my coin').count()).toBe(0)
    await page.getByRole('navigation').getByText('Removed by its author').waitFor()
  }
  const allShow = (mark: RegExp) =>
    Promise.all([alice, bob].map(({ page }) => page.getByRole('main').getByText(mark).waitFor()))
  await allShow(/^Imported$/)
  const carol = newWallet()
  const asCarol = await site.service.as(carol)
  await asCarol.claimImported({ body: { code: await codeFor(db, rosa) } })
  await allShow(new RegExp(`^Imported, now ${carol.slice(0, 6)}`))
  await asCarol.releaseImported({ imported: rosa })
  await allShow(/^Imported$/)
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a name that is in use is refused with the reason', async () => {
  await using alice = await openPerson(site.url)
  await (await site.service.as(`0x${'1'.repeat(40)}`)).createCommunity({ body: { community: 'museum' } })
  await arrive(alice, '/communities/new')
  await alice.page.getByRole('main').getByLabel('Name', { exact: true }).fill('MUSEUM')
  await alice.page.getByRole('button', { name: 'Create community' }).click()
  await alice.page.getByText('Another wallet has created this community.').waitFor()
})

test.concurrent('an NFT has a chat, public comments, and conversations about it', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await arrive(alice)
  await alice.page.getByRole('button', { name: 'New conversation' }).first().click()
  await alice.page.getByLabel('Wallet address or name').fill(punks)
  await alice.page.getByRole('option', { name: /Open an NFT chat/ }).click()
  await alice.page.getByRole('button', { name: 'Join', exact: true }).click()
  await say(alice, 'who holds one with a hat?')
  await arrive(bob, `/nft/${punks}`)
  await bubble(bob, 'who holds one with a hat?').waitFor()

  await bob.page.getByRole('button', { name: 'Chat options' }).click()
  await bob.page.getByRole('menuitem', { name: 'Comments on a token' }).click()
  await bob.page.getByLabel('Token id').fill('721')
  await bob.page.getByRole('button', { name: 'Open comments' }).click()
  await bob.page.getByRole('textbox', { name: 'Add a public comment' }).waitFor()
  await say(bob, 'what a hat')
  await bob.page.getByRole('img', { name: 'Sent' }).waitFor()
  await visit(alice, `/nft/${punks}/721`)
  await bubble(alice, 'what a hat').waitFor()

  await visit(alice, `/dm/${bob.address}`)
  await alice.page.getByRole('button', { name: 'Conversation options' }).click()
  await alice.page.getByRole('menuitem', { name: 'Talk about an NFT' }).click()
  await alice.page.getByLabel('Contract address').fill(punks)
  await alice.page.getByLabel('Token id').fill('721')
  await alice.page.getByRole('button', { name: 'Continue' }).click()
  await alice.page.getByText('No messages about this NFT yet.').waitFor()
  await say(alice, 'is it for sale?')
  await visit(bob, `/dm/${alice.address}`)
  await bubble(bob, 'is it for sale?').waitFor()
  await bob.page.getByRole('log').getByRole('link', { name: 'About 0xb47e…3bbb #721' }).waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})
