import { expect, test } from 'vitest'
import { newToken, newWallet, useService } from '../../testing/service/service.ts'
import { createClient } from './client.ts'
import { fieldRenaming } from './contract/encryption.ts'
import { readEvents } from './events.ts'

const service = useService({ encryptionVendor: 'acme' })

// The text of a message stays as it is, also when it looks like the names.
const message = '{"encrypted_sym_x_key":1,"encrypted_sym_acme_key":2,"acme_access_conditions":3}'
const fields = {
  encrypted_sym_x_key: 'wrapped "key":',
  x_access_conditions: '{"acme_access_conditions":"b"}',
}

test('the fields have their default names in methods and events, whatever the service calls them', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  let encryptionVendor = 'x'
  const options = async (wallet: string) => ({
    baseUrl: await service.listen(),
    token: await newToken(service.ctx, wallet),
    // It is known only after the client was made.
    get encryptionVendor() {
      return encryptionVendor
    },
  })
  const client = createClient(await options(alice))
  encryptionVendor = 'acme'

  const stop = new AbortController()
  const opened = Promise.withResolvers<void>()
  const events = readEvents(await options(bob), { signal: stop.signal, onOpen: opened.resolve })
  const event = events.next()
  await opened.promise

  const [sent] = await client.sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob, message, ...fields },
  })
  expect(sent).toMatchObject({ message, ...fields })
  expect(await client.listConversation({ fromaddr: alice, toaddr: bob })).toEqual([sent])
  expect(await client.getInbox({ address: alice })).toMatchObject([{ message, ...fields }])
  expect((await event).value).toEqual({ type: 'direct-message', item: sent })
  stop.abort()

  const unaware = await (await service.as(alice)).listConversation({ fromaddr: alice, toaddr: bob })
  expect(unaware).toMatchObject([{ message, encrypted_sym_acme_key: fields.encrypted_sym_x_key }])
})

test('only keys are renamed', () => {
  const { toWire, fromWire } = fieldRenaming('acme')
  const value = { message, ...fields }
  const renamed = toWire(JSON.stringify(value))
  expect(JSON.parse(renamed)).toEqual({
    message,
    encrypted_sym_acme_key: fields.encrypted_sym_x_key,
    acme_access_conditions: fields.x_access_conditions,
  })
  expect(JSON.parse(fromWire(renamed))).toEqual(value)
  expect(fromWire('["encrypted_sym_acme_key","acme_access_conditions"]')).toContain('encrypted_sym_acme_key')
  expect(fieldRenaming('x').toWire(renamed)).toBe(renamed)
})
