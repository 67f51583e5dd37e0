import { secp256k1 } from '@noble/curves/secp256k1'
import { signInWith } from '@parley/sdk/sign-in.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { assert, vi } from 'vitest'
import type { Service } from '../../testing/service/service.ts'
import { openBrowser } from './browser.ts'
import { testWallet, type TestWallet, type WalletScript, walletScript } from './wallet.ts'

export interface Person {
  /** In canonical form. */
  address: string
  /** The private key of the wallet. */
  key: `0x${string}`
  /** The service. */
  url: string
  page: Page
  context: BrowserContext
  /** The texts that the wallet has signed. */
  signed: string[]
  /** Errors of the page, requests to other origins and dialogs. */
  complaints: string[]
  [Symbol.asyncDispose]: () => Promise<void>
}

interface Options extends BrowserContextOptions {
  /** The private key, for a person with several devices. */
  key?: `0x${string}`
  /** A wallet whose signatures differ each time. */
  unsteady?: boolean
  /** How the page finds the wallet, where it does not announce itself. */
  wallet?: Partial<WalletScript>
  /** Another browser than that of the worker. */
  browser?: Browser | undefined
}

/** A valid signature that is another one each time. */
function signDifferently(key: `0x${string}`, message: { raw: `0x${string}` }): `0x${string}` {
  const signature = secp256k1.sign(hashMessage(message).slice(2), key.slice(2), { extraEntropy: true })
  return `0x${signature.toCompactHex()}${signature.recovery === 0 ? '1b' : '1c'}`
}

/** A person at a service, with a browser context of their own and a wallet that holds a real key. */
export async function openPerson(
  url: string,
  { key = generatePrivateKey(), unsteady = false, wallet: found = {}, browser, ...options }: Options = {},
): Promise<Person> {
  const account = privateKeyToAccount(key)
  const context = await (browser ?? (await openBrowser())).newContext({
    baseURL: url,
    viewport: { width: 1200, height: 800 },
    locale: 'en-GB',
    // What a worker asks for passes by the routes of a page.
    serviceWorkers: 'block',
    // Nothing is tested about motion, which takes an eighth of the browser's time.
    reducedMotion: 'reduce',
    ...options,
  })
  const wallet: TestWallet = {
    address: account.address,
    sign: async (message) => (unsteady ? signDifferently(key, message) : account.signMessage({ message })),
  }
  const signed: string[] = []
  await context.exposeFunction('signWithTestWallet', (raw: `0x${string}`) => {
    signed.push(Buffer.from(raw.slice(2), 'hex').toString())
    return wallet.sign({ raw })
  })
  await context.addInitScript(walletScript, {
    address: wallet.address,
    rdns: testWallet,
    announced: true,
    ...found,
  })
  context.setDefaultTimeout(45_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser logs refused requests too. Tests check those where the page shows them.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.protocol.startsWith('http') && target.origin !== url)
      complaints.push(`asked elsewhere: ${request.url()}`)
  })
  page.on('dialog', (dialog) => {
    complaints.push(`a script ran: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  return {
    address: account.address.toLowerCase(),
    key,
    url,
    page,
    context,
    signed,
    complaints,
    async [Symbol.asyncDispose]() {
      // A route that is in progress fails when its page closes.
      await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
      await context.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
      await context.close()
    },
  }
}

/** Opens the client and signs in with the wallet. */
export async function signIn({ page }: Person, path = '/'): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
}

/** Has wallets accept each other, so that what one writes is in the inbox of the others and no request. */
export async function acquaint(
  service: Service,
  ...wallets: (string | { address: string })[]
): Promise<void> {
  const addresses = wallets.map((one) => (typeof one === 'string' ? one : one.address))
  for (const address of addresses) {
    const client = await service.as(address)
    for (const peer of addresses.filter((other) => other !== address))
      await client.setContact({ peer, body: { state: 'accepted' } })
  }
}

/** Signs a person in as if they had done so in this browser before: the next page finds the session. */
export async function keepSession(person: Person): Promise<void> {
  const { address, context, key, url, signed } = person
  const account = privateKeyToAccount(key)
  let cookie = ''
  const asPage: typeof fetch = async (input, init) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(input, { ...init, headers })
    cookie = answer.headers.get('set-cookie') ?? cookie
    return answer
  }
  const signMessage = async (message: string) => {
    signed.push(message)
    return account.signMessage({ message })
  }
  await signInWith(
    { baseUrl: url, fetch: asPage, retry: false },
    { address: account.address, signMessage, session: true },
  )
  const [name = '', value = ''] = cookie.split(';')[0]!.split('=')
  const { hostname: domain } = new URL(url)
  await context.addCookies([{ name, value, domain, path: /Path=([^;]+)/.exec(cookie)![1]!, httpOnly: true }])
  const kept = { current: address, all: [{ kind: 'wallet', connectorId: testWallet, address }] }
  await context.addInitScript(
    ([entry, accounts]) => {
      if (location.protocol === 'http:' && !localStorage.getItem(entry!))
        localStorage.setItem(entry!, accounts!)
    },
    ['parley.accounts', JSON.stringify(kept)],
  )
}

/**
 * Opens the client as a wallet that has signed in in this browser before, for tests in which it does not matter
 * how: that is a page less to draw.
 */
export async function arrive(person: Person, path = '/'): Promise<void> {
  await keepSession(person)
  await person.page.goto(path)
  await person.page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
}

/** Goes to another page of the client as its links do, which costs less than to load it anew. */
export async function visit({ page }: Person, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ usr: null, key: to, idx: idx + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }))
  }, path)
}

/** Goes to another page and waits for a text of it, which the inbox and the page of before may show too. */
export async function turnTo(person: Person, path: string, text: string): Promise<void> {
  const { page } = person
  await page.locator('main h1').evaluateAll((headings, to) => {
    if (location.pathname + location.search === to) return
    for (const heading of headings) heading.dataset['before'] = ''
  }, path)
  await visit(person, path)
  await page.locator('main h1:not([data-before])').waitFor({ state: 'attached' })
  await page.getByText(text).filter({ visible: true }).first().waitFor()
}

/** Opens the conversation with another person by the dialog. */
export async function openConversation({ page }: Person, peer: { address: string }): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByLabel('Wallet address or name').fill(peer.address)
  await page.getByLabel('Wallet address or name').press('Enter')
  await page.getByRole('textbox', { name: /^Message / }).waitFor()
}

const encryptionPage = '/settings/encryption'
const pressTurnOn = ({ page }: Person) => page.getByRole('button', { name: 'Turn on encryption' }).click()

/** Turns encryption on, with one signature. */
export async function turnOnEncryption(person: Person): Promise<void> {
  await visit(person, encryptionPage)
  await pressTurnOn(person)
}

export const encryptionIsOn = ({ page }: Person) =>
  page.getByRole('switch', { name: 'Encrypt direct messages' }).waitFor()

/** Opens the client as wallets that turn encryption on there. */
export async function arriveWithEncryption(...people: Person[]): Promise<void> {
  for (const person of people) {
    await arrive(person, encryptionPage)
    await pressTurnOn(person)
    await encryptionIsOn(person)
  }
}

/** Sends a message on the open page. */
export async function say({ page }: Person, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Message |comment$/ })
  await field.fill(text)
  await field.press('Enter')
}

/** A message on the open page. */
export const bubble = ({ page }: Person, text: string) =>
  page.getByRole('log').getByText(text, { exact: true })

/** Reads a value until the check passes. */
export const eventually = <T>(read: () => Promise<T> | T, check: (value: T) => void): Promise<void> =>
  vi.waitFor(async () => check(await read()), { timeout: 15_000, interval: 100 })

/** Waits until what has the focus has a part of a text. */
export const hasFocus = ({ page }: Person, part: string): Promise<void> =>
  eventually(
    () => page.evaluate(() => document.activeElement?.textContent ?? ''),
    (text) => assert.include(text, part),
  )
