/** These names stand in the paths of pages about a chat. A room of such a name has its slash encoded. */
const pages = ['about', 'moderation']

/** Returns the path of a community, or of a room, whose key is `<community>/<room>`. */
export function communityPath(nftaddr: string): string {
  const parts = nftaddr.split('/')
  return pages.includes(parts[1]?.toLowerCase() ?? '')
    ? `/c/${encodeURIComponent(nftaddr)}`
    : `/c/${parts.map(encodeURIComponent).join('/')}`
}

/** Returns true when a page is that of a chat or about it: a room of a community has a page of its own. */
export function isPageOf(chat: string, pathname: string): boolean {
  const [path, here] = [chat.toLowerCase(), pathname.toLowerCase()]
  if (here === path) return true
  const isCommunity = /^\/c\/[^/]+$/.test(path)
  return isCommunity ? pages.some((page) => here === `${path}/${page}`) : here.startsWith(`${path}/`)
}
