/** The client has pages of these names about a community. The path of a room of such a name has its slash encoded. */
const pages = /^(about|moderation)$/i

/** Returns the path at which the client shows a chat. */
export function chatPath({ nftaddr, isCommunity }: { nftaddr: string; isCommunity: boolean }): string {
  if (!isCommunity) return `/nft/${encodeURIComponent(nftaddr)}`
  const parts = nftaddr.split('/')
  return `/c/${pages.test(parts[1] ?? '') ? encodeURIComponent(nftaddr) : parts.map(encodeURIComponent).join('/')}`
}
