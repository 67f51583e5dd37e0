// A message is sent while the connection is bad: one try does not leave, of another the answer is lost. It arrives once.

import { createClient } from '@parley/sdk'
import { baseUrl, newWallet } from './wallet.ts'

const [alice, bob] = await Promise.all([newWallet(), newWallet()])

let tries = 0
const badConnection: typeof fetch = async (...request) => {
  tries++
  if (tries === 1) throw new TypeError('offline')
  const response = await fetch(...request)
  if (tries === 2) throw new TypeError('the connection broke')
  return response
}

const parley = createClient({ baseUrl, token: alice.token, fetch: badConnection })
const conversation = { fromaddr: alice.address, toaddr: bob.address }
await parley.sendDirectMessage(
  { body: { ...conversation, message: 'gm' } },
  {
    // Keep it with the message: the same key goes on after a restart, within 24 hours.
    idempotencyKey: crypto.randomUUID(),
    retry: {
      attempts: Infinity,
      longestWait: Infinity,
      onRetry: (error) => console.log(`not sent yet: ${(error as Error).message}`),
    },
  },
)
console.log(`sent after ${tries} tries`)
const stored = await parley.listConversation(conversation)
console.log(`stored: ${stored.length} message`)
