// What several tabs of one person read at once when they open: short responses are never refused because long reads of the same
// wallet are in progress, and long ones wait for room.

import { expect, test } from 'vitest'
import { newWallet, useService } from '../../testing/service/service.ts'

const service = useService({ rateLimits: true })

const tabs = 4

test('tabs that open together get all that they read, also where messages are long', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const client = await service.as(alice)
  const newest = { before: Number.MAX_SAFE_INTEGER, limit: 50 }
  const open = () => [
    client.listContacts({ query: { named: true, limit: 1000 } }),
    client.getInbox({ address: alice, query: { view: 'main' } }),
    client.listConversation({ fromaddr: alice, toaddr: bob, query: newest }),
  ]
  const openAll = () => Promise.all(Array.from({ length: tabs }, open).flat())
  for (let i = 0; i < 5; i++) await openAll()
  // A page of 300 KB.
  const message = 'x'.repeat(30_000)
  for (let n = 0; n < 10; n++)
    await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message } })
  for (let i = 0; i < 5; i++) {
    const answers = await openAll()
    expect(answers.at(-1)).toHaveLength(10)
  }
})
