// A chat is shared, and who is in it is found.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { arrive, eventually, openPerson, visit } from './person.ts'
import { punks } from './places.ts'
import { useSite } from './site.ts'

const site = useSite()

test('who has created a community finds its link, its code and the ways to send it', async () => {
  await using alice = await openPerson(site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = alice
  const asAlice = await site.service.as(alice.address)
  await asAlice.createCommunity({ body: { community: 'bakers' } })
  await asAlice.joinChat({ body: { walletaddr: alice.address, nftaddr: 'bakers' } })
  const bob = newWallet()
  await asAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: bob, message: 'gm Bob' } })
  await arrive(alice, '/c/bakers')
  const link = `${site.url}/c/bakers`
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Invite people' }).waitFor()
  await main.getByRole('img', { name: 'QR code of bakers' }).waitFor()
  await main.getByRole('button', { name: 'Copy link' }).click()
  await eventually(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (value) => expect(value).toBe(link),
  )
  expect(await faults(page)).toEqual([])
  await main.getByRole('button', { name: 'Send to someone' }).click()
  await page
    .getByRole('list', { name: 'Conversations to share with' })
    .getByRole('button', { name: /0x/ })
    .click()
  const field = page.getByRole('textbox', { name: /^Message 0x/ })
  await eventually(
    () => field.inputValue(),
    (value) => expect(value).toBe(`Join me in bakers: ${link}`),
  )

  await visit(alice, '/c/bakers')
  const message = page.getByRole('textbox', { name: 'Message bakers' })
  await message.fill('first loaf')
  await message.press('Enter')
  await page.getByRole('log').getByText('first loaf').waitFor()
  await page.getByRole('button', { name: 'Chat options' }).click()
  await page.getByRole('menuitem', { name: 'Invite people…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByText(link.replace('http://', '')).waitFor()
  await dialog.getByRole('img', { name: 'QR code of bakers' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await visit(alice, '/c/bakers/about')
  await main.getByRole('heading', { name: 'Invite people' }).waitFor()
  await visit(alice, `/nft/${punks}/about`)
  await main.getByRole('img', { name: /^QR code of/ }).waitFor()
  expect(alice.complaints).toEqual([])
})

test('members: who moderates first, names before addresses, found by name or address on any page', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const nftaddr = 'choir'
  const owner = `0xf${newWallet().slice(3)}`
  const asOwner = await site.service.as(owner)
  await asOwner.createCommunity({ body: { community: nftaddr } })
  await asOwner.joinChat({ body: { walletaddr: owner, nftaddr } })
  const wallets = Array.from(
    { length: 208 },
    (_, n) => `0x${String(n).padStart(3, '0')}${newWallet().slice(5)}`,
  )
  for (const walletaddr of wallets)
    await (await site.service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr } })
  const name = async (address: string, as: string) =>
    (await site.service.as(address)).setName({ body: { address, name: as } })
  await name(wallets[60]!, 'Zoe Alto')
  await name(wallets[120]!, 'Ann Soprano')
  await name(wallets[207]!, 'Basso Hidden')
  await name(owner, 'Mae Strong')
  await asOwner.addModerator({ nftaddr, walletaddr: wallets[150]! })
  await arrive(alice, `/c/${nftaddr}`)
  const rows = page.getByRole('list', { name: 'Members' }).getByRole('listitem')
  await eventually(
    async () => (await rows.allInnerTexts()).slice(0, 4).map((text) => text.split('\n')[0]),
    (first) =>
      expect(first).toEqual(['Mae Strong', expect.stringMatching(/^0x150/), 'Ann Soprano', 'Zoe Alto']),
  )
  expect(await rows.count()).toBe(50)
  await page.getByRole('searchbox', { name: 'Search members' }).fill('basso')
  await eventually(
    () => rows.allInnerTexts(),
    (texts) => expect(texts.map((text) => text.split('\n')[0])).toEqual(['Basso Hidden']),
  )
  await page.getByRole('searchbox', { name: 'Search members' }).fill('nobody')
  await page.getByRole('status').getByText('Nobody here is called “nobody”.').waitFor()
  await page.getByRole('searchbox', { name: 'Search members' }).fill(wallets[3]!.slice(0, 12))
  await eventually(
    () => rows.count(),
    (count) => expect(count).toBe(1),
  )
  // No event says that a wallet has joined: the list is read again when the page is looked at again.
  await page.getByRole('searchbox', { name: 'Search members' }).fill('')
  await page.getByText('Members · 209').waitFor()
  const late = newWallet()
  await (await site.service.as(late)).joinChat({ body: { walletaddr: late, nftaddr } })
  await name(late, 'Lea Tenor')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await rows.filter({ hasText: 'Lea Tenor' }).waitFor()
  await page.getByText('Members · 210').waitFor()
  // For who is no member yet, joining is what stands out.
  const look = (label: string) =>
    page
      .getByRole('main')
      .getByRole('button', { name: label, exact: true })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(await look('Moderation')).toBe('rgba(0, 0, 0, 0)')
  expect(await look('Join')).not.toBe('rgba(0, 0, 0, 0)')
  expect(alice.complaints).toEqual([])
})
