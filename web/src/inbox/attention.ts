import { useEffect } from 'react'
import favicon from '../favicon.svg?raw'
import { closeNotifications } from '../service/worker.ts'
import { showUnread } from '../ui/title.ts'
import { unreadOf, useInbox } from './rows.ts'

const dot = '<circle cx="25" cy="7" r="6.5" fill="#d93025" stroke="#fff" stroke-width="1.5"/>'
const icon = (unread: boolean) => (unread ? favicon.replace('</svg>', `${dot}</svg>`) : favicon)

/** The number at the icon of the app, where it is installed. */
function showBadge(unread: number): void {
  if ('setAppBadge' in navigator)
    (unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge()).catch(() => {})
}

/** Shows the number of unread messages in the page's title and at the app's icon, and a dot in that of the page. */
export function useAttention(): void {
  const { data: rows } = useInbox()
  const unread = rows && unreadOf(rows, 'all')
  useEffect(() => {
    if (unread === undefined) return undefined
    showUnread(unread)
    showBadge(unread)
    // Summaries lead to the inbox.
    if (unread === 0) closeNotifications('/')
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = `data:image/svg+xml,${encodeURIComponent(icon(unread > 0))}`
    return () => showUnread(0)
  }, [unread])
  useEffect(() => () => showBadge(0), [])
}
