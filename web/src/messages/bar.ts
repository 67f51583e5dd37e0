// The bar with what one does with a message is shown at one message at a time: where the pointer rests, or where the
// keyboard has the focus.

import { useSyncExternalStore } from 'react'
import { createStore } from '../state/store.ts'

/** It appears and leaves after these milliseconds, so that a pointer that passes shows nothing. */
const appears = 80
const leaves = 120
/** After scrolling ends, what is below the pointer is not chosen before these milliseconds. */
const rests = 100

const shown = createStore<string | undefined>(undefined)
let pointed: string | undefined
let focused: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let scrolledAt = 0

function later(milliseconds: number): void {
  clearTimeout(timer)
  timer = setTimeout(settle, Math.max(milliseconds, scrolledAt + rests - performance.now()))
}

function settle(): void {
  timer = undefined
  const next = isBusy() ? undefined : (pointed ?? focused)
  if (next !== shown.get()) shown.set(next)
}

/** A menu is open, or text is being selected. */
const isBusy = (): boolean =>
  document.querySelector('[role=menu]') !== null || getSelection()?.type === 'Range'

/** Returns true when the bar is at this message, or will be. While a menu was open it may have gone. */
const isHandled = (key: string | undefined): boolean => timer !== undefined || shown.get() === key

/** The pointer is at a message, or has left it. */
function pointAt(key: string | undefined): void {
  if (pointed === key && isHandled(key)) return
  pointed = key
  later(key === undefined ? leaves : appears)
}

/** The keyboard is at a message, or has left it. */
function focusAt(key: string | undefined): void {
  if (focused === key && isHandled(key)) return
  focused = key
  later(key === undefined ? leaves : 0)
}

/** The list scrolls: the bar is gone until it rests. */
export function hideBar(): void {
  scrolledAt = performance.now()
  if (shown.get() !== undefined) shown.set(undefined)
  if (pointed !== undefined || focused !== undefined) later(0)
}

/** Returns true when the bar is at this message. */
export const useHasBar = (key: string): boolean =>
  useSyncExternalStore(shown.subscribe, () => shown.get() === key)

/** These handlers of a row say where pointer and keyboard are. */
export const barHandlers = (key: string) => ({
  // It enters without an event of its own where something that was over the message goes.
  onPointerMove: ({ pointerType }: { pointerType: string }) => pointerType !== 'touch' && pointAt(key),
  onPointerLeave: () => pointAt(undefined),
  onFocus: ({ target }: { target: Element }) => focusAt(target.matches(':focus-visible') ? key : undefined),
  onBlur: () => focusAt(undefined),
})
