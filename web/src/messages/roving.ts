// The messages of a list are one tab stop: arrows move from one to the next, Escape leaves them.

import type { Virtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Message } from './message.ts'

/** The keyboard does this on a message. */
export interface ListKeyboard {
  /** Runs on Escape, which returns to the field. */
  onLeave: () => void
  /** Runs for another key without a modifier; returns whether it did something. */
  onKey?: (key: string, message: Message) => boolean
}

interface Options {
  scroller: RefObject<HTMLDivElement | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  /** Scrolls to the message at an index: the reader chooses that. */
  goTo: (index: number) => void
  messages: Message[]
  /** This is the key of the message that last had the focus; it stays in the page. */
  active: string | undefined
  setActive: (key: string) => void
  keyboard: ListKeyboard | undefined
}

/** PageUp and PageDown move by this number of messages. */
const page = 10

/** These parts of a message take the focus, also the message itself. */
const parts = '[role=article], a[href], input, button:not([tabindex="-1"])'

export function useRoving({ scroller, virtual, goTo, messages, active, setActive, keyboard }: Options) {
  const [isInside, setInside] = useState(false)
  const end = useRef<HTMLSpanElement>(null)
  const wanted = useRef<string>(undefined)
  const leaving = useRef(false)
  const isPressed = useRef(false)

  const focusWanted = () => {
    const element =
      wanted.current === undefined
        ? null
        : scroller.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(wanted.current)}"]`)
    if (!element) return
    wanted.current = undefined
    element.focus({ preventScroll: true })
  }
  // The message may have to be put into the page first.
  useEffect(focusWanted)
  const focusAt = (index: number) => {
    const message = messages[Math.max(0, Math.min(index, messages.length - 1))]
    if (!message) return
    wanted.current = message.key
    setActive(message.key)
    goTo(messages.indexOf(message))
    focusWanted()
  }
  const enter = () => {
    if (leaving.current) return
    const index = messages.findIndex(({ key }) => key === active)
    focusAt(index < 0 ? lastShown(virtual) : index)
  }
  /** The browser continues from there to what is before or after the list. */
  const leave = (edge: HTMLElement) => {
    leaving.current = true
    edge.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    leaving.current = false
    const target = event.target as HTMLElement
    const row = scroller.current!.contains(target) ? target.closest<HTMLElement>('[data-index]') : null
    if (!row || event.defaultPrevented) return
    if (event.key === 'Tab') {
      if (!toPart(event, row)) leave(event.shiftKey ? scroller.current! : end.current!)
      return
    }
    const next = nextIndex(event, Number(row.dataset['index']), messages.length)
    if (next !== undefined) focusAt(next)
    else if (event.key === 'Escape') keyboard?.onLeave()
    else if (!isPlain(event) || !keyboard?.onKey?.(event.key, messages[Number(row.dataset['index'])]!)) return
    event.preventDefault()
  }
  const onFocus = (event: FocusEvent) => {
    const target = event.target as HTMLElement
    if (!scroller.current!.contains(target)) return
    setInside(true)
    const key = target.closest<HTMLElement>('[data-message]')?.dataset['message']
    if (key !== undefined) setActive(key)
    // A click beside the messages does not move the focus.
    if (target === scroller.current && !isPressed.current) enter()
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (scroller.current!.contains(relatedTarget)) return
    leaving.current = false
    setInside(false)
  }
  const tabIndex = isInside ? -1 : 0
  return {
    /** These are the attributes of the list. */
    list: {
      tabIndex,
      onKeyDown,
      onFocus,
      onBlur,
      onPointerDown: () => (isPressed.current = true),
      onPointerUp: () => (isPressed.current = false),
      onPointerLeave: () => (isPressed.current = false),
    },
    /** These are the attributes of an element behind its messages, where Shift and Tab enter. */
    guard: { ref: end, tabIndex, onFocus: enter },
    focusAt,
    /** Focuses the last message of the reader's own, else the last one. */
    focusOwn: () => {
      const own = messages.findLastIndex(({ mine }) => mine)
      focusAt(own < 0 ? messages.length - 1 : own)
    },
  }
}

/** Returns the last message that is on the screen. */
export function lastShown(virtual: Options['virtual']): number {
  const { scrollTop, clientHeight } = virtual.scrollElement!
  return virtual.getVirtualItems().findLast(({ start }) => start < scrollTop + clientHeight)?.index ?? 0
}

/** Moves to the next part of a message; returns whether there is one. */
function toPart(event: KeyboardEvent, row: Element): boolean {
  const all = [...row.querySelectorAll<HTMLElement>(parts)]
  const next = all[all.indexOf(event.target as HTMLElement) + (event.shiftKey ? -1 : 1)]
  if (!next) return false
  event.preventDefault()
  next.focus()
  return true
}

/** Returns true for a key without a modifier on a message itself. */
const isPlain = ({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (target as HTMLElement).role === 'article' && !altKey && !ctrlKey && !metaKey

/** Returns the message to which a key moves. */
function nextIndex(event: KeyboardEvent, at: number, count: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  return {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: count - 1,
    PageUp: at - page,
    PageDown: at + page,
  }[event.key]
}
