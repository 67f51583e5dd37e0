// The title of the document says what is shown, and how much is unread.

import { useEffect } from 'react'

let page = ''
let unread = 0
let isNew = false

function show(): void {
  const count = unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : isNew ? '(•) ' : ''
  const title = `${count}${page ? `${page} · ` : ''}Parley`
  if (document.title !== title) document.title = title
}

/** Names the page in the document's title while the component is mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    page = title
    show()
    return () => {
      if (page === title) page = ''
    }
  }, [title])
}

/** Shows the number of unread messages in the document's title; at zero a dot if something else is new. */
export function showUnread(count: number, hasNew = false): void {
  unread = count
  isNew = hasNew
  show()
}
