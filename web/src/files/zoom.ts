// A picture on the whole screen is enlarged by the wheel, two fingers, a double tap and keys, and moved by a finger or the mouse.
// One that is not enlarged is swiped away.

import { type PointerEvent, type RefObject, useRef, useState, type WheelEvent } from 'react'

interface View {
  scale: number
  /** These pixels are from the middle of the screen to that of the picture. */
  x: number
  y: number
}

const fit: View = { scale: 1, x: 0, y: 0 }
const largest = 8
const byTap = 2.5
/** Two taps within these milliseconds and pixels are a double one. */
const tapTime = 300
const tapDistance = 30
/** A swipe is at least this long. */
const swipe = 60

type Point = Pick<View, 'x' | 'y'>
type Swipe = 'next' | 'before' | 'close'
type Stage = RefObject<HTMLElement | null>

/** Returns how a picture is shown, with the handlers of what surrounds it. It is shown whole again when `key` changes. */
export function useZoom(key: string, stage: Stage, onSwipe: (to: Swipe) => void) {
  const [shown, setShown] = useState({ key, view: fit })
  const view = shown.key === key ? shown.view : fit
  const set = (next: (before: View) => View) =>
    setShown((before) => ({ key, view: within(stage.current, next(before.key === key ? before.view : fit)) }))
  const move = ({ x, y }: Point) => set((before) => ({ ...before, x: before.x + x, y: before.y + y }))
  /** Enlarges the picture so that the point of it that is at a place of the screen stays there. */
  const zoomAt = (factor: number, { x, y }: Point) =>
    set((before) => {
      const scale = Math.min(Math.max(before.scale * factor, 1), largest)
      const grown = scale / before.scale
      return { scale, x: x - (x - before.x) * grown, y: y - (y - before.y) * grown }
    })
  return {
    view,
    zoomBy: (factor: number) => zoomAt(factor, { x: 0, y: 0 }),
    handlers: usePointers(stage, { scale: view.scale, zoomAt, move, onSwipe }),
  }
}

interface Moves {
  scale: number
  zoomAt: (factor: number, at: Point) => void
  move: (by: Point) => void
  onSwipe: (to: Swipe) => void
}

function usePointers(stage: Stage, { scale, zoomAt, move, onSwipe }: Moves) {
  const pointers = useRef(new Map<number, Point>())
  /** Here the first of the pointers came down; undefined when another one has joined it. */
  const began = useRef<Point>(undefined)
  const tapped = useRef({ x: 0, y: 0, at: 0 })
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top, width, height } = stage.current!.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
  const tap = (point: Point, at: number) => {
    const isDouble = at - tapped.current.at < tapTime && distance(point, tapped.current) < tapDistance
    tapped.current = { ...point, at: isDouble ? 0 : at }
    if (isDouble) zoomAt(scale > 1 ? 0 : byTap, point)
  }
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button > 0 || (event.target as HTMLElement).closest('button, video')) return
      stage.current!.setPointerCapture(event.pointerId)
      pointers.current.set(event.pointerId, pointOf(event))
      began.current = pointers.current.size === 1 ? pointOf(event) : undefined
    },
    onPointerMove(event: PointerEvent) {
      const before = pointers.current.get(event.pointerId)
      if (!before) return
      const point = pointOf(event)
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      pointers.current.set(event.pointerId, point)
      if (!other) return move({ x: point.x - before.x, y: point.y - before.y })
      const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 }
      zoomAt(distance(point, other) / Math.max(distance(before, other), 1), middle)
    },
    onPointerUp(event: PointerEvent) {
      const from = began.current
      if (!pointers.current.delete(event.pointerId) || !from) return
      const point = pointOf(event)
      const [along, down] = [point.x - from.x, point.y - from.y]
      if (Math.hypot(along, down) < tapDistance / 2) return tap(point, event.timeStamp)
      if (scale > 1 || event.pointerType !== 'touch') return
      if (Math.abs(along) > Math.max(Math.abs(down), swipe)) onSwipe(along < 0 ? 'next' : 'before')
      else if (down > Math.max(Math.abs(along), swipe)) onSwipe('close')
    },
    onPointerCancel(event: PointerEvent) {
      pointers.current.delete(event.pointerId)
      began.current = undefined
    },
    onWheel: (event: WheelEvent) => zoomAt(Math.exp(-event.deltaY / 300), pointOf(event)),
  }
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)

/** Keeps a part of the picture on the screen, and one that is not enlarged in its middle. */
function within(stage: HTMLElement | null, { scale, x, y }: View): View {
  if (!stage || scale === 1) return { ...fit, scale }
  const [wide, high] = [(stage.clientWidth * (scale - 1)) / 2, (stage.clientHeight * (scale - 1)) / 2]
  return { scale, x: Math.min(Math.max(x, -wide), wide), y: Math.min(Math.max(y, -high), high) }
}
