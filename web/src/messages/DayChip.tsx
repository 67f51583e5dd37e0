import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { dayHeading } from '../state/time.ts'
import type { Message } from './message.ts'

interface Props {
  scroller: RefObject<HTMLElement | null>
  messages: Message[]
  virtual: Virtualizer<HTMLDivElement, Element>
  /** Runs when the reader wants to go to another day than that of this time; without it nothing is shown. */
  onDay: ((timestamp: string) => void) | undefined
}

/** It is gone this number of milliseconds after the last movement. */
const lasts = 1200

/** Says while somebody scrolls from which day the messages are, and leads to another day. */
export function DayChip({ scroller, messages, virtual, onDay }: Props) {
  const [shown, setShown] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hide = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(undefined), lasts)
  }
  const show = useEffectEvent(() => {
    setShown(messages[virtual.range?.startIndex ?? -1]?.timestamp)
    hide()
  })
  useEffect(() => {
    const box = scroller.current!
    // The list also moves by itself, for example when it opens.
    let movedAt = -Infinity
    const onMove = () => (movedAt = performance.now())
    const onScroll = () => {
      if (performance.now() - movedAt < 1500) show()
    }
    const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const move of moves) box.addEventListener(move, onMove, { passive: true })
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer.current)
      for (const move of moves) box.removeEventListener(move, onMove)
      box.removeEventListener('scroll', onScroll)
    }
  }, [scroller])
  if (!shown || !onDay) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 z-10 grid place-items-center">
      <button
        type="button"
        // The keyboard has Control and G for it.
        tabIndex={-1}
        aria-label={`Jump to a date, now ${dayHeading(shown)}`}
        onPointerEnter={() => clearTimeout(timer.current)}
        onPointerLeave={hide}
        onClick={() => onDay(shown)}
        className="pointer-events-auto relative min-h-6.5 rounded-full border border-line bg-raised px-3 text-sm font-medium shadow-float transition-opacity duration-160 after:absolute after:-inset-2.5 motion-reduce:transition-none starting:opacity-0"
      >
        {dayHeading(shown)}
      </button>
    </div>
  )
}
