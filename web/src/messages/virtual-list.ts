// Of a list of messages of any length only those near the screen are in the page.

import { defaultRangeExtractor, elementScroll, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useRef } from 'react'
import type { Message } from './message.ts'

/** This number of rows above and below the screen is in the page. */
export const overscan = 8

/**
 * Returns the list itself, the offset to which it scrolled last by itself, and a way for the reader to go to the message
 * at an index.
 */
export function useVirtualList(
  scroller: RefObject<HTMLDivElement | null>,
  messages: Message[],
  { activeAt, followsEnd }: { activeAt: number; followsEnd: boolean },
) {
  const placed = useRef<number>(undefined)
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    scrollToFn: (...scroll) => {
      elementScroll(...scroll)
      placed.current = scroller.current?.scrollTop
    },
    getItemKey: (index) => messages[index]!.key,
    estimateSize: () => 56,
    overscan,
    rangeExtractor: (range) => withIndex(range, activeAt),
    anchorTo: 'end',
    followOnAppend: followsEnd,
    scrollEndThreshold: 80,
    paddingStart: 16,
    // The line that says who is typing needs this room.
    paddingEnd: 32,
    scrollPaddingStart: 72,
  })
  const goTo = (index: number) => {
    virtual.scrollToIndex(index, { align: 'auto' })
    placed.current = undefined
  }
  return { virtual, placed, goTo }
}

/** The focused row stays in the page while it is scrolled away. */
const withIndex = (range: Range, index: number): number[] => {
  const indexes = defaultRangeExtractor(range)
  return index < 0 || index >= range.count || indexes.includes(index)
    ? indexes
    : [...indexes, index].toSorted((a, b) => a - b)
}
