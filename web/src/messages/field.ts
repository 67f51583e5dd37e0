// How the field for a message behaves: its focus, its height, and the keys that leave it or send.

import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react'
import { focusUnlessTaken } from '../ui/focus.ts'

/**
 * Fits the height of a field to its text, and sets the focus. The keyboard of a touch screen would cover half of the page.
 */
export function useField(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  hasFiles: boolean | undefined,
): void {
  useLayoutEffect(() => fitHeight(field.current!), [field, text])
  useEffect(() => {
    if (!hasTouch()) focusUnlessTaken(field.current, { preventScroll: true })
  }, [field])
  // Files were chosen: the next key writes a text to them, or sends them.
  useEffect(() => {
    if (hasFiles && !hasTouch()) field.current!.focus({ preventScroll: true })
  }, [field, hasFiles])
}

const hasTouch = () => matchMedia('(pointer: coarse)').matches

/** Makes the field as high as its text, up to a limit. */
function fitHeight(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, 168)}px`
}

/** Returns true when the key leaves an empty field. */
export function onLeaving(
  event: KeyboardEvent,
  onUp?: (withControl: boolean) => void,
  onEscape?: () => void,
): boolean {
  if (event.altKey || event.shiftKey || event.nativeEvent.isComposing) return false
  const withControl = event.ctrlKey || event.metaKey
  const go = { ArrowUp: onUp && (() => onUp(withControl)), Escape: withControl ? undefined : onEscape }[
    event.key
  ]
  if (!go) return false
  event.preventDefault()
  go()
  return true
}

export function onEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  if (hasTouch()) return
  event.preventDefault()
  send()
}
