import { useSyncExternalStore } from 'react'

/** Whether somebody looks at this page: its window has the focus and it is not behind another tab. */
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

/** The same, in a component that renders again when it changes. */
export const useLookedAt = (): boolean => useSyncExternalStore(subscribe, isLookedAt)
