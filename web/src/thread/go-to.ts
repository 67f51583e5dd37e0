import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { Message } from '../messages/message.ts'
import type { MessageListHandle } from '../messages/MessageList.tsx'
import type { Pages } from '../service/pages.ts'
import { showNotice } from '../state/notice.ts'
import type { Part } from './use-shown.ts'

interface Options {
  messages: Message[]
  history: UseInfiniteQueryResult<Pages<unknown>>
  part: Part
  list: RefObject<MessageListHandle | null>
}

/** Returns a function that goes to a message, which may be far above; and the way back to where the reader came from. */
export function useGoTo({ messages, history, part, list }: Options) {
  const [wanted, setWanted] = useState<{ id: number; isRead: boolean }>()
  const [from, setFrom] = useState<Message>()
  const { around, show } = part
  const { isFetching, isError, isPaused } = history
  const goTo = useCallback((id: number, origin?: Message) => {
    setWanted({ id, isRead: false })
    setFrom(origin)
  }, [])
  useEffect(() => {
    if (!wanted) return
    if (list.current?.goToMessage(wanted.id)) return setWanted(undefined)
    if (!wanted.isRead) {
      show(wanted.id)
      return setWanted({ ...wanted, isRead: true })
    }
    if (isFetching) return
    showNotice(
      isError || isPaused ? 'The message can’t be loaded now.' : 'This message is not here any more.',
    )
    setWanted(undefined)
    if (around !== undefined) show(undefined)
  }, [wanted, around, show, isFetching, isError, isPaused, list, messages])
  const back = from && { at: from.timestamp, go: () => goTo(from.id) }
  /** Returns the way back to where the reader is now. */
  const keepPlace = () => {
    const id = list.current?.shownMessage()?.id
    return () => (id ? goTo(id) : show(undefined))
  }
  return { goTo, back, keepPlace, toEnd: () => show(undefined) }
}
