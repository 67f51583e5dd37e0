/** A group chat that may be read and posted in. */
export interface Chat {
  /** What chats are compared by. */
  chat: string
  /** What people see. */
  nftaddr: string
  context_type: 'nft' | 'community'
}

/** What chats are compared by: community names and NFT keys are the same in capital and small letters. */
export const chatKey = (nftaddr: string): string => nftaddr.toLowerCase()

// Spec gap: what a chat's key looks like that is no community: an EVM address, an address in base58 as other chains write
// it, or a POAP event.
const nftKey = /^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|poap_\S+)$/i

export const isNftKey = (nftaddr: string): boolean => nftKey.test(nftaddr)
