// Bob listens, goes away, and gets what came meanwhile when he listens again.

import { createClient, readEvents } from '@parley/sdk'
import { baseUrl, newWallet } from './wallet.ts'

const [alice, bob] = await Promise.all([newWallet(), newWallet()])
const ofAlice = createClient({ baseUrl, token: alice.token })
const write = (message: string) =>
  ofAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: bob.address, message } })

/** Where to resume. A client that must survive a restart keeps it, for instance in localStorage. */
let position: string | undefined

/** Prints the messages that come, up to the one with this text. */
async function listenUntil(last: string, onOpen?: () => void): Promise<void> {
  const stop = new AbortController()
  const service = { baseUrl, token: bob.token }
  for await (const event of readEvents(service, {
    signal: stop.signal,
    ...(position !== undefined && { lastEventId: position }),
    onPosition: (id) => (position = id),
    ...(onOpen && { onOpen }),
  })) {
    if (event.type === 'resync') console.log('events may be missing: read again what you show')
    if (event.type !== 'direct-message') continue
    console.log(`Bob hears: ${event.item.message}`)
    // The position of an event comes after it, so the loop ends by the signal and not by a break.
    if (event.item.message === last) setTimeout(() => stop.abort(), 100)
  }
}

await listenUntil('are you there?', () => void write('are you there?'))
await write('you were away')
await listenUntil('you were away')
