// Who gets into a community: its owner chooses that in words, and others read at its door what they lack.

import { afterAll, expect, test } from 'vitest'
import { startChain } from '../../testing/chains/chain.ts'
import { faults } from './axe.ts'
import { arrive, bubble, openPerson, visit } from './person.ts'
import { useSite } from './site.ts'

let chain: Awaited<ReturnType<typeof startChain>>
const site = useSite(async () => {
  chain = await startChain()
  return { rpcUrls: { [chain.chainId]: chain.url } }
})
afterAll(() => chain[Symbol.asyncDispose]())

test('an owner asks for coins and tries it first; a member without them reads at the door what is missing, and gets in with them', async () => {
  await using owner = await openPerson(site.url)
  await using member = await openPerson(site.url)
  const coin = await chain.deploy('Coins.sol', 'Coins', ['Garden', 'GARD', 18])
  const give = async (to: string, coins: bigint) => {
    const args = [to, coins * 10n ** 18n]
    const hash = await chain.client.writeContract({ ...coin, functionName: 'give', args })
    await chain.client.waitForTransactionReceipt({ hash })
  }
  const asOwner = await site.service.as(owner.address)
  await asOwner.createCommunity({ body: { community: 'orchard' } })
  for (const { address: walletaddr } of [owner, member])
    await (await site.service.as(walletaddr)).joinChat({ body: { walletaddr, nftaddr: 'orchard' } })
  const body = { fromaddr: owner.address, nftaddr: 'orchard', message: 'the harvest' }
  await asOwner.postGroupMessage({ body })
  await give(member.address, 20n)

  await arrive(owner, '/c/orchard/moderation')
  const { page } = owner
  await page.getByRole('button', { name: 'Add a condition', exact: true }).click()
  await page.getByLabel('Contract').fill(member.address)
  await page.getByLabel('At least how much').fill('100')
  await page.getByRole('button', { name: 'Try it' }).click()
  // The fault is said at its field.
  await page.getByText(/there is no contract at this address/).waitFor()
  await page.getByLabel('Contract').fill(coin.address)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('1 of 2 members would lose access').waitFor()
  expect(await faults(page), 'the form').toEqual([])
  await page.getByRole('button', { name: 'Save who gets in' }).click()
  await page.getByText('To read and post you need at least 100 GARD on Chain 31337.').waitFor()

  await arrive(member, '/c/orchard')
  await member.page.getByText('You need at least 100 GARD on Chain 31337.').waitFor()
  await member.page.getByText('You have 20 GARD. You need 80 GARD more.').waitFor()
  expect(await faults(member.page), 'the door').toEqual([])
  await give(member.address, 100n)
  await member.page.getByRole('button', { name: 'Check again' }).click()
  await bubble(member, 'the harvest').waitFor()

  await asOwner.setGate({ nftaddr: 'orchard', body: { post: { wallets: [owner.address] } } })
  await visit(member, '/c/orchard')
  await member.page.reload()
  await member.page.getByText('To post you need to be the listed wallet.').waitFor()
  expect(await member.page.getByRole('textbox', { name: /Message/ }).count()).toBe(0)
})
