// What a peer, another wallet or the operator can do with messages and keys that they cannot read or
// make.

import type { NewChatItem } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet, startService, startSite } from '../../testing/service.ts'
import { keyStatement, unlockText } from '../src/keys/statements.ts'
import {
  acquaint,
  bubble,
  encryptionIsOn,
  openConversation,
  openPerson,
  type Person,
  say,
  arrive,
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
  for (const person of [alice, bob]) {
    await arrive(person)
    await turnOnEncryption(person)
    await encryptionIsOn(person)
  }
  await openConversation(alice, bob)
  await alice.page.getByText('Encrypted: only you two can read this.').waitFor()
  await say(alice, text)
  await openConversation(bob, alice)
  for (const person of [alice, bob]) await locks(person).waitFor()
  const asAlice = await site.service.as(alice.address)
  const [item] = await asAlice.listConversation({ fromaddr: alice.address, toaddr: bob.address })
  return item!
}

const locks = ({ page }: Person) => page.getByRole('log').getByRole('img', { name: 'Encrypted' })
const copies = ({ page }: Person) =>
  page.getByRole('log').getByText('Sent before: a copy of an earlier message.')
const send = async (body: NewChatItem) => (await site.service.as(body.fromaddr)).sendDirectMessage({ body })
const refusal = ({ page }: Person, why: string) =>
  page.getByRole('log').getByText(`This message cannot be opened: ${why}`, { exact: true })

test.concurrent('a copied ciphertext is not opened under another sender, nor in another conversation', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const item = await writeEncrypted(alice, bob)

  const asBobs = { ...item, fromaddr: bob.address, toaddr: alice.address }
  await send({ ...asBobs, encrypted_sym_x_key: '{"junk":1}' })
  await send(asBobs)
  for (const person of [alice, bob]) {
    await refusal(person, 'this page does not know its form.').waitFor()
    await refusal(person, 'it was not encrypted by the wallet that is shown as its sender.').waitFor()
    expect(await locks(person).count()).toBe(1)
    expect(await bubble(person, text).count()).toBe(1)
  }

  const carol = newWallet()
  await send({ ...item, toaddr: carol })
  await openConversation(alice, { address: carol })
  await refusal(alice, 'it was changed, or it was not written for this conversation.').waitFor()
  expect(await locks(alice).count()).toBe(0)
  const rows = alice.page.getByRole('navigation', { name: 'Conversations' })
  expect(await rows.getByText('Encrypted message').count()).toBe(2)
  expect(await rows.getByRole('img', { name: 'Encrypted' }).count()).toBe(0)
  expect([...alice.complaints, ...bob.complaints]).toEqual([])
})

test.concurrent('a ciphertext that is stored again is shown as sent before; spelled differently it is not opened', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const item = await writeEncrypted(alice, bob)
  await send(item)
  await send({ ...item, message: `${item.message}\n` })
  const check = async (person: Person) => {
    await copies(person).waitFor()
    await refusal(person, 'it was changed, or it was not written for this conversation.').waitFor()
    expect(await copies(person).count()).toBe(1)
    expect(await bubble(person, text).count()).toBe(2)
  }
  await check(alice)
  await check(bob)
  await bob.page.reload()
  await check(bob)
})

test.concurrent('a message that is shown at another time than it was written says when that was', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  const { id } = (await writeEncrypted(alice, bob)) as NewChatItem & { id: number }
  await site.service.ctx.db.query('update direct_messages set ms = ms + 86400000 where id = $1', [id])
  await bob.page.reload()
  await bob.page
    .getByRole('log')
    .getByText(/^Written .*\.$/)
    .waitFor()
  expect(await bubble(bob, text).count()).toBe(1)
})

test.concurrent('what a wallet signs for encryption names the service and the wallet; a key that was signed for another service is not used', async () => {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await using alice = await openPerson(site.url, { key })
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  for (const person of [alice, bob]) {
    await arrive(person)
    await turnOnEncryption(person)
    await encryptionIsOn(person)
  }
  const { host } = new URL(site.url)
  const asAlice = await site.service.as(alice.address)
  const [published] = await asAlice.getKey({ address: alice.address })
  // One signature each, beside the one that signed in.
  for (const person of [alice, bob]) {
    expect(person.signed.slice(1)).toEqual([unlockText(host, person.address)])
    expect(person.signed[1]).toContain(`Service: ${host}\nWallet: ${person.address}\n`)
  }

  // The key of Alice at another site.service, which she never set up here.
  const message = keyStatement('other.example', alice.address, published!.public_key)
  const signature = await account.signMessage({ message })
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
  await bob.page.getByText(`is not signed by that wallet for ${host}. Nothing is encrypted`).waitFor()
  await bob.page.getByRole('button', { name: 'Send unencrypted' }).waitFor()

  // Another device of hers says so too, and a new key puts it right.
  await using tablet = await openPerson(site.url, { key })
  await arrive(tablet)
  await visit(tablet, '/settings')
  await tablet.page.getByText(`Your key was not signed for ${host}`).waitFor()
  await turnOnEncryption(tablet)
  await encryptionIsOn(tablet)
  await bob.page.reload()
  await bob.page.getByText('Encrypted: only you two can read this.').waitFor()
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

  await using elsewhere = await startService({
    publicUrl: 'https://chat.example',
    allowedDomains: ['chat.example'],
  })
  await using bob = await openPerson(await elsewhere.listen())
  await signIn(bob)
  await visit(bob, '/settings')
  await bob.page.getByText('its service says that it is at chat.example').waitFor()
  expect(await bob.page.getByRole('button', { name: 'Turn on encryption' }).count()).toBe(0)
  await openConversation(bob, alice)
  await bob.page.getByText('Not encrypted: this page is not at chat.example.').waitFor()
  expect(bob.signed).toHaveLength(1)
})
