import { createStore, useStore } from './store.ts'

interface Notice {
  text: string
  /** Undoes the action of the notice, or does what `offer` says. */
  undo?: () => void
  offer?: string
  /** When true, the undo button gets the focus: for users of the keyboard. */
  focus?: boolean
}

const notice = createStore<Notice | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined
let ended: (() => void) | undefined

/** A notice lasts these milliseconds. Users of the keyboard need longer to get to the button. */
const lasts = 3_500
const undoLasts = 6_000
const doneLasts = 10_000
const undoLastsByKeyboard = 20_000

let byKeyboard = false
addEventListener('keydown', () => (byKeyboard = true), true)
addEventListener('pointerdown', () => (byKeyboard = false), true)

/** Shows a short text at the top of the page for a few seconds. */
export function showNotice(text: string): void {
  replace({ text }, lasts)
}

/** Removes the notice, because it is no longer true. */
export const hideNotice = (): void => replace(undefined, 0)

/**
 * Says that something was done, and does it only when the notice ends: after some seconds, with the next notice, or
 * when the page is left. Until then the user can choose `takeBack` in its place. Its button gets the focus for users of
 * the keyboard, unless `keepFocus` says that the focus stays elsewhere.
 */
export function showUndo(text: string, act: () => void, takeBack: () => void, keepFocus = false): void {
  const undo = () => {
    ended = undefined
    takeBack()
    replace(undefined, 0)
  }
  replace({ text, undo, focus: byKeyboard && !keepFocus }, byKeyboard ? undoLastsByKeyboard : undoLasts)
  ended = act
}

/**
 * Says that something was done, and offers its opposite for a while, or what `offer` says. The focus stays where it is.
 */
export function showDone(text: string, takeBack: () => void, offer?: string): void {
  const undo = () => {
    replace(undefined, 0)
    takeBack()
  }
  replace({ text, undo, ...(offer && { offer }) }, byKeyboard ? undoLastsByKeyboard : doneLasts)
}

function replace(next: Notice | undefined, milliseconds: number): void {
  clearTimeout(timer)
  const act = ended
  ended = undefined
  notice.set(next)
  act?.()
  if (next) timer = setTimeout(hideNotice, milliseconds)
}

addEventListener('pagehide', () => {
  if (ended) hideNotice()
})

/** Copies a text to the clipboard and shows a notice about it. Returns whether that was possible. */
export async function copy(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    showNotice(done)
    return true
  } catch {
    showNotice('Couldn’t copy. Select the text and copy it.')
    return false
  }
}

export const useNotice = (): Notice | undefined => useStore(notice)
