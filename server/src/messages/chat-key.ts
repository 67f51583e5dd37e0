export { communityOf, isRoom } from '../values/chat.ts'

/** This is a group chat that may be read and posted in. */
export interface Chat {
  /** Chats are compared by this key. */
  chat: string
  /** People see this key. */
  nftaddr: string
  context_type: 'nft' | 'community'
  /** In a room of news only the owner and the moderators of the community post. */
  isNews?: boolean
  /** Nobody posts in a room that is archived. */
  isArchived?: boolean
}

/** Returns the key that chats are compared by: names of communities and keys of NFTs ignore case. */
export const chatKey = (nftaddr: string): string => nftaddr.toLowerCase()

// Spec gap: the key of a chat that is no community: an EVM address, an address in base58 as on
// other chains, or a POAP event.
const nftKey = /^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|poap_[^\s/]+)$/i

export const isNftKey = (nftaddr: string): boolean => nftKey.test(nftaddr)
