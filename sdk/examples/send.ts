// Alice writes to Bob. Bob reads it, marks it as read, and answers.

import { createClient } from '@parley/sdk'
import { baseUrl, newWallet } from './wallet.ts'

const [alice, bob] = await Promise.all([newWallet(), newWallet()])
const ofAlice = createClient({ baseUrl, token: alice.token })
const ofBob = createClient({ baseUrl, token: bob.token })

await ofAlice.sendDirectMessage({ body: { fromaddr: alice.address, toaddr: bob.address, message: 'gm' } })
console.log(`unread: ${await ofBob.countUnread({ address: bob.address })}`)

const conversation = { fromaddr: alice.address, toaddr: bob.address }
for (const item of await ofBob.listConversation(conversation)) {
  console.log(`Bob reads: ${item.message}`)
  const { id, message } = item
  await ofBob.markDirectMessage({ ...conversation, body: { ...conversation, id, message, read: true } })
}
console.log(`unread: ${await ofBob.countUnread({ address: bob.address })}`)

await ofBob.sendDirectMessage({
  body: { fromaddr: bob.address, toaddr: alice.address, message: 'gm to you' },
})
console.log(`in Alice's inbox: ${(await ofAlice.getInbox({ address: alice.address })).length} conversation`)
