import { useEffect, useRef } from 'react'
import type { Message } from '../messages/message.ts'
import { saveEdit, type SealChange } from './changes.ts'
import { rewrite } from './outbox.ts'
import { keepLost } from './returned.tsx'

interface Options {
  thread: string
  messages: Message[]
  sealChange: SealChange
}

/** Returns a function that saves the text of a message that was not sent when its edit began: it may be sent by now. */
export function useSaveUnsent({ thread, messages, sealChange }: Options) {
  const latest = useRef(messages)
  useEffect(() => {
    latest.current = messages
  })
  const save = (message: Message, text: string, mayWait = true) => {
    const sent = latest.current.find(({ id, key }) => id > 0 && key === message.key)
    if (sent && sent.text !== text) return saveEdit(thread, sent, text, sealChange(sent))
    if (sent || text === message.text) return
    if (rewrite(message.key, text, sealChange(message))) return
    // Another tab has sent it at this moment.
    if (mayWait) setTimeout(() => save(message, text, false), 1000)
    else keepLost(thread, text)
  }
  return save
}
