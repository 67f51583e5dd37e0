// A person with a phone: a link, the browser of a wallet's app, a first message, and a second browser without a wallet.

import { createHash } from 'node:crypto'
import { devices } from 'playwright-core'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { codeHashOf, codeOf, newSecret, seal, unseal } from '../src/hand-over/secret.ts'
import { arriveWithEncryption, bubble, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

// Neither is reached: they make the service offer notifications by push and mail.
const site = useSite({
  mailFrom: { name: 'Parley', address: 'parley@example.org' },
  smtpUrl: 'smtp://127.0.0.1:9',
})

const none = { announced: false }

/** The browser of a wallet's app on an iPhone, which has no push notifications. */
const appBrowser = { ...devices['iPhone 15'], wallet: { ...none, flags: { isMetaMask: true } } } as const

const noPush = ({ page }: Person) =>
  page.addInitScript(() => {
    for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(globalThis, name)
  })

const dialogOf = ({ page }: Person) => page.getByRole('dialog', { name: 'Sign in another browser' })

/** Begins to sign another browser in; returns the link. */
async function makeLink(person: Person): Promise<string> {
  await person.page.getByRole('button', { name: 'Sign in another browser' }).click()
  const dialog = dialogOf(person)
  await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
  const shown = await dialog.getByText('/hand-over#').textContent()
  return new URL(`http://${shown}`).hash
}

/** Opens a link in a browser without a wallet, and agrees. Returns the number that it shows. */
async function openLink({ page }: Person, hash: string, address: string): Promise<string> {
  await page.goto(`/hand-over${hash}`)
  await page.getByRole('heading', { name: /your account\?$/ }).waitFor()
  // The secret is in no history.
  expect(page.url()).not.toContain('#')
  const shown = await page.locator('main').innerText()
  expect(shown.replaceAll(/\s/g, '').toLowerCase()).toContain(address.slice(2))
  await page.getByRole('button', { name: 'Yes, sign in to this account' }).click()
  const text = await page.getByRole('status', { name: /^The number is/ }).textContent()
  return text!.trim()
}

test('on a phone: a link, the text before the wallet shows it, a first message, and a second browser that is signed in', async () => {
  const peer = newWallet()
  const client = await site.service.as(peer)
  await using alice = await openPerson(site.url, appBrowser)
  const { page } = alice
  await noPush(alice)
  await page.goto(`/dm/${peer}`)
  await page.getByText('Your wallet shows a text like this').waitFor()
  await page.getByRole('button', { name: 'Sign in with MetaMask' }).click()
  // The page of the link is there after the sign-in.
  await page.getByRole('textbox', { name: /^Message / }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/dm/${peer}`)
  expect(await page.getByText('Know when they answer').count()).toBe(0)
  await page.getByRole('textbox', { name: /^Message / }).fill('gm, is the hat for sale?')
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByRole('heading', { name: 'Know when they answer' }).waitFor()

  expect(await page.getByRole('link', { name: 'Use mail' }).getAttribute('href')).toBe(
    '/settings/notifications#mail',
  )

  await using second = await openPerson(site.url, { ...devices['Pixel 7'], wallet: none })
  const number = await openLink(second, await makeLink(alice), alice.address)
  const numbers = dialogOf(alice).getByRole('group', { name: 'Numbers' })
  await numbers.getByRole('button', { name: number, exact: true }).click()
  await dialogOf(alice).getByText('is signed in.').waitFor()
  await second.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await second.page.getByRole('button', { name: 'Go to your chats' }).click()
  await client.setContact({ peer: alice.address, body: { state: 'accepted' } })
  await client.sendDirectMessage({ body: { fromaddr: peer, toaddr: alice.address, message: 'It is.' } })
  await visit(second, `/dm/${peer}`)
  await bubble(second, 'It is.').waitFor()
  await bubble(second, 'gm, is the hat for sale?').waitFor()

  await page.getByRole('button', { name: 'Done' }).click()
  await visit(alice, '/settings/devices')
  await page.getByText(/handed over by Safari on iOS/).waitFor()
  await page.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
  await page.getByText(/handed over by/).waitFor({ state: 'detached' })
  expect([...alice.complaints, ...second.complaints]).toEqual([])
})

test('message keys follow sealed; a wrong number and a refusal sign in nobody', async () => {
  await using alice = await openPerson(site.url)
  await arriveWithEncryption(alice)
  await visit(alice, '/settings/devices')
  await using second = await openPerson(site.url, { wallet: none })
  const sent: string[] = []
  for (const { page } of [alice, second])
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))

  const numbers = dialogOf(alice).getByRole('group', { name: 'Numbers' })
  const first = await openLink(second, await makeLink(alice), alice.address)
  await numbers.waitFor()
  const others = await numbers.getByRole('button').allTextContents()
  const wrong = others.find((one) => one.trim() !== first)!
  await numbers.getByRole('button', { name: wrong, exact: true }).click()
  await dialogOf(alice).getByText('That is another number.').waitFor()
  await second.page.getByText('This link works no longer').waitFor()

  await dialogOf(alice).getByRole('button', { name: 'Make a new link' }).click()
  await dialogOf(alice)
    .getByRole('img', { name: /^QR code/ })
    .waitFor()
  const shown = await dialogOf(alice).getByText('/hand-over#').textContent()
  const { hash } = new URL(`http://${shown}`)
  // An app on the home screen has no address bar: the link is pasted.
  await second.page.getByLabel('Link').fill(`${site.url}/hand-over${hash}`)
  await second.page.getByRole('button', { name: 'Continue' }).click()
  await second.page.getByRole('button', { name: 'Yes, sign in to this account' }).click()
  const right = await second.page.getByRole('status', { name: /^The number is/ }).textContent()
  await dialogOf(alice).getByLabel('Unlock my encrypted messages there').check()
  await numbers.getByRole('button', { name: right!.trim(), exact: true }).click()
  await second.page.getByRole('button', { name: 'Go to your chats' }).click()
  await visit(second, '/settings/encryption')
  await second.page.getByRole('switch', { name: 'Encrypt direct messages' }).waitFor()
  await eventually(
    () => sent.filter((one) => one.includes(hash.slice(1))),
    (found) => expect(found).toEqual([]),
  )
  expect([...alice.complaints, ...second.complaints]).toEqual([])
})

test('the code that the service gets opens nothing that is sealed with the secret of its link', async () => {
  const secret = newSecret()
  const code = await codeOf(secret)
  expect(await codeHashOf(secret)).toBe(createHash('sha256').update(code).digest('base64url'))
  const bytes = new TextEncoder().encode('a key')
  const sealed = await seal(secret, 'alice', bytes)
  expect(await unseal(secret, 'alice', sealed)).toEqual(bytes)
  for (const [other, wallet] of [
    [code, 'alice'],
    [newSecret(), 'alice'],
    [secret, 'eve'],
  ] as const)
    await expect(unseal(other, wallet, sealed)).rejects.toThrow()
})
