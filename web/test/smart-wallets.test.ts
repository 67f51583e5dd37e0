// Smart wallets in the browser: they sign in on their own chain, and others see who has checked their keys.

import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../testing/chains/chain.ts'
import { acquaint, arrive, bubble, encryptionIsOn, openPerson, say, signIn, visit } from './person.ts'
import { useSite } from './site.ts'

let chain: Chain
const site = useSite(async () => {
  chain = await startChain()
  return { rpcUrls: { [chain.chainId]: chain.url } }
})
let key: `0x${string}`
let contract: `0x${string}`
beforeAll(async () => {
  key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  ;({ address: contract } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address]))
})
afterAll(() => chain[Symbol.asyncDispose]())

const readChain = async (method: string, params: unknown[]) =>
  chain.client.request({ method, params } as never)

test('a smart wallet encrypts; others see whether their own wallet has checked its key or the service vouches for it; a recovery code opens it elsewhere', async () => {
  const wallet = { chainId: chain.chainId }
  await using mira = await openPerson(site.url, { key, contract, wallet, readChain })
  await using bob = await openPerson(site.url, { wallet, readChain })
  await acquaint(site.service, mira, bob)
  await signIn(mira)
  expect(mira.signed[0]).toContain(`\nChain ID: ${chain.chainId}\n`)
  await visit(mira, '/settings/encryption')
  await mira.page.getByRole('button', { name: 'Turn on encryption' }).click()
  const code = mira.page.getByRole('dialog').getByText(/^(\w{4}-){7}\w{4}$/)
  const recovery = await code.textContent()
  await mira.page.getByRole('button', { name: 'I have saved it' }).click()
  await encryptionIsOn(mira)
  // One signature, of a text that says what it is for.
  expect(mira.signed).toHaveLength(2)
  expect(mira.signed[1]).toMatch(/^My encryption key on 127\.0\.0\.1:\d+\.\n.*Encryption: on 1 [\w-]{43}\n/s)

  // Bob's wallet is on the same chain and asks the contract itself.
  await arrive(bob, '/settings/encryption')
  await bob.page.getByRole('button', { name: 'Turn on encryption' }).click()
  await encryptionIsOn(bob)
  await visit(bob, `/dm/${contract}`)
  await bob.page.getByText(/^Only you and .* can read this\./).waitFor()
  await say(bob, 'under the third stone')
  await visit(mira, `/dm/${bob.address}`)
  await bubble(mira, 'under the third stone').waitFor()
  await say(mira, 'which garden?')
  await bubble(bob, 'which garden?').waitFor()
  expect(await bob.page.getByText('vouched for').count()).toBe(0)

  // On another chain it cannot: the service is asked, and the page says that it is its word.
  await bob.page.addInitScript(() => {
    addEventListener('eip6963:announceProvider', ({ detail }: CustomEventInit) => {
      const { provider } = detail as { provider: { request: (asked: { method: string }) => unknown } }
      const before = provider.request
      provider.request = (asked) => (asked.method === 'eth_chainId' ? '0x1' : before(asked))
    })
  })
  await bob.page.reload()
  await bubble(bob, 'which garden?').waitFor()
  await bob.page.getByText(/key is vouched for by 127\.0\.0\.1:\d+: your wallet couldn’t check it/).waitFor()
  await bob.page.getByRole('log').getByText('vouched for').waitFor()

  // A second browser of the smart wallet has the code alone.
  await using tablet = await openPerson(site.url, { key, contract, wallet, readChain })
  await signIn(tablet)
  await visit(tablet, '/settings/encryption')
  await tablet.page.getByLabel('Recovery code').fill(recovery!)
  await tablet.page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await encryptionIsOn(tablet)
  await visit(tablet, `/dm/${bob.address}`)
  await bubble(tablet, 'under the third stone').waitFor()

  // A service that shows a key which the contract has not signed is seen.
  await site.service.ctx.db.query(
    `update keys set public_key = overlay(public_key placing 'AAAA' from 1) where address = $1`,
    [contract],
  )
  await bob.page.reload()
  await bob.page.getByText(/is not signed by their wallet for .* Nothing is encrypted to it/).waitFor()
  expect([...mira.complaints, ...bob.complaints, ...tablet.complaints]).toEqual([])
})

test('a smart wallet on a chain that the service cannot ask hears so before it signs', async () => {
  await using mira = await openPerson(site.url, { key, contract, wallet: { chainId: 8453 }, readChain })
  await mira.page.goto('/')
  await mira.page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await mira.page
    .getByRole('alert')
    .getByText(/This is a smart wallet on chain 8453, and 127.* can’t check/)
    .waitFor()
  expect(mira.signed).toEqual([])
  await mira.page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  // A plain account signs for any chain.
  await using bob = await openPerson(site.url, { wallet: { chainId: 8453 }, readChain })
  await signIn(bob)
  expect(bob.signed[0]).toContain('\nChain ID: 8453\n')
})
