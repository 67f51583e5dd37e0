import { useEffect } from 'react'
import favicon from '../favicon.svg?raw'
import { showUnread } from '../ui/title.ts'
import { unreadOf, useInbox } from './rows.ts'

const dot = '<circle cx="25" cy="7" r="6.5" fill="#d93025" stroke="#fff" stroke-width="1.5"/>'
const icon = (unread: boolean) => (unread ? favicon.replace('</svg>', `${dot}</svg>`) : favicon)

/** Shows the number of unread messages in the page's title, and a dot in its icon. */
export function useAttention(): void {
  const { data: rows = [] } = useInbox()
  const unread = unreadOf(rows, 'all')
  useEffect(() => {
    showUnread(unread)
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = `data:image/svg+xml,${encodeURIComponent(icon(unread > 0))}`
    return () => showUnread(0)
  }, [unread])
}
