// A wallet on another device, by WalletConnect.

import { expect, test } from 'vitest'
import { newWallet, startSite } from '../../testing/service/service.ts'
import { openPerson, type Person } from './person.ts'
import { useSite } from './site.ts'
import { connectWallet, createRelay } from './relay.ts'

const site = useSite({
  walletConnectProjectId: '0123456789abcdef0123456789abcdef',
  // No node of it is asked here: a plain account signs.
  rpcUrls: { 8453: 'http://127.0.0.1:9' },
})

const none = { announced: false }

/** Leads what the page sends to the relay of WalletConnect to a stand-in. Answers the addresses asked. */
async function stand(person: Person) {
  const relay = createRelay()
  const asked: string[] = []
  await person.context.routeWebSocket(/./, (socket) => {
    asked.push(new URL(socket.url()).origin)
    const receive = relay.join((text) => socket.send(text))
    socket.onMessage((text) => receive(String(text)))
  })
  return { relay, asked }
}

/** Asks for the code and reads it. */
async function showCode({ page, context }: Person): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: /another device/ }).click()
  await page.getByRole('img', { name: 'QR code for your wallet' }).waitFor()
  await page.getByRole('button', { name: 'Copy the code as text' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

// This one runs alone: the pages of a browser share its clipboard.
test('a wallet on another device reads the code, signs in, and signs again while the page is open', async () => {
  await using alice = await openPerson(site.url, { wallet: none })
  const { page } = alice
  const { relay, asked } = await stand(alice)
  await page.goto('/')
  const nonces: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/nonce')) nonces.push(new URL(request.url()).search)
  })
  const uri = await showCode(alice)
  expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?.*symKey=[0-9a-f]{64}/)
  await using _wallet = await connectWallet(relay, uri, alice.key)
  await page.getByRole('heading', { name: 'Chats' }).waitFor()
  // The wallet was offered the chain of the service, and has its account there.
  expect(nonces).toEqual(['?chain_id=8453'])
  // Without a reload, which would end the connection.
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Profile and settings' }).click()
  await page.getByRole('link', { name: 'Encryption', exact: false }).first().click()
  await page.getByRole('button', { name: 'Turn on encryption' }).click()
  await page.getByRole('switch', { name: 'Encrypt direct messages' }).waitFor()
  // The relay is all that was asked. It learns that something was signed, and not by whom or what.
  // Nothing of it is kept.
  expect(new Set(asked)).toEqual(new Set(['wss://relay.walletconnect.org']))
  expect(relay.seen.length).toBeGreaterThan(4)
  expect(relay.seen.join()).not.toMatch(
    new RegExp(`Nonce|Parley|${alice.address.slice(2)}|${Buffer.from('Nonce').toString('hex')}`, 'i'),
  )
  const kept = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...(await indexedDB.databases()).map(({ name }) => name),
  ])
  expect(kept.filter((name) => /wc@|walletconnect/i.test(name ?? ''))).toEqual([])
  expect(alice.complaints).toEqual([])
})

test.concurrent('closing the code gives up, and another one can be asked for', async () => {
  await using alice = await openPerson(site.url, { wallet: none })
  const { page } = alice
  await stand(alice)
  await page.goto(`/dm/${newWallet()}`)
  const first = await showCode(alice)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('No wallet was connected. Nothing was signed.').waitFor()
  expect(await showCode(alice)).not.toBe(first)
  expect(alice.complaints).toEqual([])
})

test.concurrent('while the relay does not answer, the dialog says so and can be closed', async () => {
  await using alice = await openPerson(site.url, { wallet: none })
  const { page } = alice
  await alice.context.routeWebSocket(/./, () => {})
  await page.goto('/')
  await page.getByRole('button', { name: /another device/ }).click()
  await page
    .getByRole('status', { name: 'Connecting to WalletConnect' })
    .or(page.getByText('Connecting to WalletConnect'))
    .waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: /another device/ }).waitFor()
})

test.concurrent('without the setting nothing of it is offered, and nothing but the service is asked', async () => {
  await using plain = await startSite()
  const address = await plain.listen()
  await using alice = await openPerson(address, { wallet: none })
  const { asked } = await stand(alice)
  const loaded: string[] = []
  alice.page.on('request', (request) => loaded.push(request.url()))
  const answer = await alice.page.goto('/')
  await alice.page.getByText('No wallet found').waitFor()
  expect(await alice.page.getByRole('button', { name: /another device/ }).count()).toBe(0)
  expect(answer!.headers()['content-security-policy']).toContain("connect-src 'self';")
  expect(asked).toEqual([])
  expect(alice.complaints).toEqual([])
})
