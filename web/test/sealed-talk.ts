import type { ChatItem } from '@parley/sdk'
import { acquaint, arriveWithEncryption, bubble, openPerson, type Person, say, visit } from './person.ts'
import type { useSite } from './site.ts'

/** Two people with a conversation of two encrypted messages, open at both; the options are of the browser of the second one. */
export async function talkSealed(
  site: ReturnType<typeof useSite>,
  options: Parameters<typeof openPerson>[1] = {},
) {
  const [alice, bob] = [await openPerson(site.url), await openPerson(site.url, options)]
  await acquaint(site.service, alice, bob)
  await arriveWithEncryption(alice, bob)
  const pairs: [Person, Person][] = [
    [alice, bob],
    [bob, alice],
  ]
  for (const [one, other] of pairs) {
    await visit(one, `/dm/${other.address}`)
    await one.page.getByText(/Only you and .* can read this/).waitFor()
  }
  await say(alice, 'from Alice')
  await bubble(bob, 'from Alice').waitFor()
  await say(bob, 'from Bob')
  await bubble(alice, 'from Bob').waitFor()
  const stored = async (): Promise<ChatItem[]> =>
    (await site.service.as(alice.address)).listConversation({ fromaddr: alice.address, toaddr: bob.address })
  return {
    alice,
    bob,
    /** The conversation as the service has it. */
    stored,
    /** All that the service has of the conversation, as text. */
    seenByService: async () => JSON.stringify(await stored()),
    [Symbol.asyncDispose]: async () => {
      await alice[Symbol.asyncDispose]()
      await bob[Symbol.asyncDispose]()
    },
  }
}
