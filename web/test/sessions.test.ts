import { readFile } from 'node:fs/promises'
import { signInWith, textForSite } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { unzip } from '../../testing/service/files.ts'
import { eventually, bubble, openPerson, type Person, say, signIn } from './person.ts'
import { useSite } from './site.ts'

const site = useSite({ embedOrigins: ['https://shop.example'] })

/** The tokens that the page sends, newest last. */
function tokensOf({ page }: Person): string[] {
  const tokens: string[] = []
  page.on('request', (request) => {
    const token = request.headers()['authorization']
    if (token && token !== tokens.at(-1)) tokens.push(token)
  })
  return tokens
}

const statusOf = async (address: string, authorization: string) =>
  (await fetch(`${site.url}/v1/get_inbox/${address}`, { headers: { authorization } })).status

const stored = ({ page }: Person) => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))

const signOut = async ({ page }: Person) => {
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test.concurrent('a browser stays signed in over a reload without a signature, and keeps no token that a script finds', async () => {
  await using alice = await openPerson(site.url)
  const tokens = tokensOf(alice)
  await signIn(alice)
  await alice.page.getByText('No conversations yet').waitFor()
  const signatures = alice.signed.length
  for (const path of ['/', '/settings']) {
    await alice.page.goto(path)
    await alice.page.getByRole('button', { name: 'Your wallets and settings' }).waitFor({ state: 'attached' })
    await eventually(
      () => tokens.length,
      (value) => expect(value).toBeGreaterThan(1),
    )
  }
  expect(alice.signed).toHaveLength(signatures)
  expect(await stored(alice)).not.toMatch(/eyJ|Bearer/)
  expect(await alice.page.evaluate(() => document.cookie)).toBe('')
  expect(alice.complaints).toEqual([])
})

test.concurrent('a token that is no longer valid is replaced, and nothing is lost by it', async () => {
  await using alice = await openPerson(site.url)
  await signIn(alice, `/dm/${newWallet()}`)
  const tokens = tokensOf(alice)
  let refused = 0
  await alice.page.route('**/v1/create_chatitem', (route) =>
    refused++ === 0
      ? route.fulfill({ status: 401, json: { type: '/docs/errors#unauthorized', status: 401 } })
      : route.continue(),
  )
  await say(alice, 'still here')
  await alice.page.getByRole('img', { name: 'Sent' }).waitFor()
  expect(refused).toBe(2)
  expect(new Set(tokens).size).toBe(2)
})

test.concurrent('two tabs that open at once both stay signed in', async () => {
  await using alice = await openPerson(site.url)
  await signIn(alice)
  await alice.page.getByText('No conversations yet').waitFor()
  const other = await alice.context.newPage()
  for (let n = 0; n < 2; n++) {
    await Promise.all([alice.page.goto('/'), other.goto('/')])
    for (const page of [alice.page, other]) await page.getByText('No conversations yet').waitFor()
  }
})

test.concurrent('signing out ends the token at the service, and what was not sent is gone from the browser', async () => {
  await using alice = await openPerson(site.url)
  const tokens = tokensOf(alice)
  const bob = newWallet()
  await signIn(alice, `/dm/${bob}`)
  await say(alice, 'hello')
  await alice.page.getByRole('img', { name: 'Sent' }).waitFor()
  await alice.page.getByRole('textbox', { name: /^Message / }).fill('secret draft')
  await alice.page.route('**/v1/create_chatitem', (route) => route.abort())
  await say(alice, 'secret that waits')
  await alice.page.getByRole('textbox', { name: /^Message / }).fill('secret draft')
  expect(await stored(alice)).toMatch(/secret draft/)
  expect(await statusOf(alice.address, tokens.at(-1)!)).toBe(200)
  await signOut(alice)
  await alice.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await eventually(
    () => statusOf(alice.address, tokens.at(-1)!),
    (value) => expect(value).toBe(401),
  )
  expect(await stored(alice)).not.toMatch(/secret/)
  // The cookie is gone too.
  await eventually(
    () => alice.context.cookies(`${site.url}/v1/session/${alice.address}`),
    (value) => expect(value).toEqual([]),
  )
  await alice.page.reload()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
})

test.concurrent('signing out without a connection is made good at the service when it is back', async () => {
  await using alice = await openPerson(site.url)
  const tokens = tokensOf(alice)
  await signIn(alice)
  await alice.page.getByText('No conversations yet').waitFor()
  await alice.context.setOffline(true)
  await signOut(alice)
  await alice.page.getByText(/^Signed out here\. .* ends the session once you’re online\.$/).waitFor()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  expect(await statusOf(alice.address, tokens.at(-1)!)).toBe(200)
  await alice.context.setOffline(false)
  await eventually(
    () => statusOf(alice.address, tokens.at(-1)!),
    (value) => expect(value).toBe(401),
  )
})

test.concurrent('the settings list every browser; one is signed out from another, and everywhere at once', async () => {
  const key = generatePrivateKey()
  await using laptop = await openPerson(site.url, { key })
  await using phone = await openPerson(site.url, {
    key,
    userAgent: 'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  })
  await signIn(phone)
  await signIn(laptop, '/settings/devices')
  const card = laptop.page.locator('section', { hasText: 'Where you are signed in' })
  await card.getByText(/^This browser/).waitFor()
  await card.getByText('Chrome on Android').waitFor()
  await card.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
  await card.getByText('Chrome on Android').waitFor({ state: 'detached' })
  // Its event stream ends, and it notices.
  await phone.page.getByText('You’ve been signed out.').waitFor({ timeout: 30_000 })

  await phone.page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await phone.page.getByText('No conversations yet').waitFor()
  await card.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = laptop.page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await laptop.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  await phone.page.reload()
  await phone.page.getByText('You’ve been signed out.').waitFor()
})

test.concurrent('a wallet downloads its data, and erases itself only after its last characters are typed', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await signIn(alice, `/dm/${bob}`)
  await say(alice, 'for the archive')
  await alice.page.getByRole('img', { name: 'Sent' }).waitFor()
  await alice.page.goto('/settings/data')
  const [download] = await Promise.all([
    alice.page.waitForEvent('download'),
    alice.page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`parley-${alice.address}.zip`)
  const files = await unzip(await readFile(await download.path()))
  expect(String(files.get('direct-messages.jsonl'))).toContain('for the archive')

  await alice.page.getByRole('button', { name: 'Erase my wallet here' }).click()
  const dialog = alice.page.getByRole('dialog', { name: 'Erase this wallet here?' })
  await dialog.getByText('Not deleted:').waitFor()
  const erase = dialog.getByRole('button', { name: 'Erase' })
  expect(await erase.isDisabled()).toBe(true)
  await dialog.getByLabel(/^To confirm/).fill(alice.address.slice(-4))
  await erase.click()
  await alice.page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  const asAlice = await site.service.as(alice.address)
  expect(await asAlice.listDirectMessages({ address: alice.address })).toEqual([])
  const theirs = await (await site.service.as(bob)).listConversation({ fromaddr: alice.address, toaddr: bob })
  expect(theirs.map(({ message }) => message)).toEqual(['for the archive'])
  expect(alice.complaints).toEqual([])
})

test.concurrent('a service without a mail server offers no mails and names the setting for them', async () => {
  await using alice = await openPerson(site.url)
  await signIn(alice, '/settings/notifications')
  await alice.page.getByRole('heading', { name: 'Notifications on your devices' }).waitFor()
  expect(await alice.page.getByLabel('E-mail address').count()).toBe(0)
  expect(await alice.page.getByText(/mail/i).allTextContents()).toEqual([
    'Mail: the administrator has to set SMTP_URL.',
  ])
})

test.concurrent('a mail address from the time of a mail server can be removed where none is set any more', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  const client = await site.service.as(alice.address)
  await client.updateSettings({ body: { walletaddr: alice.address, email: 'alice@example.org' } })
  await signIn(alice, '/settings/notifications')
  await page.getByText('no longer sends mail but still has alice@example.org').waitFor()
  await page.getByRole('button', { name: 'Remove the address' }).click()
  await page.getByText('Address removed').waitFor()
  await page.getByText('no longer sends mail').waitFor({ state: 'detached' })
  expect((await client.getSettings({ address: alice.address }))[0]?.email ?? '').toBe('')
  expect(alice.complaints).toEqual([])
})

test.concurrent('a second wallet in the same browser has a session of its own', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await signIn(alice)
  const menu = page.getByRole('button', { name: 'Your wallets and settings' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Add another wallet' }).click()
  await page.getByRole('button', { name: 'Try without a wallet' }).click()
  await page.getByText('No conversations yet').waitFor()
  const cookies = (await alice.context.cookies([])).map(({ path }) => path)
  expect(cookies).toHaveLength(2)
  expect(cookies).toContain(`/v1/session/${alice.address}`)
  await signOut(alice)
  await page.reload()
  await page.goto(`/dm/${newWallet()}`)
  await say(alice, 'as the first one')
  await bubble(alice, 'as the first one').waitFor()
  await page.getByRole('img', { name: 'Sent' }).waitFor()
  expect(
    await (await site.service.as(alice.address)).listDirectMessages({ address: alice.address }),
  ).toHaveLength(1)
})

test.concurrent('the settings say which site may do what, and end it', async () => {
  const key = generatePrivateKey()
  const { address, signMessage } = privateKeyToAccount(key)
  const seller = newWallet()
  const { token } = await signInWith(
    { baseUrl: site.url },
    {
      address,
      signMessage: (message) => signMessage({ message }),
      createMessage: textForSite({ domain: 'shop.example', scopes: [`dm:${seller}`, 'public:read'] }),
    },
  )
  const statusAtShop = async () =>
    (await fetch(`${site.url}/v1/communities`, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusAtShop()).toBe(200)
  await using alice = await openPerson(site.url, { key })
  await signIn(alice, '/settings/devices')
  const card = alice.page.locator('section', { hasText: 'Where you are signed in' })
  const row = card.getByRole('listitem').filter({ hasText: 'shop.example' })
  const short = `${seller.slice(0, 6)}…${seller.slice(-4)}`
  await row
    .getByText(`Only this: Read messages with ${short} and write to them; Look up others. Until`)
    .waitFor()
  await row.getByRole('button', { name: 'Sign out shop.example' }).click()
  await row.waitFor({ state: 'detached' })
  await card.getByText(/^This browser/).waitFor()
  expect(await statusAtShop()).toBe(401)
  expect(alice.complaints).toEqual([])
})
