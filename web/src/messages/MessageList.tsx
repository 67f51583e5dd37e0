import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { hideBar } from './bar.ts'
import { type Distance, useDistanceFromEnd } from './scroll-end.ts'
import { useLookedAt } from '../state/focus.ts'
import type { Line, Message } from './message.ts'
import { type MessageParts, MessageRow } from './MessageRow.tsx'
import { lastShown, type ListKeyboard, useRoving } from './roving.ts'
import { useFollowOwn, useMarking, useOpening } from './moving.ts'
import { overscan, useVirtualList } from './virtual-list.ts'
import { classes } from '../ui/classes.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { sameDay } from '../state/time.ts'
import { ToNewest } from './ToNewest.tsx'
import { DayChip } from './DayChip.tsx'
import { FoundTicks } from './FoundTicks.tsx'
import { Lines, UnreadDivider } from './dividers.tsx'

/** This is what is new to the reader, with what the list reports about it. */
export interface Unseen {
  /** This is the first message that was new when the reader came, and the number of new ones. */
  divider: { id: number; count: number } | undefined
  /** This number of new messages is below the screen. */
  below: number
  /** Receives the messages on the screen while the page is visible. */
  onShow: (messages: Message[]) => void
  /** Runs when the end of the list comes into view or leaves it. */
  onEnd: (isShown: boolean) => void
}

/** Other components control the list with this. */
export interface MessageListHandle {
  /** Focuses the last message of the reader's own. */
  focusOwn: () => void
  /** Goes to a message and marks it for a moment; returns false when it is not in the list. */
  goToMessage: (id: number) => boolean
  /** Returns the last message on the screen; undefined at the end of the history. */
  shownMessage: () => Message | undefined
}

interface Newer {
  /** The list opens at this message. */
  around: number
  /** Reads newer ones; undefined while it does. */
  loadNewer: (() => void) | undefined
  /** Shows the newest ones instead. */
  show: (around: undefined) => void
}

interface Props extends MessageParts {
  ref?: Ref<MessageListHandle>
  keyboard?: ListKeyboard
  label: string
  messages: Message[]
  /** This is above the first message of all. */
  beginning?: ReactNode
  /** These lines are after the last message. */
  after?: Line[]
  /** Runs when the reader scrolls near the top; undefined when there is nothing older. */
  loadOlder?: (() => void) | undefined
  loadingOlder: boolean
  /** There are newer messages than those in the list, which are around one of them. It is omitted at the end of the history. */
  newer?: Newer | undefined
  /** Returns the reader to the message from which they came, which was sent at this time. */
  back?: { at: string; go: () => void } | undefined
  /** Runs when the reader wants to go to another day than that of this time. */
  onDay?: ((timestamp: string) => void) | undefined
  /** It is omitted when nothing counts as new. */
  unseen?: Unseen | undefined
}

/**
 * Shows a list of messages of any length. Only those near the screen are in the page, and the end stays visible while
 * new messages arrive. It opens at the first new message, else at its end.
 */
export function MessageList(props: Props) {
  const { ref, keyboard, label, messages, beginning, after, unseen, ...more } = props
  const { loadOlder, loadingOlder, newer, back, onDay, ...parts } = more
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const activeAt = active === undefined ? -1 : messages.findIndex(({ key }) => key === active)
  const { virtual, placed, goTo } = useVirtualList(scroller, messages, { activeAt, followsEnd: !newer })

  const newAt = useFirstNew(messages, unseen)
  const aroundAt = newer ? messages.findIndex(({ id }) => id === newer.around) : -1
  useOpening(virtual, aroundAt < 0 ? newAt : aroundAt)
  const toTheEnd = () => {
    if (!newer) virtual.scrollToEnd()
  }
  useFollowOwn(messages.at(-1), toTheEnd)

  const firsts = useMemo(() => firstOfDay(messages), [messages])
  const items = virtual.getVirtualItems()
  useLoading(virtual, messages.length, {
    older: loadingOlder ? undefined : loadOlder,
    newer: newer?.loadNewer,
  })

  const distance = useDistanceFromEnd(scroller, placed, toTheEnd)
  useReports(unseen, scroller, items, messages, distance)
  const below = unseen?.below ?? 0
  const { list, guard, focusOwn, focusAt } = useRoving({
    scroller,
    virtual,
    goTo,
    messages,
    active,
    setActive,
    keyboard,
  })
  const { marked, goToMessage } = useMarking(messages, focusAt)
  const shownMessage = () => (distance === 'at' && !newer ? undefined : messages[lastShown(virtual)])
  useImperativeHandle(ref, () => ({ focusOwn, goToMessage, shownMessage }))

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={label}
        {...list}
        onScroll={hideBar}
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
                className={classes(
                  'absolute inset-x-0 top-0 px-3 transition-colors has-data-bar:z-1 sm:px-4',
                  message.key === marked && 'bg-clear-soft',
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                {index === 0 && !loadOlder && beginning}
                <Lines lines={message.above} since={before?.timestamp} until={message.timestamp} />
                {index === newAt && <UnreadDivider count={unseen!.divider!.count} />}
                <MessageRow
                  message={message}
                  isFirst={firsts.has(message)}
                  before={index === newAt || message.above ? undefined : before}
                  after={messages[index + 1]?.above ? undefined : messages[index + 1]}
                  {...parts}
                />
                {index === messages.length - 1 && <Lines lines={after} since={message.timestamp} />}
              </div>
            )
          })}
        </div>
        <span {...guard} />
      </div>
      <FoundTicks {...{ messages, virtual }} />
      <DayChip {...{ scroller, onDay, messages, virtual }} />
      {(newer || distance === 'far' || (distance === 'near' && below > 0)) && (
        <ToNewest
          count={below}
          onClick={newer ? () => newer.show(undefined) : () => virtual.scrollToEnd({ behavior: 'smooth' })}
          back={back}
        />
      )}
    </div>
  )
}

/** Reads more messages while the reader scrolls near an end of the list. */
function useLoading(
  virtual: Virtualizer<HTMLDivElement, Element>,
  count: number,
  { older, newer }: Record<'older' | 'newer', (() => void) | undefined>,
): void {
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  const first = Math.max(0, startIndex - overscan)
  useEffect(() => {
    if (first < 12) older?.()
  }, [first, older, count])
  useEffect(() => {
    if (endIndex > count - 12) newer?.()
  }, [endIndex, newer, count])
}

/** Returns the index of the first message that is new to the reader; -1 when there is none. */
function useFirstNew(messages: Message[], unseen: Unseen | undefined): number {
  const firstNew = messages.findIndex(({ id }) => id > 0 && id === unseen?.divider?.id)
  // A reader who has written below it has seen the new messages.
  const ownAt = messages.findLastIndex(({ mine }) => mine)
  const [ownAtFirst] = useState(messages[ownAt]?.key)
  return ownAt > firstNew && messages[ownAt]!.key !== ownAtFirst ? -1 : firstNew
}

/** Returns the first message of each sender on each day. */
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

/** Reports what is on the screen, and whether the end is. */
function useReports(
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
