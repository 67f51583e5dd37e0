import { useState } from 'react'
import { lineOf } from './said.ts'
import type { Message } from './message.ts'

/**
 * Announces the newest message of others to screen readers. The list itself is not announced, because scrolling adds
 * earlier messages to the page.
 */
export function NewestMessage({ messages }: { messages: Message[] }) {
  const newest = messages.at(-1)
  const [known] = useState(newest?.key)
  return (
    <p role="status" className="sr-only">
      {newest && newest.key !== known && !newest.mine && `${newest.author}: ${lineOf(newest)}`}
    </p>
  )
}
