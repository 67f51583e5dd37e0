// A person with a wallet of Solana, and one with a wallet of Ethereum.

import { expect, test } from 'vitest'
import { newSolanaWallet } from '../../testing/people/solana-wallet.ts'
import { newName } from '../../testing/service/service.ts'
import { unlockText } from '../src/keys/crypto/unlock-text.ts'
import {
  acquaint,
  arrive,
  arriveWithEncryption,
  bubble,
  encryptionIsOn,
  openPerson,
  say,
  turnOnEncryption,
  visit,
} from './person.ts'
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

  // Whole and with its case in links, names and the profile.
  await arrive(bob, `/dm/${sol.address}`)
  await bubble(bob, 'gm from Solana').waitFor()
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
  expect([...sol.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a wallet of Solana encrypts with one signature, each side proves its key to the other, and another browser opens it', async () => {
  const wallet = newSolanaWallet()
  await using sol = await openSolanaPerson(site.url, wallet)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, sol, bob)
  await sol.page.goto('/')
  await sol.page.getByRole('button', { name: 'Sign in with Test Wallet (Solana)' }).click()
  await sol.page.getByRole('heading', { name: 'Chats' }).waitFor()
  await turnOnEncryption(sol)
  await encryptionIsOn(sol)
  expect(sol.signed.slice(1)).toEqual([unlockText(new URL(site.url).host, sol.address)])

  await arriveWithEncryption(bob)
  await visit(bob, `/dm/${sol.address}`)
  await bob.page.getByText(/^Only you and .* can read this\./).waitFor()
  await say(bob, 'under the third stone')
  await visit(sol, `/dm/${bob.address}`)
  await sol.page.getByText(/^Only you and .* can read this\./).waitFor()
  await bubble(sol, 'under the third stone').waitFor()
  await say(sol, 'which garden?')
  await bubble(bob, 'which garden?').waitFor()
  // What the service has says nothing, and each has the other's key with its proof.
  const stored = await (
    await site.service.as(sol.address)
  ).listConversation({ fromaddr: sol.address, toaddr: bob.address })
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toMatch(/stone|garden/)
  expect(
    stored.map(({ encrypted_sym_x_key }) => /parley-proof-\d/.exec(encrypted_sym_x_key!)![0]).toSorted(),
  ).toEqual(['parley-proof-1', 'parley-proof-2'])

  // The signature is the same elsewhere, so it opens the same keys there.
  await using later = await openSolanaPerson(site.url, wallet)
  await later.page.goto('/')
  await later.page.getByRole('button', { name: 'Sign in with Test Wallet (Solana)' }).click()
  await later.page.getByRole('heading', { name: 'Chats' }).waitFor()
  await visit(later, '/settings/encryption')
  await later.page.getByRole('button', { name: 'Unlock with your wallet' }).click()
  await encryptionIsOn(later)
  await visit(later, `/dm/${bob.address}`)
  await bubble(later, 'under the third stone').waitFor()

  // Off is a statement too, which Bob's page believes.
  await visit(sol, '/settings/encryption')
  await sol.page.getByRole('switch', { name: 'Encrypt direct messages' }).click()
  await sol.page
    .getByRole('switch', { name: 'Encrypt direct messages', checked: false, disabled: false })
    .waitFor()
  await bob.page.reload()
  await bob.page
    .getByText(/turned encryption off/)
    .first()
    .waitFor()
  expect([...sol.complaints, ...bob.complaints, ...later.complaints]).toEqual([])
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
  // Others could not verify what a Ledger signs, so it makes no key.
  await turnOnEncryption(sol)
  await sol.page.getByText('Encryption needs a wallet that signs a text as it is.').waitFor()
  expect(await (await site.service.as(sol.address)).getKey({ address: sol.address })).toEqual([])
  expect(sol.complaints).toEqual([])
})
