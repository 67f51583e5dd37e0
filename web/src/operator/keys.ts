// The keys of the console. Single letters can be switched off: software that types what is said, and
// keyboards that repeat, would press them by mistake.

import { useEffect, useEffectEvent } from 'react'
import { createStore, useStore } from '../ui/store.ts'

const entry = 'parley.operator-letters'
const letters = createStore(localStorage.getItem(entry) !== 'off')

export const useLetters = (): boolean => useStore(letters)

export function keepLetters(on: boolean): void {
  if (on) localStorage.removeItem(entry)
  else localStorage.setItem(entry, 'off')
  letters.set(on)
}

/** Whether what is typed there is text. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches(
    'textarea, select, [contenteditable], [role=menuitem], input:not([type=radio], [type=checkbox])',
  )

/** Calls what belongs to a key while the component is mounted: not in fields, and not below a dialog. */
export function useKeys(onKey: (key: string) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.key.length === 1 && !letters.get()) return
    if (takesText(event.target) || document.querySelector('dialog[open], [role=menu]')) return
    if (onKey(event.key)) event.preventDefault()
  })
  useEffect(() => {
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [])
}
