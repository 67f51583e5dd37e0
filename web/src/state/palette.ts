import { createStore, useStore } from './store.ts'

/** These keys open it. */
export const paletteKeys = /Mac/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

const open = createStore(false)
export const usePaletteOpen = (): boolean => useStore(open)
export const showPalette = (is: boolean): void => open.set(is)
/** It does not open over another dialog. */
export const togglePalette = (): void =>
  open.set(!open.get() && document.querySelector('dialog[open]') === null)
