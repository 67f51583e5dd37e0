import { communityPath } from '@parley/sdk/chat-path.ts'

/** Returns the path of a chat. */
export const chatPath = (nftaddr: string): string =>
  /^(0x[0-9a-f]{40}$|poap_)/i.test(nftaddr) ? `/nft/${encodeURIComponent(nftaddr)}` : communityPath(nftaddr)

/** Returns the path of the page about the moderators and the rules. */
export const moderationPath = (nftaddr: string): string => `${chatPath(nftaddr)}/moderation`
