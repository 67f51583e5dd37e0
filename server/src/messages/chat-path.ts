import { communityPath } from '@parley/sdk/chat-path.ts'

/** Returns the path at which the client shows a chat. */
export const chatPath = ({ nftaddr, isCommunity }: { nftaddr: string; isCommunity: boolean }): string =>
  isCommunity ? communityPath(nftaddr) : `/nft/${encodeURIComponent(nftaddr)}`
