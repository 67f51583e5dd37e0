import { type Client, type ChatItem } from '@parley/sdk'

export interface Person {
  address: string
  client: Client
}

/** The NFT that messages are about. */
export const token = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '7' }

/** Reads everything that a wallet can read about its messages, those with a peer, and those in the community `Town`. */
async function readLists({ address, client }: Person, peer: string, query: object): Promise<void> {
  const pair = { fromaddr: address, toaddr: peer, query }
  await client.getInbox({ address })
  await client.listDirectMessages({ address, query })
  await client.listConversation(pair)
  await client.listConversationSince({ ...pair, time: '0' })
  await client.listReadMessages(pair)
  await client.listNftMessages({ address, query })
  await client.listNftMessagesOfWallet({ address, ...token, query })
  await client.listNftConversation({ ...pair, ...token })
  await client.listNftMessagesOfToken({ ...token, query })
  await client.countUnread({ address })
  await client.countUnreadTotal({ address })
  await client.countUnreadOfNft({ address, ...token })
  await client.countUnreadOfConversation(pair)
  for (const type of ['dm', 'nft', 'community', 'all'] as const)
    await client.countUnreadByType({ address, type })
  await client.countUnreadOfNftChats({ address })
  await client.listGroupMessages({ address: 'Town', useraddress: address, query })
  await client.countUnreadOfChat({ address: 'Town', useraddress: address })
}

/** A picture of one pixel. */
export const base64data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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
