// Seven messages are read in pages of three, newest page first.

import { createClient, pages } from '@parley/sdk'
import { baseUrl, newWallet } from './wallet.ts'

const [alice, bob] = await Promise.all([newWallet(), newWallet()])
const parley = createClient({ baseUrl, token: alice.token })
const conversation = { fromaddr: alice.address, toaddr: bob.address }
for (let number = 1; number <= 7; number++)
  await parley.sendDirectMessage({ body: { ...conversation, message: `message ${number}` } })

for await (const page of pages(parley.listConversation, { ...conversation, query: { limit: 3 } }))
  console.log(page.map(({ message }) => message).join(', '))
