import { useSyncExternalStore } from 'react'

/** Returns true when the user sees this page: its window has the focus and it is not behind another tab. */
const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

const subscribe = (listener: () => void) => {
  addEventListener('focus', listener)
  addEventListener('blur', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    removeEventListener('focus', listener)
    removeEventListener('blur', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Returns that in a component that renders again when it changes. */
export const useLookedAt = (): boolean => useSyncExternalStore(subscribe, isLookedAt)
