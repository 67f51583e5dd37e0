import { ArrowDown } from 'lucide-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import type { Message } from './message.ts'
import { type MessageParts, MessageRow } from './MessageRow.tsx'
import { Spinner } from './Spinner.tsx'
import { dayHeading, sameDay } from './time.ts'

interface Props extends MessageParts {
  label: string
  messages: Message[]
  /** Called when the reader scrolls near the top; undefined when there is nothing older. */
  loadOlder?: (() => void) | undefined
  loadingOlder: boolean
  /** Called with the messages on the screen. */
  onShow?: ((messages: Message[]) => void) | undefined
}

/**
 * A list of messages of any length. Only those near the screen are in the page, and the end stays
 * visible while new messages arrive.
 */
export function MessageList({ label, messages, loadOlder, loadingOlder, onShow, ...parts }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [away, setAway] = useState(false)
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => messages[index]!.key,
    estimateSize: () => 56,
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 80,
    paddingStart: 16,
    paddingEnd: 12,
  })

  useLayoutEffect(() => virtual.scrollToEnd(), [virtual])

  // The reader's own message is always scrolled to.
  const last = messages.at(-1)
  const lastOwn = last?.mine ? last.key : undefined
  useEffect(() => {
    if (lastOwn) virtual.scrollToEnd()
  }, [lastOwn, virtual])

  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  useEffect(() => {
    if (first < 12 && loadOlder && !loadingOlder) loadOlder()
  }, [first, loadOlder, loadingOlder, messages.length])

  useEffect(() => {
    const box = scroller.current
    if (!box || !onShow) return undefined
    const show = () => {
      if (document.visibilityState !== 'visible') return
      const [top, bottom] = [box.scrollTop, box.scrollTop + box.clientHeight]
      onShow(
        items.filter(({ start, end }) => end > top && start < bottom).map(({ index }) => messages[index]!),
      )
    }
    show()
    document.addEventListener('visibilitychange', show)
    return () => document.removeEventListener('visibilitychange', show)
  }, [items, messages, onShow])

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        onScroll={() => setAway(!virtual.isAtEnd(240))}
        className="scroll-calm flex h-full flex-col overflow-x-hidden overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
      >
        {loadingOlder && <LoadingOlder />}
        <div
          className="relative mx-auto mt-auto w-full max-w-3xl shrink-0"
          style={{ height: virtual.getTotalSize() }}
        >
          {items.map(({ index, key, start }) => {
            const [message, before] = [messages[index]!, messages[index - 1]]
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0 px-3 sm:px-4"
                style={{ transform: `translateY(${start}px)` }}
              >
                {(!before || !sameDay(before.timestamp, message.timestamp)) && (
                  <p className="py-4 text-center text-xs font-medium text-muted">
                    {dayHeading(message.timestamp)}
                  </p>
                )}
                <MessageRow message={message} before={before} after={messages[index + 1]} {...parts} />
              </div>
            )
          })}
        </div>
      </div>
      {away && (
        <IconButton
          label="To the newest message"
          onClick={() => virtual.scrollToEnd({ behavior: 'smooth' })}
          className="absolute right-4 bottom-4 border border-line bg-raised shadow-float"
        >
          <ArrowDown className="size-5" />
        </IconButton>
      )}
    </div>
  )
}

const LoadingOlder = () => (
  <div className="absolute inset-x-0 top-2 z-10 grid place-items-center">
    <span className="rounded-full bg-raised p-1.5 shadow-card">
      <Spinner label="Loading earlier messages" />
    </span>
  </div>
)
