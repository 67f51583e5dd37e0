// The back button of phones and browsers: it closes what lies over the page before it leaves the page.

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'

/** The dialogs that are open. */
const open = new Set<string>()

/** The dialogs of an entry, the one on top last. */
const dialogsOf = ({ state }: Pick<Location, 'state'>): string[] =>
  (state as { dialogs?: string[] } | null)?.dialogs ?? []

/** What the browser's history says of the entry it shows; React may not have seen it yet. */
const shown = () => history.state as { idx?: number; usr?: object } | null
const shownDialogs = () => dialogsOf({ state: shown()?.usr })

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
  const isHere = dialogsOf(location).includes(id)
  const push = useEffectEvent(() => {
    const { pathname, search, hash, state } = location
    const dialogs = [...dialogsOf(location).filter((one) => open.has(one) && one !== id), id]
    void navigate({ pathname, search, hash }, { state: { ...(state as object | null), dialogs } })
  })
  const leave = useEffectEvent(() => void navigate(-1))
  const close = useEffectEvent(onClose)
  useEffect(() => {
    open.add(id)
    if (!shownDialogs().includes(id)) push()
    return () => {
      open.delete(id)
      // Later: a page that is opened from the dialog has an entry of its own by then.
      queueMicrotask(() => {
        if (!open.has(id) && shownDialogs().at(-1) === id) leave()
      })
    }
  }, [id])
  useEffect(() => {
    if (isHere) pushed.current = true
    else if (pushed.current) {
      pushed.current = false
      close()
      // A dialog that stays, because it must be answered, gets its entry back.
      setTimeout(() => open.has(id) && push())
    }
  }, [isHere, id])
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
    const dialog = dialogsOf(location).at(-1)
    if (dialog !== undefined && !open.has(dialog) && canGoBack()) leave()
  }, [location])
}
