import { useEffect } from 'react'
import { unreadOf, useInbox } from './rows.ts'

const shape =
  'M16 3C8.3 3 2 8.2 2 14.6c0 3.9 2.3 7.3 5.9 9.4-.2 1.7-.9 3.3-2.1 4.6 2.7-.2 5-1.1 6.8-2.7 1.1.2 2.2.3 3.4.3 7.7 0 14-5.2 14-11.6S23.7 3 16 3z'
const icon = (unread: boolean) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0d6b62" d="${shape}"/><path stroke="#fff" stroke-width="2.6" stroke-linecap="round" d="M10 12h12M10 17.5h7.5"/>${unread ? '<circle cx="25" cy="7" r="6.5" fill="#d93025" stroke="#fff" stroke-width="1.5"/>' : ''}</svg>`

/** Shows the number of unread messages in the page's title, and a dot in its icon. */
export function useAttention(): void {
  const { data: rows = [] } = useInbox()
  const unread = unreadOf(rows, 'all')
  useEffect(() => {
    document.title = unread > 0 ? `(${unread > 99 ? '99+' : unread}) Parley` : 'Parley'
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = `data:image/svg+xml,${encodeURIComponent(icon(unread > 0))}`
    return () => {
      document.title = 'Parley'
    }
  }, [unread])
}
