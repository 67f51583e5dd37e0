// The back button of phones and browsers: it closes what lies over the page before it leaves the page.

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'

/** The dialogs that are open. */
const open = new Set<string>()

const dialogOf = ({ state }: Location): string | undefined => (state as { dialog?: string } | null)?.dialog

/** What the browser's history says of the entry it shows; React may not have seen it yet. */
const shown = () => history.state as { idx?: number; usr?: { dialog?: string } } | null

/** Whether the entry before this one is a page of this client too. */
export const canGoBack = (): boolean => (shown()?.idx ?? 0) > 0

/**
 * Gives a dialog an entry of the history while it is mounted, so that Back closes it. The entry has
 * the address and the state of the page below.
 */
export function useBackCloses(onClose: () => void): void {
  const [id] = useState(() => Math.random().toString(36).slice(2))
  const location = useLocation()
  const navigate = useNavigate()
  const pushed = useRef(false)
  const isTop = dialogOf(location) === id
  const push = useEffectEvent(() => {
    const { pathname, search, hash, state } = location
    void navigate({ pathname, search, hash }, { state: { ...(state as object | null), dialog: id } })
  })
  const leave = useEffectEvent(() => void navigate(-1))
  const close = useEffectEvent(onClose)
  useEffect(() => {
    open.add(id)
    if (shown()?.usr?.dialog !== id) push()
    return () => {
      open.delete(id)
      // Later: a page that is opened from the dialog has an entry of its own by then.
      queueMicrotask(() => {
        if (!open.has(id) && shown()?.usr?.dialog === id) leave()
      })
    }
  }, [id])
  useEffect(() => {
    if (isTop) pushed.current = true
    else if (pushed.current) {
      pushed.current = false
      close()
      // A dialog that stays, because it must be answered, gets its entry back.
      setTimeout(() => open.has(id) && push())
    }
  }, [isTop, id])
}

/**
 * Leaves entries of dialogs that are closed: on the way back from a page that was opened from one,
 * and after a reload.
 */
export function useSkipClosedDialogs(): void {
  const location = useLocation()
  const navigate = useNavigate()
  const leave = useEffectEvent(() => void navigate(-1))
  useEffect(() => {
    const dialog = dialogOf(location)
    if (dialog !== undefined && !open.has(dialog) && canGoBack()) leave()
  }, [location])
}
