// The dialog that starts a conversation: what its one field finds.

import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { acquaint, arrive, openPerson } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test('it offers whom one knows, communities that there are, and nothing that is a guess', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const bob = newWallet()
  const asBob = await site.service.as(bob)
  await asBob.setName({ body: { address: bob, name: 'Sandpiper' } })
  await asBob.createCommunity({ body: { community: 'sandbank' } })
  await acquaint(site.service, alice, bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message: 'gm' } })
  const friend = newWallet()
  await (await site.service.as(alice.address)).setContact({ peer: friend, body: { alias: 'Sandra' } })
  await arrive(alice)
  await page.getByRole('link', { name: /Sandpiper/ }).waitFor()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  const field = dialog.getByRole('combobox', { name: 'Wallet address or name' })
  const active = () =>
    field.evaluate(
      (element) => document.getElementById(element.getAttribute('aria-activedescendant')!)?.innerText,
    )
  const found = dialog.getByRole('listbox', { name: 'Found' }).getByRole('option')
  const names = async () => (await found.allInnerTexts()).map((text) => text.split('\n')[0])
  await expect.poll(names).toEqual(['Sandpiper', 'Sandra'])
  expect(await faults(page)).toEqual([])
  await field.fill('sand')
  await expect.poll(names).toEqual(['Sandpiper', 'Sandra', 'sandbank'])
  await field.fill('vitalik.eth')
  await expect.poll(names).toEqual([])
  expect(await dialog.getByText('community', { exact: false }).count()).toBe(1)
  expect(await dialog.getByRole('option', { name: /NFT chat/ }).count()).toBe(0)
  // A name that no wallet has is no error where something fits.
  await field.fill('sandb')
  await expect.poll(names).toEqual(['sandbank'])
  expect(await dialog.getByText('Nobody here is called').count()).toBe(0)
  // The arrows go through the list and the focus stays; an address that is pasted comes first.
  await field.fill('sand')
  await expect.poll(active).toMatch(/^Sandpiper/)
  await field.press('ArrowDown')
  expect(await active()).toMatch(/^Sandra/)
  await field.fill(newWallet())
  await expect.poll(active).toMatch(/^Message 0x/)
  expect(await found.allInnerTexts()).toEqual([
    expect.stringMatching(/^Message/),
    expect.stringMatching(/^Open an NFT/),
  ])
  expect(await faults(page)).toEqual([])
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill('sandb')
  await expect.poll(names).toEqual(['sandbank'])
  await field.press('Enter')
  await page.getByRole('heading', { name: 'sandbank' }).waitFor()
  expect(alice.complaints).toEqual([])
})
