// The paths at which the web client shows chats: the client has them, and notifications lead there.

/** The client has pages of these names about a community. The path of a room of such a name has its slash encoded. */
const pages = new Set(['about', 'moderation'])

/** Returns true for the name of a page about a community, which is no room. */
export const isPageOfCommunity = (name: string): boolean => pages.has(name.toLowerCase())

/** Returns the path of a community, or of a room, whose key is `<community>/<room>`. */
export function communityPath(nftaddr: string): string {
  const parts = nftaddr.split('/')
  return isPageOfCommunity(parts[1] ?? '')
    ? `/c/${encodeURIComponent(nftaddr)}`
    : `/c/${parts.map(encodeURIComponent).join('/')}`
}
