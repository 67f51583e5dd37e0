// The back button of phones and browsers closes what lies over the page before it leaves the page.

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type NavigateFunction, useLocation, useNavigate } from 'react-router'

/** These dialogs are open. */
const open = new Set<string>()

/** Returns the entry that the browser's history shows; React may not have seen it yet. */
const shown = () => history.state as { idx?: number; usr?: { dialogs?: string[] } } | null

/** Returns the dialogs of that entry, the one on top last. */
const shownDialogs = (): string[] => shown()?.usr?.dialogs ?? []

/** Returns true when the entry before this one is a page of this client too. */
const canGoBack = (): boolean => (shown()?.idx ?? 0) > 0

/** While the browser leaves the entry of a closed dialog, which takes it a moment, this has what comes after it. */
let afterLeaving: (() => void)[] | undefined

/** Leaves the entry that is shown, unless the browser is about to. */
function leave(navigate: NavigateFunction): void {
  if (afterLeaving) return
  afterLeaving = []
  const left = () => {
    const calls = afterLeaving ?? []
    afterLeaving = undefined
    for (const call of calls) call()
  }
  addEventListener('popstate', left, { once: true })
  void navigate(-1)
}

/** Goes to the page before this one, past the entries of closed dialogs; to `otherwise` when there is none. */
export function goBack(navigate: NavigateFunction, otherwise = '/'): void {
  const dialog = shownDialogs().at(-1)
  if (dialog !== undefined && !open.has(dialog) && canGoBack()) leave(navigate)
  if (afterLeaving) afterLeaving.push(() => goBack(navigate, otherwise))
  else if (canGoBack()) void navigate(-1)
  else void navigate(otherwise, { replace: true })
}

/**
 * Gives a dialog an entry of the history while it is mounted, so that Back closes it. The entry has
 * the address and the state of the page below.
 */
export function useBackCloses(onClose: () => void): void {
  const [id] = useState(() => Math.random().toString(36).slice(2))
  const location = useLocation()
  const navigate = useNavigate()
  const pushed = useRef(false)
  const push = useEffectEvent(() => {
    if (!open.has(id) || shownDialogs().includes(id)) return
    const { pathname, search, hash, state } = location
    const dialogs = [...shownDialogs().filter((one) => open.has(one)), id]
    void navigate({ pathname, search, hash }, { state: { ...(state as object | null), dialogs } })
    pushed.current = true
  })
  const leaveEntry = useEffectEvent(() => leave(navigate))
  const close = useEffectEvent(onClose)
  // React renders an entry later than the browser has it, and never when it is left again before that.
  const follow = useEffectEvent(() => {
    if (!pushed.current || shownDialogs().includes(id)) return
    pushed.current = false
    close()
    // A dialog that stays, because it needs an answer, gets its entry back.
    setTimeout(push)
  })
  useEffect(() => {
    open.add(id)
    // An entry that is pushed while the browser leaves another one would be left in its place.
    if (afterLeaving) afterLeaving.push(push)
    else push()
    const onPop = () => follow()
    addEventListener('popstate', onPop)
    return () => {
      open.delete(id)
      removeEventListener('popstate', onPop)
      // This runs later: a page that is opened from the dialog has an entry of its own by then.
      queueMicrotask(() => {
        if (!open.has(id) && shownDialogs().at(-1) === id) leaveEntry()
      })
    }
  }, [id])
  useEffect(() => follow(), [location])
}

/**
 * Leaves entries of dialogs that are closed: on the way back from a page that was opened from one, and after a reload.
 */
export function useSkipClosedDialogs(): void {
  const location = useLocation()
  const navigate = useNavigate()
  const leaveEntry = useEffectEvent(() => leave(navigate))
  useEffect(() => {
    const dialog = shownDialogs().at(-1)
    if (dialog !== undefined && !open.has(dialog) && canGoBack()) leaveEntry()
  }, [location])
}
