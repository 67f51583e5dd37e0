/** The page of a chat. */
const chatPath = (nftaddr: string): string =>
  `/${/^(0x[0-9a-f]{40}$|poap_)/i.test(nftaddr) ? 'nft' : 'c'}/${encodeURIComponent(nftaddr)}`

/** The page about who moderates it, and by which rules. */
export const moderationPath = (nftaddr: string): string => `${chatPath(nftaddr)}/moderation`
