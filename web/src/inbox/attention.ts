import { useEffect } from 'react'
import favicon from '../favicon.svg?raw'
import { closeNotifications } from '../service/worker.ts'
import { showUnread } from '../state/title.ts'
import { useHasNewRequests } from './requests.ts'
import { unreadOf, useInbox } from './rows.ts'

const dot = '<circle cx="25" cy="7" r="6.5" fill="#d93025" stroke="#fff" stroke-width="1.5"/>'
const icon = (unread: boolean) => (unread ? favicon.replace('</svg>', `${dot}</svg>`) : favicon)

/** Shows the number at the icon of the app, when it is installed. */
function showBadge(unread: number): void {
  if ('setAppBadge' in navigator)
    (unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge()).catch(() => {})
}

/**
 * Shows the number of unread messages in the page's title and at the app's icon, and a dot in the page's icon. New
 * requests are a dot in the title.
 */
export function useAttention(): void {
  const { data: rows } = useInbox()
  const unread = rows && unreadOf(rows, 'all')
  const hasNew = useHasNewRequests(rows !== undefined)
  useEffect(() => {
    if (unread === undefined) return undefined
    showUnread(unread, hasNew)
    showBadge(unread)
    // Summaries lead to the inbox.
    if (unread === 0) closeNotifications('/')
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = `data:image/svg+xml,${encodeURIComponent(icon(unread > 0))}`
    return () => showUnread(0)
  }, [unread, hasNew])
  useEffect(() => () => showBadge(0), [])
}
