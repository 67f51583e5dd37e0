import type { ChatItem } from '@parley/sdk'
import { acquaint, arriveWithEncryption, openPerson, type Person, visit } from './person.ts'
import type { useSite } from './site.ts'
import { greet, shareTalk } from './talking.ts'

const isSealed = /Only you and .* can read this/

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
    await one.page.getByText(isSealed).waitFor()
  }
  await greet(alice, bob)
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

/** The same two people for tests that run one after another, as `useTalk` has them: their keys cost much to make. */
export const useSealedTalk = (site: ReturnType<typeof useSite>) =>
  shareTalk(site, () => talkSealed(site), isSealed)
