// What a peer, another wallet or the operator can do with messages and keys that they cannot read or
// make.

import type { NewChatItem } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet, startSite, useService } from '../../testing/service/service.ts'
import { proveKey } from '../src/keys/crypto/key-proof.ts'
import { unlockText } from '../src/keys/crypto/unlock-text.ts'
import {
  acquaint,
  bubble,
  encryptionIsOn,
  openConversation,
  openPerson,
  type Person,
  say,
  arrive,
  arriveWithEncryption,
  signIn,
  turnOnEncryption,
  visit,
} from './person.ts'
import { useSite } from './site.ts'

const site = useSite()

const text = 'the vault is behind the painting'

/** Alice writes an encrypted message to Bob, and both see it. Answers it as the service stores it. */
async function writeEncrypted(alice: Person, bob: Person): Promise<NewChatItem> {
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  await openConversation(alice, bob)
  await alice.page.getByText(/Only you and .* can read this/).waitFor()
  await say(alice, text)
  await openConversation(bob, alice)
  for (const person of [alice, bob]) await locks(person).waitFor()
  const asAlice = await site.service.as(alice.address)
  const [item] = await asAlice.listConversation({ fromaddr: alice.address, toaddr: bob.address })
  const { files: _, ...sent } = item!
  return sent
}

const locks = ({ page }: Person) => page.getByRole('log').getByRole('img', { name: 'Encrypted' })
const copies = ({ page }: Person) => page.getByRole('log').getByText('A copy of an earlier message.')
const send = async (body: NewChatItem) => (await site.service.as(body.fromaddr)).sendDirectMessage({ body })
const refusal = ({ page }: Person, why: string) =>
  page.getByRole('log').getByText(`This message cannot be opened: ${why}`, { exact: true })

test.concurrent('a copied ciphertext is not opened under another sender, in another conversation or spelled differently; stored again it is shown as sent before, and at another time with its own', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const item = await writeEncrypted(alice, bob)

  const asBobs = { ...item, fromaddr: bob.address, toaddr: alice.address }
  await send({ ...asBobs, encrypted_sym_x_key: '{"junk":1}' })
  await send(asBobs)
  for (const person of [alice, bob]) {
    await refusal(person, 'this page does not know its form.').waitFor()
    await refusal(person, 'its sender did not encrypt it.').waitFor()
    expect(await locks(person).count()).toBe(1)
    expect(await bubble(person, text).count()).toBe(1)
  }

  const carol = newWallet()
  await send({ ...item, toaddr: carol })
  await openConversation(alice, { address: carol })
  await refusal(alice, 'it was changed, or written for another conversation.').waitFor()
  expect(await locks(alice).count()).toBe(0)
  const rows = alice.page.getByRole('navigation', { name: 'Conversations' })
  expect(await rows.getByText('Encrypted message').count()).toBe(2)
  expect(await rows.getByRole('img', { name: 'Encrypted' }).count()).toBe(0)

  await visit(alice, `/dm/${bob.address}`)
  await send(item)
  await send({ ...item, message: `${item.message}\n` })
  const check = async (person: Person) => {
    await copies(person).waitFor()
    await refusal(person, 'it was changed, or written for another conversation.').waitFor()
    expect(await copies(person).count()).toBe(1)
    expect(await bubble(person, text).count()).toBe(2)
  }
  await check(alice)
  await check(bob)
  await bob.page.reload()
  await check(bob)

  // The service shows the message a day later than it was written.
  const { id } = item as NewChatItem & { id: number }
  await site.service.ctx.db.query('update direct_messages set ms = ms + 86400000 where id = $1', [id])
  await bob.page.reload()
  await bob.page
    .getByRole('log')
    .getByText(/^Written .*\.$/)
    .waitFor()
  expect(await bubble(bob, text).count()).toBe(2)
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('what a wallet signs for encryption names the service and the wallet; a key that was signed for another service is not used', async () => {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await using alice = await openPerson(site.url, { key })
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  const { host } = new URL(site.url)
  const asAlice = await site.service.as(alice.address)
  const [published] = await asAlice.getKey({ address: alice.address })
  // One signature each, beside the one that signed in.
  for (const person of [alice, bob]) {
    expect(person.signed.slice(1)).toEqual([unlockText(host, person.address)])
    expect(person.signed[1]).toContain(`Service: ${host}\nWallet: ${person.address}\n`)
  }

  // The key of Alice at another site.service, which she never set up here.
  const elsewhere = { host: 'other.example', address: alice.address, key: published!.public_key }
  const message = unlockText(elsewhere.host, alice.address)
  const signature = await proveKey(elsewhere, await account.signMessage({ message }))
  const backup = JSON.parse(published!.backup!)
  backup.keys[0].sig = signature
  await asAlice.publishKey({
    address: alice.address,
    body: {
      address: alice.address,
      public_key: published!.public_key,
      signature,
      backup: JSON.stringify(backup),
    },
  })
  await visit(bob, `/dm/${alice.address}`)
  await bob.page.getByText(`is not signed by their wallet for ${host}. Nothing is encrypted`).waitFor()
  await bob.page.getByRole('button', { name: 'Send unencrypted' }).waitFor()

  // Another device of hers says so too, and a new key puts it right.
  await using tablet = await openPerson(site.url, { key })
  await arrive(tablet)
  await visit(tablet, '/settings/encryption')
  await tablet.page.getByText(`Your key belongs to another site, not ${host}`).waitFor()
  await turnOnEncryption(tablet)
  await encryptionIsOn(tablet)
  await bob.page.reload()
  await bob.page.getByText(/Only you and .* can read this/).waitFor()
})

const elsewhere = useService({
  publicUrl: 'https://chat.example',
  allowedDomains: ['chat.example'],
})

test.concurrent('a page at another allowed address names the service’s own host; at any other it asks for no signature', async () => {
  await using allowed = await startSite({
    publicUrl: 'https://chat.example',
    allowedDomains: ['chat.example'],
  })
  await using alice = await openPerson(await allowed.listen())
  await signIn(alice)
  await turnOnEncryption(alice)
  await encryptionIsOn(alice)
  for (const one of alice.signed.slice(1)) expect(one).toContain('\nService: chat.example\n')

  await using bob = await openPerson(await elsewhere.listen())
  await signIn(bob)
  await visit(bob, '/settings/encryption')
  await bob.page.getByText('this service is at chat.example').waitFor()
  expect(await bob.page.getByRole('button', { name: 'Turn on encryption' }).count()).toBe(0)
  await openConversation(bob, alice)
  await bob.page.getByText('Not encrypted: open this page on chat.example.').waitFor()
  expect(bob.signed).toHaveLength(1)
})

/** Presses the switch of the settings, which asks for a signature. */
async function flip(person: Person, to: boolean): Promise<void> {
  await visit(person, '/settings/encryption')
  await person.page.getByRole('switch', { name: 'Encrypt direct messages' }).click()
  await person.page
    .getByRole('switch', { name: 'Encrypt direct messages', checked: to, disabled: false })
    .waitFor()
}

test.concurrent('that encryption is off is believed of who has signed it, and not again after it was on', async () => {
  const key = generatePrivateKey()
  await using alice = await openPerson(site.url, { key })
  await using bob = await openPerson(site.url)
  await writeEncrypted(alice, bob)
  const asAlice = await site.service.as(alice.address)
  const shown = async () => (await asAlice.getKey({ address: alice.address }))[0]!
  /** As the operator: in the table itself. */
  const show = ({ public_key, signature }: { public_key: string; signature: string }) =>
    site.service.ctx.db.query('update keys set public_key = $2, signature = $3 where address = $1', [
      alice.address,
      public_key,
      signature,
    ])
  const choices = bob.page.getByRole('group', { name: 'Not encrypted: choose how to send' })

  // Hidden: Alice has signed nothing.
  const on = await shown()
  await show({ public_key: '', signature: '' })
  await bob.page.reload()
  await choices.getByText('has not signed that encryption is off').waitFor()
  await show(on)

  await flip(alice, false)
  const off = await shown()
  expect(off).toMatchObject({ public_key: '', signature: expect.stringMatching(/^2\.parley-proof-1\./) })
  await bob.page.reload()
  await choices.getByText('turned encryption off, and signed that').waitFor()
  await choices.getByRole('button', { name: 'Send unencrypted' }).waitFor()
  // Her other device believes it too, and asks nothing.
  await using tablet = await openPerson(site.url, { key })
  await arrive(tablet, `/dm/${newWallet()}`)
  await tablet.page.getByText('Not encrypted', { exact: false }).first().waitFor()

  await flip(alice, true)
  await bob.page.reload()
  // Bob's browser has checked the later statement.
  await bob.page.waitForFunction(() =>
    Object.keys(localStorage).some((name) => localStorage.getItem(name)!.includes('"count":3')),
  )
  await bob.page.getByText(/Only you and .* can read this/).waitFor()
  // Replayed: the statement is older than what Bob has seen, and than what her own device has seen.
  await show(off)
  await bob.page.reload()
  await choices.getByText('has not signed that encryption is off').waitFor()
  await visit(alice, `/dm/${newWallet()}`)
  await alice.page.reload()
  await alice.page.getByText('but you have not signed that').waitFor()
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a service that claims that encryption was switched off elsewhere gets nothing in the clear', async () => {
  await using alice = await openPerson(site.url)
  await arrive(alice)
  await turnOnEncryption(alice)
  await encryptionIsOn(alice)
  const asAlice = await site.service.as(alice.address)
  const [published] = await asAlice.getKey({ address: alice.address })
  const { address } = alice
  await asAlice.publishKey({
    address,
    body: { address, public_key: '', signature: '', backup: published!.backup! },
  })
  // Nobody has written in this conversation before.
  const peer = newWallet()
  await alice.page.goto(`/dm/${peer}`)
  const choices = alice.page.getByRole('group', { name: 'Not encrypted: choose how to send' })
  await choices.getByText('says that you turned encryption off').waitFor()
  await say(alice, 'not in the clear')
  await alice.page.getByText('Not sent yet. Choose how to send it below.').waitFor()
  await alice.page.reload()
  await choices.waitFor()
  expect(await asAlice.listConversation({ fromaddr: address, toaddr: peer })).toEqual([])

  await choices.getByRole('button', { name: 'Leave it off' }).click()
  await alice.page.getByText('Not encrypted.', { exact: false }).waitFor()
  await alice.page.getByRole('button', { name: 'Send', exact: true }).click()
  await bubble(alice, 'not in the clear').waitFor()

  // It is believed once: not again after the key was there.
  await asAlice.publishKey({ address, body: { ...published!, address, backup: published!.backup! } })
  await alice.page.reload()
  await alice.page.getByText('hasn’t turned it on').waitFor()
  await asAlice.publishKey({
    address,
    body: { address, public_key: '', signature: '', backup: published!.backup! },
  })
  await alice.page.reload()
  await choices.waitFor()
  expect(alice.complaints).toEqual([])
})
