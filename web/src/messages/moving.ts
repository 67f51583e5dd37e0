// These move a list of messages by themselves: to where it opens, to a message that the reader wants to see, and to what they write.

import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from './message.ts'

/** Opens the list at an index, or at its end. */
export function useOpening(virtual: Virtualizer<HTMLDivElement, Element>, index: number): void {
  const opensAt = useRef(index)
  useLayoutEffect(() => {
    if (opensAt.current < 0) virtual.scrollToEnd()
    else virtual.scrollToIndex(opensAt.current, { align: 'start' })
  }, [virtual])
}

/** Marks a message for a moment when somebody goes to it. */
export function useMarking(messages: Message[], focusAt: (index: number) => void) {
  const [marked, setMarked] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setMarked(undefined), 1200)
    return () => clearTimeout(timer)
  }, [marked])
  const goToMessage = (id: number) => {
    const index = messages.findIndex((message) => message.id === id)
    if (index < 0) return false
    focusAt(index)
    setMarked(messages[index]!.key)
    return true
  }
  return { marked, goToMessage }
}

/** Scrolls to the reader's own message whenever they write one. */
export function useFollowOwn(last: Message | undefined, toTheEnd: () => void): void {
  const lastOwn = last?.mine ? last.key : undefined
  const known = useRef(lastOwn)
  const follow = useEffectEvent(toTheEnd)
  useEffect(() => {
    if (lastOwn && lastOwn !== known.current) follow()
    known.current = lastOwn
  }, [lastOwn])
}
