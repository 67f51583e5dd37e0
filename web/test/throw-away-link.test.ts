import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { bubble, openPerson, signIn } from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

test('the link of the demo opens the conversation as its wallet, after a question', async () => {
  const key = generatePrivateKey()
  const address = privateKeyToAccount(key).address.toLowerCase()
  const bob = newWallet()
  const asBob = await site.service.as(bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: address, message: 'gm Alice' } })
  await using visitor = await openPerson(site.url)
  const { page } = visitor
  await page.goto(`/throw-away?to=/dm/${bob}#${key}`)
  await page.getByRole('heading', { name: /^Continue as/ }).waitFor()
  expect(await page.getByText('gm Alice').count()).toBe(0)
  await page.getByRole('button', { name: 'Continue with this wallet' }).click()
  await bubble(visitor, 'gm Alice').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  expect(visitor.complaints).toEqual([])
})

test('who is signed in already stays who they are until they agree, and a broken link says what is wrong', async () => {
  await using alice = await openPerson(site.url)
  const { page } = alice
  await signIn(alice)
  await page.goto('/throw-away?to=/#0x12')
  await page.getByRole('heading', { name: 'No wallet in this link' }).waitFor()
  await page.goto(`/throw-away?to=//evil.example#${generatePrivateKey()}`)
  await page.getByRole('heading', { name: /^Continue as/ }).waitFor()
  await page.getByRole('button', { name: 'Go to the start page' }).click()
  await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
  await page.goto(`/throw-away?to=//evil.example#${generatePrivateKey()}`)
  await page.getByRole('button', { name: 'Continue with this wallet' }).click()
  await page.getByRole('heading', { name: 'Chats' }).waitFor({ state: 'attached' })
  expect(new URL(page.url()).origin).toBe(site.url)
  // Its key is nowhere else: the page says so, and leads to where it is saved.
  await page.getByText('This wallet’s key is only in this browser.').filter({ visible: true }).waitFor()
  await page.getByRole('link', { name: 'Save a copy of the key' }).click()
  await page.getByRole('button', { name: 'Copy private key' }).waitFor()
  expect(alice.complaints).toEqual([])
})
