import type { Client } from '@parley/sdk'

export interface Person {
  address: string
  client: Client
}

/** The NFT that messages are about. */
export const token = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '7' }

/** Reads everything that a wallet can read about its messages, those with a peer, and those in the community `Town`. */
export async function readLists({ address, client }: Person, peer: string, query: object): Promise<void> {
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
