// How a person gets in, by the wallets there are.

import { devices } from 'playwright-core'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { openPerson, signIn, turnOnEncryption } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const none = { announced: false }

test.concurrent.each([
  ['MetaMask', { isMetaMask: true }],
  ['Coinbase Wallet', { isMetaMask: true, isCoinbaseWallet: true }],
  ['Browser wallet', {}],
] as const)('a wallet that is only at window.ethereum is offered: %s', async (name, flags) => {
  await using alice = await openPerson(site.url, { wallet: { ...none, flags } })
  const { page } = alice
  await page.goto('/')
  await page.getByRole('button', { name: `Sign in with ${name}` }).click()
  await page.getByRole('heading', { name: 'Chats' }).waitFor()
  // It is found again after a reload, for further signatures.
  await turnOnEncryption(alice)
  await page.getByRole('switch', { name: 'Encrypt direct messages' }).waitFor()
  expect(alice.signed).toHaveLength(2)
  expect(alice.complaints).toEqual([])
})

test.concurrent.each(['event', 'silent'] as const)(
  'a wallet that comes late to window.ethereum is offered then: %s',
  async (late) => {
    const flags = { isRabby: true, isMetaMask: true } as const
    await using alice = await openPerson(site.url, { wallet: { ...none, flags, late } })
    await alice.page.goto('/')
    await alice.page.getByText('No wallet found').waitFor()
    await alice.page.evaluate(() => dispatchEvent(new Event('wallet-comes')))
    await alice.page.getByRole('button', { name: 'Sign in with Rabby Wallet' }).click()
    await alice.page.getByRole('heading', { name: 'Chats' }).waitFor()
  },
)

test.concurrent('a wallet that announces itself and is at window.ethereum too is offered once', async () => {
  await using alice = await openPerson(site.url, { wallet: { flags: { isMetaMask: true } } })
  await alice.page.goto('/')
  await alice.page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  expect(await alice.page.getByRole('button', { name: /^Sign in with/ }).count()).toBe(1)
  await signIn(alice)
})

test.concurrent('a phone without a wallet has links that open this page in the apps of wallets, and asks nobody', async () => {
  await using alice = await openPerson(site.url, { ...devices['Pixel 7'], wallet: none })
  const { page } = alice
  const path = `/dm/${newWallet()}?nftaddr=0xb&nftid=1`
  await page.goto(`${path}#a-secret`)
  await page.getByText('This browser has no wallet').waitFor()
  const links = await page
    .getByRole('link', { name: /^Open in/ })
    .evaluateAll((found) => found.map((link) => [link.textContent, link.getAttribute('href')]))
  const { host } = new URL(site.url)
  const encoded = encodeURIComponent(site.url + path)
  expect(links).toEqual([
    ['Open in MetaMask', `https://link.metamask.io/dapp/${host}${path}`],
    ['Open in Coinbase Wallet', `https://go.cb-w.com/dapp?cb_url=${encoded}`],
    ['Open in Trust Wallet', `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`],
    ['Open in Rainbow', `https://rnbwapp.com/dapp?url=${encoded}`],
  ])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(alice.complaints).toEqual([])
})

test.concurrent.each([
  ['a computer', { wallet: none }],
  ['a computer with a touch screen', { wallet: none, hasTouch: true }],
  ['the browser of a wallet’s app', { ...devices['iPhone 15'], wallet: { ...none, flags: {} } }],
])('there are no links to apps on %s', async (_where, options) => {
  await using alice = await openPerson(site.url, options)
  await alice.page.goto('/')
  await alice.page.getByText(/No wallet found|Sign in with Browser wallet/).waitFor()
  expect(await alice.page.getByRole('link', { name: /^Open in/ }).count()).toBe(0)
})
