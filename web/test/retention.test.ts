// What people read of how long messages are kept.

import { test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { acquaint, arrive, openPerson, say, turnTo } from './person.ts'
import { punks } from './places.ts'
import { useSite } from './site.ts'

const site = useSite({ retentionDays: 30 })

test('a conversation and a chat say when their messages are deleted', async () => {
  await using alice = await openPerson(site.url)
  const bob = newWallet()
  await acquaint(site.service, alice, bob)
  const text = 'Messages are deleted after 30 days at the latest.'
  const words = alice.page.getByText(text)
  await arrive(alice, `/dm/${bob}`)
  await words.waitFor()
  await say(alice, 'hello')
  await words.waitFor()
  await turnTo(alice, `/nft/${punks}`, text)
})
