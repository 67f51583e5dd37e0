// A person with a wallet of Solana, and one with a wallet of Ethereum.

import { expect, test } from 'vitest'
import { newSolanaWallet } from '../../testing/people/solana-wallet.ts'
import { newName } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, openPerson, say } from './person.ts'
import { useSite } from './site.ts'
import { openSolanaPerson } from './solana-wallet.ts'

const site = useSite()

test.concurrent('a wallet of Solana signs in by a text that it writes itself, and both write to each other', async () => {
  const wallet = newSolanaWallet()
  await using sol = await openSolanaPerson(site.url, wallet)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, sol, bob)
  const asSol = await site.service.as(sol.address)
  const name = newName('Sol')
  await asSol.setName({ body: { address: sol.address, name } })

  await sol.page.goto('/')
  await sol.page.getByRole('button', { name: 'Sign in with Test Wallet (Solana)' }).click()
  await sol.page.getByRole('heading', { name: 'Chats' }).waitFor()
  expect(sol.signed).toHaveLength(1)
  expect(sol.signed[0]).toMatch(
    new RegExp(`^${new URL(site.url).host} wants you to sign in with your Solana account:\n${sol.address}\n`),
  )
  await sol.page.goto(`/dm/${bob.address}`)
  await say(sol, 'gm from Solana')

  const note = 'Not encrypted: wallets of Solana can’t encrypt here yet.'
  await sol.page.getByText(note).waitFor()

  // Whole and with its case in links, names and the profile.
  await arrive(bob, `/dm/${sol.address}`)
  await bubble(bob, 'gm from Solana').waitFor()
  await bob.page.getByText(note).waitFor()
  await say(bob, 'gm from Ethereum')
  await bubble(sol, 'gm from Ethereum').waitFor()
  await bob.page
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click()
  await bob.page.getByRole('button', { name: `Copy the address ${sol.address}` }).waitFor()
  expect(await bob.page.getByRole('link', { name: 'explorer.solana.com' }).getAttribute('href')).toBe(
    `https://explorer.solana.com/address/${sol.address}`,
  )

  await sol.page.goto('/settings/encryption')
  await sol.page.getByText('Wallets of Solana can’t encrypt here yet.').waitFor()
  expect(await sol.page.getByRole('button', { name: 'Turn on encryption' }).count()).toBe(0)
  expect([...sol.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a wallet that signs any text signs in on a phone, by the envelope of a Ledger too', async () => {
  const wallet = newSolanaWallet()
  const domain = Buffer.from('\xffsolana offchain', 'latin1')
  const wrap = (text: Uint8Array) => Buffer.concat([domain, Buffer.of(1, 1), wallet.key, text])
  const phone = { viewport: { width: 390, height: 844 } }
  await using sol = await openSolanaPerson(site.url, wallet, { ...phone, writes: false, wrap })
  await sol.page.goto('/')
  await sol.page.getByRole('button', { name: 'Sign in with Test Wallet (Solana)' }).click()
  await sol.page.getByRole('heading', { name: 'Chats' }).waitFor()
  expect(sol.signed[0]).toContain('with your Solana account')
  expect(sol.complaints).toEqual([])
})
