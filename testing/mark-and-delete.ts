import type { ChatItem } from '@parley/sdk'
import { type Person, readLists, token } from './reading.ts'

/** Marks and deletes messages in the conversation of two wallets. */
export async function change([alice, bob]: Person[]): Promise<void> {
  const messages = await bob!.client.listConversation({ fromaddr: alice!.address, toaddr: bob!.address })
  const [one, two, three] = messages.filter(({ toaddr }) => toaddr === bob!.address) as [
    ChatItem,
    ChatItem,
    ChatItem,
  ]
  await bob!.client.markDirectMessage({ ...one, body: { ...one, read: true } })
  const { id: _, ...withoutId } = two
  await bob!.client.markDirectMessage({ ...two, body: { ...withoutId, read: true } })
  await alice!.client.deleteDirectMessage({ id: String(three.id) })
  const id = messages.at(-1)!.id
  for (const about of [token, {}])
    await bob!.client.markReadTo({ addr: alice!.address, body: { id, context_type: 'dm', ...about } })
  await bob!.client.hideMessage({ id: String(one.id) })
  await alice!.client.postCommunityMessage({
    body: { fromaddr: alice!.address, nftaddr: 'Town', message: 'gm' },
  })
  const last = { id: Number.MAX_SAFE_INTEGER, context_type: 'community' } as const
  await bob!.client.markReadTo({ addr: 'Town', body: last })
}

/** Reads each list alone and together with others of its kind. */
export async function read({ client, address }: Person, peer: string): Promise<void> {
  const queries = [{}, { limit: 2, before: Number.MAX_SAFE_INTEGER }]
  for (const query of queries) await readLists({ client, address }, peer, query)
  for (const query of queries)
    await Promise.all(Array.from({ length: 4 }, () => readLists({ client, address }, peer, query)))
}

export async function forget({ client }: Person, toaddr: string): Promise<void> {
  await client.getConversation({ toaddr })
  await client.hideConversation({ toaddr })
}
