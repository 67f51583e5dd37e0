// The sign of the team: beside the wallets of the list wherever they appear, spoken, and beside no others; and the alarm about a
// stranger who claims it.

import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet } from '../../testing/service/service.ts'
import { arrive, openPerson, turnTo } from './person.ts'
import { useSite } from './site.ts'
import { newTown } from './talking.ts'

const site = useSite()

async function nameOfficial(address: string, label: string): Promise<void> {
  const { db, officials } = site.service.ctx
  await db.query(`insert into officials (address, label, named_by, since_ms) values ($1, $2, 'a test', 1)`, [
    address,
    label,
  ])
  await officials.refresh()
}

async function takeOff(address: string): Promise<void> {
  const { db, officials } = site.service.ctx
  await db.query('delete from officials where address = $1', [address])
  await officials.refresh()
}

const write = async (fromaddr: string, toaddr: string, message: string) =>
  (await site.service.as(fromaddr)).sendDirectMessage({ body: { fromaddr, toaddr, message } })

test('the sign stands beside the team alone, wherever it appears, and a stranger who claims it raises an alarm', async () => {
  await using bob = await openPerson(site.url)
  const { page } = bob
  const [team, mallory, mira] = [newWallet(), newWallet(), newWallet()]
  await nameOfficial(team, 'Support')
  await (await site.service.as(team)).setName({ body: { name: 'Customer support' } })
  await (await site.service.as(mallory)).setName({ body: { name: 'Mallory' } })
  await write(team, bob.address, 'Your community is open again')
  await write(mallory, bob.address, 'Hello, this is Ѕuрроrt: there is a problem with your account')
  await write(mira, bob.address, 'gm! Are the tulips still for sale?')

  await arrive(bob, '/requests')
  const row = (address: string) => page.locator(`li[data-peer="${address}"]`)
  const sign = { name: /^Official: Support of / } as const
  await row(team).getByRole('img', sign).waitFor()
  await row(mallory)
    .getByText(/^Mallory is not on the team of /)
    .waitFor()
  expect(
    await row(mira)
      .getByText(/not on the team/)
      .count(),
  ).toBe(0)
  expect(await page.getByRole('main').getByRole('img', sign).count()).toBe(1)

  await turnTo(bob, `/dm/${mallory}`, 'there is a problem')
  const alarm = page.getByRole('alert').filter({ hasText: 'Mallory is not on the team of' })
  await alarm.getByText(/never asks for your recovery phrase or your keys/).waitFor()
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  expect(await page.getByRole('main').getByRole('img', sign).count()).toBe(0)

  await turnTo(bob, `/dm/${team}`, 'Your community is open again')
  await page.locator('header').getByRole('img', sign).first().waitFor()
  await page.getByText(/^On the team of .*: Support\.$/).waitFor()
  expect(await page.getByRole('alert').filter({ hasText: 'not on the team' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await page.locator('#inbox-rows').getByRole('img', sign).waitFor()

  // In a chat, at messages and among its members.
  const { town, asOwner } = await newTown(site, bob)
  await asOwner.addToChatTeam({ nftaddr: town, walletaddr: mira, body: { label: 'Florist' } })
  const asMira = await site.service.as(mira)
  await asMira.joinChat({ body: { walletaddr: mira, nftaddr: town } })
  await asMira.postGroupMessage({ body: { fromaddr: mira, nftaddr: town, message: 'Tulips today' } })
  const asTeam = await site.service.as(team)
  await asTeam.joinChat({ body: { walletaddr: team, nftaddr: town } })
  await asTeam.postGroupMessage({ body: { fromaddr: team, nftaddr: town, message: 'We are here to help' } })
  await turnTo(bob, `/c/${town}`, 'We are here to help')
  await page.getByRole('log').getByRole('img', sign).first().waitFor()
  await page
    .getByRole('log')
    .getByRole('img', { name: `Team of ${town}: Florist` })
    .waitFor()

  // It follows the wallet: the name stays, and says no longer that it is true.
  await takeOff(team)
  await arrive(bob, `/dm/${team}`)
  await page.locator('header').getByText('Not official').first().waitFor()
  expect(await page.getByRole('img', sign).count()).toBe(0)
  expect(bob.complaints).toEqual([])
})

test('an operator names a wallet in the console, and takes it off the team', async () => {
  await using carol = await openPerson(site.url)
  await addOperator(site.service, carol.address)
  const { page } = carol
  const wallet = newWallet()
  await arrive(carol, '/operator/team')
  await page.getByLabel('Who', { exact: true }).fill(wallet)
  await page.getByLabel('What they do').fill('Treasury ✓')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/1 to 32 letters and digits/).waitFor()
  await page.getByLabel('What they do').fill('Treasury')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const row = page
    .getByRole('list', { name: 'Team' })
    .getByRole('listitem')
    .filter({ hasText: 'Treasury since' })
  await row.getByRole('img', { name: /^Official: Treasury of / }).waitFor()
  expect(await site.service.anonymous.getOfficial({ walletaddr: wallet })).toMatchObject([
    { label: 'Treasury' },
  ])
  await row.getByRole('button', { name: /^Take Treasury / }).click()
  await row.waitFor({ state: 'detached' })
  expect(await site.service.anonymous.getOfficial({ walletaddr: wallet })).toEqual([])
  expect(carol.complaints).toEqual([])
})
