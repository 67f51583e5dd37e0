import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { type Distance, useDistanceFromEnd } from './end.ts'
import { useLookedAt } from './focus.ts'
import type { Line, Message } from './message.ts'
import { Lines } from './Lines.tsx'
import { type MessageParts, MessageRow } from './MessageRow.tsx'
import { Spinner } from './Spinner.tsx'
import { dayHeading, sameDay } from './time.ts'
import { ToNewest } from './ToNewest.tsx'
import { UnreadDivider } from './UnreadDivider.tsx'

/** What is new to the reader, and what the list tells of it. */
export interface Unseen {
  /** The first message of those that were new when the reader came, and how many. */
  divider: { id: number; count: number } | undefined
  /** How many are new below the screen. */
  below: number
  /** Called with the messages on the screen, while somebody looks at it. */
  onShow: (messages: Message[]) => void
  /** Called when the end of the list comes into view or leaves it. */
  onEnd: (isShown: boolean) => void
}

interface Props extends MessageParts {
  label: string
  messages: Message[]
  /** Shown above the first message of all. */
  beginning?: ReactNode
  /** Told after the last message. */
  after?: Line[]
  /** Called when the reader scrolls near the top; undefined when there is nothing older. */
  loadOlder?: (() => void) | undefined
  loadingOlder: boolean
  /** Left out where nothing counts as new. */
  unseen?: Unseen | undefined
}

/**
 * A list of messages of any length. Only those near the screen are in the page, and the end stays
 * visible while new messages arrive. It opens at the first new message, else at its end.
 */
export function MessageList(props: Props) {
  const { label, messages, beginning, after, loadOlder, loadingOlder, unseen, ...parts } = props
  const scroller = useRef<HTMLDivElement>(null)
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
    // Room for the line that says who is typing.
    paddingEnd: 32,
    scrollPaddingStart: 72,
  })

  const newAt = messages.findIndex(({ id }) => id > 0 && id === unseen?.divider?.id)
  const opensAt = useRef(newAt)
  useLayoutEffect(() => {
    if (opensAt.current < 0) virtual.scrollToEnd()
    else virtual.scrollToIndex(opensAt.current, { align: 'start' })
  }, [virtual])

  // The reader's own message is always scrolled to, when it is written.
  const last = messages.at(-1)
  const lastOwn = last?.mine ? last.key : undefined
  const knownOwn = useRef(lastOwn)
  useEffect(() => {
    if (lastOwn && lastOwn !== knownOwn.current) virtual.scrollToEnd()
    knownOwn.current = lastOwn
  }, [lastOwn, virtual])

  const firsts = useMemo(() => firstOfDay(messages), [messages])
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  useEffect(() => {
    if (first < 12 && loadOlder && !loadingOlder) loadOlder()
  }, [first, loadOlder, loadingOlder, messages.length])

  const distance = useDistanceFromEnd(scroller, () => virtual.scrollToEnd())
  useTelling(unseen, scroller, items, messages, distance)
  const below = unseen?.below ?? 0

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
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
                {index === 0 && !loadOlder && beginning}
                {(!before || !sameDay(before.timestamp, message.timestamp)) && (
                  <p className="py-4 text-center text-xs font-medium text-muted">
                    {dayHeading(message.timestamp)}
                  </p>
                )}
                <Lines lines={message.above} />
                {index === newAt && <UnreadDivider count={unseen!.divider!.count} />}
                <MessageRow
                  message={message}
                  isFirst={firsts.has(message)}
                  before={index === newAt || message.above ? undefined : before}
                  after={messages[index + 1]?.above ? undefined : messages[index + 1]}
                  {...parts}
                />
                {index === messages.length - 1 && <Lines lines={after} />}
              </div>
            )
          })}
        </div>
      </div>
      {(distance === 'far' || (distance === 'near' && below > 0)) && (
        <ToNewest count={below} onClick={() => virtual.scrollToEnd({ behavior: 'smooth' })} />
      )}
    </div>
  )
}

/** The first message of each sender on each day. */
function firstOfDay(messages: Message[]): Set<Message> {
  const firsts = new Set<Message>()
  let [day, senders] = ['', new Set<string>()]
  for (const message of messages) {
    const { timestamp, fromaddr } = message
    if (!day || !sameDay(day, timestamp)) [day, senders] = [timestamp, new Set()]
    if (!senders.has(fromaddr)) firsts.add(message)
    senders.add(fromaddr)
  }
  return firsts
}

/** Tells what is on the screen, and whether the end is. */
function useTelling(
  unseen: Unseen | undefined,
  scroller: RefObject<HTMLDivElement | null>,
  items: VirtualItem[],
  messages: Message[],
  distance: Distance | undefined,
): void {
  const isLookedAt = useLookedAt()
  const { onShow, onEnd } = unseen ?? {}
  useEffect(() => {
    const box = scroller.current
    if (!box || !onShow || !isLookedAt) return
    const [top, bottom] = [box.scrollTop, box.scrollTop + box.clientHeight]
    onShow(items.filter(({ start, end }) => end > top && start < bottom).map(({ index }) => messages[index]!))
  }, [scroller, items, messages, onShow, isLookedAt])
  useEffect(() => {
    if (distance) onEnd?.(distance === 'at')
  }, [distance, onEnd])
}

const LoadingOlder = () => (
  <div className="absolute inset-x-0 top-2 z-10 grid place-items-center">
    <span className="rounded-full bg-raised p-1.5 shadow-card">
      <Spinner label="Loading earlier messages" />
    </span>
  </div>
)
