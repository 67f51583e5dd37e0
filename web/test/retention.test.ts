// What people read of how long messages are kept.

import { test } from 'vitest'
import { acquaint, arrive, openPerson, say } from './person.ts'
import { useSite } from './site.ts'

const site = useSite({ retentionDays: 30 })

test('a conversation and a chat say when their messages are deleted', async () => {
  await using alice = await openPerson(site.url)
  await using bob = await openPerson(site.url)
  await acquaint(site.service, alice, bob)
  const words = alice.page.getByText('Messages are deleted after 30 days at the latest.')
  await arrive(alice, `/dm/${bob.address}`)
  await words.waitFor()
  await say(alice, 'hello')
  await words.waitFor()
  await arrive(alice, '/nft/0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb')
  await words.waitFor()
})
