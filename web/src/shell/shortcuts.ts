import { useKeys } from '../state/keys.ts'
import { createStore, useStore } from '../state/store.ts'

const shown = createStore(false)

export const showShortcuts = (show: boolean): void => shown.set(show)

/** Returns true while the list of shortcuts is shown. The question mark opens it, except in a text field. */
export function useShortcuts(): boolean {
  useKeys((key) => {
    if (key === '?') showShortcuts(true)
    return key === '?'
  })
  return useStore(shown)
}
