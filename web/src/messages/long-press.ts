import { type MouseEvent, type PointerEvent, type TouchEvent, useRef } from 'react'

/** A press is long after these milliseconds, and a finger may move by these pixels meanwhile. */
const long = 350
const near = 8

/**
 * Calls back when a finger stays on an element. It prevents what the browser does then, such as selecting a word, and
 * the click that follows.
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean }>(
    undefined,
  )
  const end = () => clearTimeout(press.current?.timer)
  const stop = (event: MouseEvent | TouchEvent) => {
    if (!press.current?.isLong) return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
      end()
      press.current = undefined
      if (pointerType !== 'touch' || !isPrimary) return
      const open = () => {
        press.current!.isLong = true
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10)
        onLongPress()
      }
      // On a busy device the finger may be up already while its event waits: that event comes first.
      const timer = setTimeout(() => (press.current!.timer = setTimeout(open)), long)
      press.current = { x, y, timer, isLong: false }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = press.current ?? { x: clientX, y: clientY }
      if (Math.hypot(clientX - x, clientY - y) >= near) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onTouchEnd: stop,
    onClickCapture: stop,
    onContextMenu: (event: MouseEvent) => {
      if (press.current && !press.current.isLong) event.preventDefault()
      else stop(event)
    },
  }
}
