import { createStore, useStore } from './store.ts'

/** A Mac has Command where others have Control. */
export const isMac = /Mac/.test(navigator.platform)
export const control = isMac ? '⌘' : 'Ctrl'

/** These keys open it. */
export const paletteKeys = `${control} K`

const open = createStore(false)
export const usePaletteOpen = (): boolean => useStore(open)
export const showPalette = (is: boolean): void => open.set(is)
/** It does not open over another dialog. */
export const togglePalette = (): void =>
  open.set(!open.get() && document.querySelector('dialog[open]') === null)
