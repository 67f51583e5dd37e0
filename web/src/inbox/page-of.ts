import { isPageOfCommunity } from '@parley/sdk/chat-path.ts'

/** Returns true when a page is that of a chat or about it: a room of a community has a page of its own. */
export function isPageOf(chat: string, pathname: string): boolean {
  const [path, here] = [chat.toLowerCase(), pathname.toLowerCase()]
  if (here === path) return true
  if (!here.startsWith(`${path}/`)) return false
  const isCommunity = /^\/c\/[^/]+$/.test(path)
  return !isCommunity || isPageOfCommunity(here.slice(path.length + 1))
}
