// These keys do something without a modifier. Single letters can be switched off: software that types speech, and
// keyboards that repeat, would press them by mistake.

import { useEffect, useEffectEvent } from 'react'
import { createStore, useStore } from './store.ts'

const entry = 'parley.operator-letters'
const letters = createStore(localStorage.getItem(entry) !== 'off')

export const useLetters = (): boolean => useStore(letters)

export function keepLetters(on: boolean): void {
  if (on) localStorage.removeItem(entry)
  else localStorage.setItem(entry, 'off')
  letters.set(on)
}

/** Returns true when typing there writes text. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches(
    'textarea, select, [contenteditable], [role=menuitem], input:not([type=radio], [type=checkbox])',
  )

/** Runs the action of a key while the component is mounted: not in fields, and not below a dialog. */
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

/** Returns how far a key moves along the rows of a list. */
export const stepOf = (key: string): number | undefined => ({ j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 })[key]

/** Moves the focus along the rows; from elsewhere to the first one. */
export function moveFocus(list: HTMLElement | null, step: number): boolean {
  const rows = Array.from(list?.querySelectorAll<HTMLElement>('a') ?? [])
  const at = rows.findIndex((row) => row === document.activeElement || isInRow(row))
  const next = at < 0 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  return next !== undefined
}

/** Returns true when something else in the row of a link has the focus. */
const isInRow = (row: HTMLElement) => row.closest('li')?.contains(document.activeElement) ?? false
