import { Reply } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef } from 'react'

/** A finger that has moved by this many pixels moves the message, if it moved sideways. */
const lock = 12
/** The message follows the finger by this part of its way, up to the farthest. From `enough` on, it replies. */
const follows = 0.6
const farthest = 72
const enough = 56
/** Nearer to the edge of the screen than this, the device itself goes back. */
const edge = 24
/** A finger that rests longer than these milliseconds first is a long press. */
const longest = 350

interface Swipe {
  pointer: number
  x: number
  y: number
  at: number
  /** It is 0 until the message moves. */
  offset: number
  isLocked: boolean
}

interface Props {
  /** It is omitted where one cannot reply. */
  onReply: (() => void) | undefined
  children: ReactNode
}

/** A finger that draws a message towards the start of the line replies to it. The list still scrolls up and down. */
export function SwipeToReply({ onReply, children }: Props) {
  const moving = useRef<HTMLDivElement>(null)
  const arrow = useRef<HTMLSpanElement>(null)
  const swipe = useRef<Swipe>(undefined)
  const show = (offset: number, direction: number) => {
    const [part, sign] = [moving.current!, arrow.current!]
    part.style.transition = sign.style.transition = offset === 0 ? '160ms ease-out' : ''
    part.style.transform = offset === 0 ? '' : `translateX(${offset * direction}px)`
    const size = Math.min(1, offset / enough)
    sign.style.transform = `scale(${size})`
    sign.style.opacity = String(size)
  }
  const onPointerDown = ({
    pointerType,
    isPrimary,
    pointerId,
    clientX: x,
    clientY: y,
    timeStamp,
  }: PointerEvent) => {
    end(false)
    if (!onReply || pointerType !== 'touch' || !isPrimary || x < edge || x > innerWidth - edge) return
    swipe.current = { pointer: pointerId, x, y, at: timeStamp, offset: 0, isLocked: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    const { current } = swipe
    if (!current || event.pointerId !== current.pointer) return
    const direction = getComputedStyle(moving.current!).direction === 'rtl' ? 1 : -1
    const along = (event.clientX - current.x) * direction
    const across = Math.abs(event.clientY - current.y)
    if (!current.isLocked) {
      if (Math.max(Math.abs(along), across) < lock) return
      const isSwipe = along > across && event.timeStamp - current.at < longest
      if (!isSwipe) {
        swipe.current = undefined
        return
      }
      current.isLocked = true
      moving.current!.setPointerCapture(event.pointerId)
    }
    const before = current.offset
    current.offset = Math.max(0.1, Math.min(farthest, along * follows))
    if (before < enough && current.offset >= enough && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(5)
    show(current.offset, direction)
  }
  const end = (isReply: boolean) => {
    const { current } = swipe
    swipe.current = undefined
    if (!current?.isLocked) return
    show(0, 1)
    if (isReply && current.offset >= enough) onReply?.()
  }
  return (
    <div className="relative w-full">
      <span
        ref={arrow}
        aria-hidden="true"
        className="absolute end-2 top-1/2 -mt-3 size-6 text-muted opacity-0"
      >
        <Reply className="size-6" />
      </span>
      <div
        ref={moving}
        className="flex w-full touch-pan-y touch-pinch-zoom gap-2.5"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
      >
        {children}
      </div>
    </div>
  )
}
