// Who gets into a community: its owner chooses that in words, and others read at its door what they lack.

import { afterAll, expect, test } from 'vitest'
import type { GateRule } from '@parley/sdk/contract/gate-models.ts'
import { startChain } from '../../testing/chains/chain.ts'
import { newWallet } from '../../testing/service/service.ts'
import { enteredOf, gateOf } from '../src/gates/entered.ts'
import { isShallow } from '../src/gates/limits.ts'
import { faults } from './axe.ts'
import { arrive, bubble, eventually, openPerson, visit } from './person.ts'
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
  const give = (to: string, coins: bigint) => chain.write(coin, 'give', [to, coins * 10n ** 18n])
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
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByText('To read and post you need at least 100 GARD on Chain 31337.').waitFor()

  // A group in it, by the keyboard: what was added has the focus.
  await page.getByRole('button', { name: 'Add a group', exact: true }).press('Enter')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('textbox', { name: 'Wallets' }).fill(newWallet())
  await page.getByRole('button', { name: 'Add a condition to group 2' }).press('Enter')
  await page.getByRole('group', { name: 'Condition 2.2' }).getByLabel('Contract').fill(coin.address)
  await page.getByRole('radio', { name: 'Who doesn’t hold it' }).last().press('Space')
  await page.getByLabel('Less than').fill('500')
  const group =
    'at least 100 GARD on Chain 31337, or (to be the listed wallet, and less than 500 GARD on Chain 31337)'
  await page.getByText(`To read and post you need ${group}.`).waitFor()
  expect(await faults(page), 'groups').toEqual([])
  await page.getByRole('button', { name: 'Save who gets in' }).click()
  await eventually(
    () => asOwner.getGate({ nftaddr: 'orchard' }),
    ({ read_words }) => expect(read_words).toBe(group),
  )

  await arrive(member, '/c/orchard')
  await member.page.getByText('One of these').waitFor()
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

test('the form keeps every rule that the service takes: what was stored comes out as it was', () => {
  const coin = { chain: 1, contract: newWallet(), standard: 'erc20', min: '0.5', held_hours: 72 } as const
  const hat: GateRule = { chain: 8453, contract: newWallet(), standard: 'erc721', min: '2', ids: ['7', '8'] }
  const listed = { wallets: [newWallet(), newWallet()] }
  const rules: GateRule[] = [
    { any: [coin, { all: [hat, { not: listed }] }, { any: [{ all: [listed] }] }] },
    { not: { any: [{ all: [coin, hat] }, listed] } },
    { all: [{ not: { all: [coin, hat] } }, { not: { any: [listed] } }] },
  ]
  for (const rule of rules)
    expect(gateOf(enteredOf({ read: rule, post: rule }))).toEqual({ read: rule, post: rule })
  // A rule without a group becomes one of a group of one; what is turned round twice is what it was.
  expect(gateOf(enteredOf({ read: coin, post: { not: { not: { all: [hat] } } } }))).toEqual({
    read: { any: [coin] },
    post: { all: [hat] },
  })
  expect(gateOf(enteredOf({}))).toEqual({})
  const shown = [...new Set(rules.map((rule) => isShallow(enteredOf({ read: rule }).read)))]
  expect(shown).toEqual([true])
  expect(isShallow(enteredOf({ read: { any: [rules[1]!] } }).read)).toBe(false)
})
