// A dialog is closed without a choice in it by Escape, by a click outside, or by Back. Typed text, and what is shown
// once, is not lost by that.

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type ChangedField, watchFields } from './changed-fields.ts'
import { openDialogs } from './show-modal.ts'

/** Closing again within these milliseconds discards what was typed. */
const confirmTime = 5000

interface Options {
  onClose: () => void
  /** This question appears before it closes, if it shows something only once. */
  keep: string | undefined
}

interface Closing {
  /** This text appears instead of closing. */
  said: string | undefined
  /** Closes the dialog, or says why not. */
  tryToClose: () => void
}

export function useClosing(dialog: RefObject<HTMLDialogElement | null>, { onClose, keep }: Options): Closing {
  const [refused, setRefused] = useState<'keep' | 'typed'>()
  const changed = useRef<ChangedField>(() => undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tryToClose = useEffectEvent(() => {
    if (keep !== undefined) return setRefused('keep')
    const field = changed.current()
    if (!field || refused === 'typed') return onClose()
    setRefused('typed')
    field.focus()
    shake(dialog.current!)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setRefused(undefined), confirmTime)
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (openDialogs.get().at(-1) !== dialog.current) return
    // A browser may close a dialog on the second request, whatever its page says.
    event.preventDefault()
    if (!event.repeat) tryToClose()
  })
  useEffect(() => {
    const element = dialog.current!
    const fields = watchFields(element)
    changed.current = fields.changed
    const stopClicks = onClickOutside(element, () => tryToClose())
    addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer.current)
      fields.stop()
      stopClicks()
      removeEventListener('keydown', onKey)
    }
  }, [dialog])
  // The secret may have been copied since.
  const said = refused === 'keep' ? keep : refused && 'Close again to discard what you wrote.'
  return { said, tryToClose: () => tryToClose() }
}

/** Selecting text from the inside to the outside is no click outside. */
function onClickOutside(element: HTMLElement, call: () => void): () => void {
  let beganOutside = false
  const isOutside = ({ target, clientX, clientY }: MouseEvent) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
    return target === element && !isInside
  }
  const begin = (event: PointerEvent) => (beganOutside = isOutside(event))
  const end = (event: MouseEvent) => {
    if (beganOutside && isOutside(event)) call()
    beganOutside = false
  }
  element.addEventListener('pointerdown', begin)
  element.addEventListener('click', end)
  return () => {
    element.removeEventListener('pointerdown', begin)
    element.removeEventListener('click', end)
  }
}

function shake(element: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const steps = [0, -6, 6, -4, 4, 0].map((x) => ({ transform: `translateX(${x}px)` }))
  element.animate(steps, { duration: 240, easing: 'ease-out' })
}
