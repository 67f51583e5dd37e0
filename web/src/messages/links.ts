import { linksIn } from '@parley/sdk/links.ts'

/** Returns a text with each link replaced by its host, as a browser goes there: letters that imitate others show. */
export function withHosts(text: string): string {
  let shown = ''
  let end = 0
  for (const { at, href } of linksIn(text)) {
    shown += text.slice(end, at) + new URL(href).host
    end = at + href.length
  }
  return shown + text.slice(end)
}

/** Returns a link as it is shown: for a long one the beginning with its whole host, and the end. */
export function shortLink(href: string): string {
  const { host } = new URL(href)
  const at = href.toLowerCase().indexOf(host)
  // When the text hides the host behind other letters, all of it is shown.
  if (at < 0) return href
  const start = Math.max(at + host.length + 1, 44)
  return href.length > start + 20 ? `${href.slice(0, start)}…${href.slice(-8)}` : href
}
