import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useLookedAt } from '../state/focus.ts'
import type { Message } from '../messages/message.ts'
import type { Unseen } from '../messages/MessageList.tsx'
import type { Pages } from '../service/pages.ts'
import { readHere, type Reading, readTo, setOpen } from './reading.ts'

/** This is a message of somebody else. */
interface Received {
  id: number
  isUnread: boolean
}

interface Divider {
  id: number
  count: number
  /** This is true when the messages below it were read since. */
  isRead: boolean
}

interface Options {
  me: string
  reading: Reading
  /** These are the messages of others here, oldest first. */
  received: Received[]
  /** This is the total number of unread messages that is known: it may exceed those here. */
  unread: number
  history: UseInfiniteQueryResult<Pages<unknown>>
  /** This is true when it is known what is unread. */
  isKnown: boolean
  /** When true, messages on the screen are marked as read. */
  mayRead?: boolean
}

/** To find the first unread message, at most this many are read at once. */
const most = 500

/** Marks messages on the screen as read, and returns what is new; null until that is known. */
export function useReading(options: Options): Unseen | null {
  const { me, reading, received, unread, history, isKnown, mayRead = true } = options
  const isLookedAt = useLookedAt()
  const [isAtEnd, onEnd] = useState(false)
  const [divider, setDivider] = useState<Divider | null>()
  const [seen, setSeen] = useState(0)
  const newest = received.at(-1)?.id ?? 0
  // The fetched data may be older than the reads here.
  const unreadHere = received.filter(({ id, isUnread }) => isUnread && id > readHere(reading))
  const { isSuccess, isFetchNextPageError, hasNextPage, isFetching, fetchNextPage } = history

  // Stored data does not show what is new.
  const isFresh = isSuccess && history.data?.storedAt === undefined

  // The first unread message may be on an older page.
  const isMissing =
    unreadHere.length > 0 &&
    unreadHere.length === received.length &&
    received.length < most &&
    hasNextPage &&
    !isFetchNextPageError
  useEffect(() => {
    if (divider === undefined && isFresh && isKnown && isMissing && !isFetching) void fetchNextPage()
  }, [divider, isFresh, isKnown, isMissing, isFetching, fetchNextPage])
  if (divider === undefined && isFresh && isKnown && !isMissing) {
    const [first] = unreadHere
    setDivider(first ? { id: first.id, count: Math.max(unread, unreadHere.length), isRead: false } : null)
    setSeen(first ? first.id - 1 : newest)
  }

  const isReading = mayRead && isLookedAt && (isAtEnd || newest === 0) && divider !== undefined
  useEffect(() => {
    if (!isReading) return undefined
    setOpen(reading)
    return () => setOpen(undefined)
  }, [isReading, reading])
  useEffect(() => {
    if (!isReading || newest === 0) return
    setSeen((known) => Math.max(known, newest))
    if (unreadHere.length > 0) readTo(me, reading, newest)
    setDivider((known) => known && { ...known, isRead: true })
  }, [isReading, me, reading, newest, unreadHere.length])

  // Messages that arrive while the page is not visible, or below the screen, begin a new part.
  const known = useRef(0)
  useEffect(() => {
    if (divider === undefined) return
    const arrived = known.current > 0 ? unreadHere.filter(({ id }) => id > known.current) : []
    known.current = Math.max(known.current, newest, 1)
    if (arrived.length === 0 || isReading) return
    const begun = divider && !divider.isRead ? divider : { id: arrived[0]!.id, count: 0 }
    setDivider({ ...begun, count: begun.count + arrived.length, isRead: false })
  }, [divider, unreadHere, newest, isReading])

  // A reader who leaves before the end has read what was on the screen.
  const leave = useRef(() => {})
  useEffect(() => {
    leave.current = () => {
      if (mayRead && divider && !divider.isRead && seen >= divider.id) readTo(me, reading, seen)
    }
  })
  useEffect(() => {
    if (!isLookedAt) return undefined
    return () => leave.current()
  }, [isLookedAt])

  const onShow = useCallback((shown: Message[]) => {
    setSeen((before) => shown.reduce((max, { id, mine }) => (mine ? max : Math.max(max, id)), before))
  }, [])
  const below = received.filter(({ id }) => id > seen).length
  return useMemo(
    () => (divider === undefined ? null : { divider: divider ?? undefined, below, onShow, onEnd }),
    [divider, below, onShow],
  )
}
