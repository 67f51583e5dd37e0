// Names in ENS stand beside the names of people, and what somebody types is never looked up as another name unasked.

import { afterAll, test } from 'vitest'
import { startChain } from '../../testing/chains/chain.ts'
import { type Ens, installEns } from '../../testing/chains/ens.ts'
import { newWallet } from '../../testing/service/service.ts'
import { faults } from './axe.ts'
import { acquaint, arrive, openPerson, visit } from './person.ts'
import { useSite } from './site.ts'
import { newTown } from './talking.ts'

const stack = new AsyncDisposableStack()
let ens: Ens
const site = useSite(async () => {
  const chain = stack.use(await startChain())
  ens = await installEns(chain)
  return { rpcUrls: { 1: chain.url, 8453: chain.url } }
})
afterAll(() => stack.disposeAsync())

test('a name in ENS is shown beside a name here, in every place, and says whose it is not', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const [mira, eve] = [newWallet(), newWallet()]
  const [asMira, asEve] = [await site.service.as(mira), await site.service.as(eve)]
  await asMira.setName({ body: { address: mira, name: 'Mira' } })
  await acquaint(site.service, alice, mira)
  await asMira.sendDirectMessage({ body: { fromaddr: mira, toaddr: alice.address, message: 'gm' } })
  await asEve.sendDirectMessage({ body: { fromaddr: eve, toaddr: alice.address, message: 'hi there' } })
  await ens.callElsewhere(mira, 'miranda.eth')
  await ens.pointOn(8453, 'miranda.eth', mira)
  await ens.name(eve, 'rnira.eth')
  const asAlice = await site.service.as(alice.address)
  await asAlice.listChainNames({ query: { addresses: eve } })
  await site.service.runJobs()
  const asked = page.waitForResponse(/chain_names/)
  await arrive(alice)
  // Nobody has asked for this one before: it appears by itself.
  await asked
  await site.service.runJobs()
  const row = page.getByRole('link', { name: 'Mira' })
  await row.getByText('Name in ENS on Base: miranda.eth').waitFor()
  expect(await row.innerText()).toMatch(/^Mira\s/)
  await row.click()
  await page.getByRole('heading', { name: 'Mira', exact: true }).waitFor()
  await page.getByRole('main').getByText('miranda.eth').waitFor()
  await page.getByRole('button', { name: 'Profile of Mira' }).click()
  await page.getByRole('dialog').getByText('miranda.eth').waitFor()
  await page.keyboard.press('Escape')
  // A stranger whose name there looks like that of somebody else.
  await visit(alice, '/requests')
  const request = page.getByRole('main').getByRole('listitem').filter({ hasText: 'rnira.eth' })
  await request.getByText('Not Mira').waitFor()
  expect(await faults(page)).toEqual([])
  await visit(alice, `/dm/${eve}`)
  await page.getByText('looks like that of Mira, but it’s another wallet').waitFor()
  const { town } = await newTown(site, alice)
  await asMira.joinChat({ body: { walletaddr: mira, nftaddr: town } })
  await visit(alice, `/c/${encodeURIComponent(town)}/about`)
  await page.getByRole('list', { name: 'Members' }).getByText('miranda.eth').waitFor()
  expect(alice.complaints).toEqual([])
})

test('a link or a typed name that ENS writes differently is asked about, and one that is none is refused', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url, { viewport: { width: 390, height: 844 } })
  const { page } = alice
  const [right, other] = [newWallet(), newWallet()]
  await ens.point('alix.eth', right)
  await ens.point('aiix.eth', other)
  await arrive(alice)
  await visit(alice, '/dm/Alix.eth')
  await page.waitForURL(`**/dm/${right}`)
  await visit(alice, '/dm/aIix.eth')
  await page.getByText('Do you mean aiix.eth?').waitFor()
  expect(await faults(page)).toEqual([])
  await page.getByRole('link', { name: 'aiix.eth' }).click()
  await page.waitForURL(`**/dm/${other}`)
  await visit(alice, '/')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  const field = page.getByLabel('Wallet address or name')
  await field.fill('aIix.eth')
  await page.getByRole('option', { name: 'Look up aiix.eth' }).waitFor()
  await field.press('Enter')
  await page.getByText('In ENS that is written “aiix.eth”').waitFor()
  await field.fill('аlix.eth')
  await field.press('Enter')
  await page.getByText('can’t be a name in ENS').waitFor()
  await field.fill('alix.eth')
  await field.press('Enter')
  await page.waitForURL(`**/dm/${right}`)
  expect(alice.complaints).toEqual([])
})
