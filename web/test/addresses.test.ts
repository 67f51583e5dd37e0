import { test } from 'vitest'
import { getAddress } from 'viem'
import { walletBucket } from '../../server/src/values/bucket.ts'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, bubble, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'
import { usePerson } from './talking.ts'

const site = useSite({ rpcUrls: { 8453: 'http://127.0.0.1:9' } })
const signedIn = usePerson(site)

/** An address with one letter in the wrong case. */
function mistyped(address: string): string {
  const whole = getAddress(address)
  const at = Array.from(whole).findIndex((char, i) => i > 1 && /[a-f]/i.test(char))
  const char = whole[at]!
  return (
    whole.slice(0, at) + (/[a-f]/.test(char) ? char.toUpperCase() : char.toLowerCase()) + whole.slice(at + 1)
  )
}

const openDialog = async ({ page }: Person, text: string) => {
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByLabel('Wallet address or name').fill(text)
}

test('a link with a name leads to its wallet; one that names nobody says so, and nothing can be written', async ({
  expect,
}) => {
  const alice = await signedIn()
  const bob = newWallet()
  await (await site.service.as(bob)).setName({ body: { address: bob, name: 'Robert' } })
  await visit(alice, '/dm/robert')
  await alice.page.waitForURL(`**/dm/${bob}`)
  await alice.page.getByRole('heading', { name: 'Robert' }).waitFor()
  for (const [path, reason] of [
    ['/dm/nobody', 'Nobody here is called “nobody”'],
    ['/dm/vitalik.eth', 'cannot look up names that end with .eth'],
    [`/dm/${mistyped(bob)}`, 'checksum doesn’t match'],
    [`/dm/${bob.slice(0, -1)}`, 'this has 39'],
  ] as const) {
    await visit(alice, path)
    await alice.page.getByRole('heading', { name: 'No such wallet' }).waitFor()
    await alice.page.getByText(reason).waitFor()
    expect(await alice.page.getByRole('textbox', { name: /^Message / }).count(), path).toBe(0)
  }
  await visit(alice, `/dm/${getAddress(bob)}`)
  await alice.page.waitForURL(`**/dm/${bob}`)
  expect(alice.complaints).toEqual([])
})

test('what people paste into New conversation is understood, checked and shown before it is opened', async ({
  expect,
}) => {
  const alice = await signedIn()
  const bob = newWallet()
  await (await site.service.as(bob)).setName({ body: { address: bob, name: 'Bobby' } })
  const found = alice.page.getByRole('dialog').getByRole('status').filter({ hasText: 'Bobby' })
  for (const text of [getAddress(bob), `${site.url}/dm/${bob}`, `ethereum:${getAddress(bob)}@1`, 'bobby']) {
    await openDialog(alice, text)
    await found.getByText('Bobby').waitFor()
    expect((await found.innerText()).replace(/\s/g, '')).toContain(getAddress(bob))
    await alice.page.getByLabel('Wallet address or name').press('Enter')
    await alice.page.waitForURL(`**/dm/${bob}`)
    await visit(alice, '/')
  }
  await openDialog(alice, mistyped(bob))
  await alice.page.getByLabel('Wallet address or name').press('Enter')
  await alice.page.getByText('checksum doesn’t match').waitFor()
  await alice.page.getByLabel('Wallet address or name').fill('nobody at all')
  await alice.page.keyboard.press('Enter')
  await alice.page.getByText('Nobody here is called “nobody at all”').waitFor()
  expect(alice.page.url()).toBe(`${site.url}/`)
})

test.concurrent('the whole address is one click away in a conversation, with its checksum, a copy, and what both have', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const bob = newWallet()
  const [asAlice, asBob] = [await site.service.as(alice.address), await site.service.as(bob)]
  await asBob.createCommunity({ body: { community: 'harbour' } })
  for (const [client, walletaddr] of [
    [asAlice, alice.address],
    [asBob, bob],
  ] as const)
    await client.joinChat({ body: { walletaddr, nftaddr: 'harbour' } })
  await acquaint(site.service, alice, bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message: 'gm' } })
  await site.service.ctx.db.query(
    `insert into chain_facts (wbucket, address, about, facts, ms) values ($1, $2, '8453', $3, $4)`,
    [walletBucket(bob), bob, { is_contract: false, transactions: '10-99' }, Date.now()],
  )
  await arrive(alice, `/dm/${bob}`)
  await bubble(alice, 'gm').waitFor()
  await alice.page.getByRole('button', { name: /^Profile of/ }).click()
  const card = alice.page.getByRole('dialog')
  await card.getByRole('button', { name: `Copy the address ${getAddress(bob)}` }).click()
  const copied = () => alice.page.evaluate(() => navigator.clipboard.readText())
  expect(await copied()).toBe(getAddress(bob))
  expect((await card.innerText()).replace(/\s/g, '')).toContain(getAddress(bob))
  await card.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(copied).toBe(`${site.url}/dm/${getAddress(bob)}`)
  await card.getByText(/^Since /).waitFor()
  // About it, beside the source.
  await card.getByText('Never signed in here.').waitFor()
  await card.getByText('You both have joined harbour.').waitFor()
  expect(await card.locator('dt', { hasText: 'Base' }).locator('..').innerText()).toContain(
    '10–99 transactions.',
  )
  expect(await card.getByRole('link', { name: 'etherscan.io' }).getAttribute('rel')).toContain('noopener')
  await card.getByRole('link', { name: 'harbour' }).click()
  await alice.page.waitForURL('**/c/harbour')
  await card.waitFor({ state: 'detached' })
  expect(alice.complaints).toEqual([])
})

test('a wallet that begins and ends like one the reader knows is called out, with the seals of both', async ({
  expect,
}) => {
  const alice = await signedIn()
  const bob = newWallet()
  const eve = `${bob.slice(0, 6)}${newWallet().slice(6, 38)}${bob.slice(-4)}`
  const asBob = await site.service.as(bob)
  await asBob.setName({ body: { address: bob, name: 'Bertram' } })
  await acquaint(site.service, alice, bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice.address, message: 'gm' } })
  await openDialog(alice, eve)
  await alice.page.getByRole('dialog').getByText('This is not Bertram').waitFor()
  await alice.page.getByLabel('Wallet address or name').press('Enter')
  await alice.page.getByText('This is not Bertram').waitFor()
  await alice.page.getByRole('button', { name: 'Compare' }).click()
  await alice.page.getByRole('dialog').getByText('Not Bertram').waitFor()
  // Somebody whom nobody is like is opened without a word.
  await alice.page.goto(`/dm/${newWallet()}`)
  await alice.page.getByRole('textbox', { name: /^Message / }).waitFor()
  expect(await alice.page.getByText('This is not').count()).toBe(0)
  // One that is like the reader is called out too.
  await visit(alice, `/dm/${alice.address.slice(0, 6)}${newWallet().slice(6, 38)}${alice.address.slice(-4)}`)
  await alice.page.getByText('This is not your own wallet').waitFor()
  expect(alice.complaints).toEqual([])
})

test.concurrent('notes to oneself are called that, and say nothing of encryption between two', async ({
  expect,
}) => {
  await using alice = await openPerson(site.url)
  await arrive(alice, `/dm/${newWallet()}`)
  const conversation = alice.page.getByRole('main')
  await conversation.getByText('Not encrypted').waitFor()
  await visit(alice, `/dm/${alice.address}`)
  await alice.page.getByRole('textbox', { name: 'Message yourself' }).waitFor()
  await conversation.getByText('Only you can see this').waitFor()
  expect(await conversation.getByText(/encrypt/i).count()).toBe(0)
})

test.concurrent('a community whose name has a slash cannot be created; its address is that of a room', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice, '/communities/new')
  await alice.page.getByRole('main').getByLabel('Name', { exact: true }).fill('this/that')
  await alice.page.getByText('this-that').waitFor()
  await alice.page.getByRole('button', { name: /^Create/ }).click()
  await alice.page.waitForURL('**/c/this-that')
  await alice.page.goto('/c/this%2Fthat')
  await alice.page.getByText('No such room').waitFor()
})
