// The service refused an edit: its writer gets the text back.

import { newIdempotencyKey } from '@parley/sdk'
import { useEffect } from 'react'
import type { Message } from '../messages/message.ts'
import { copy, showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { discard, type EditEntry, entryOf, keep, nextTimestamp } from './entries.ts'
import { useOutbox } from './outbox.ts'

interface Options {
  thread: string
  messages: Message[]
}

/**
 * Gives a refused edit back to its writer, once the messages are as the service has them: in the tab that is used, and
 * not in the place of another edit. Returns one whose message is gone, or is not among them.
 */
export function useReturned(
  isReady: boolean,
  { thread, messages }: Options,
  onReturn: (message: Message, text: string) => void,
): LostProps | undefined {
  const refused = useOutbox(thread).find(
    (one): one is EditEntry => one.endpoint === 'editMessage' && one.state === 'failed',
  )
  const message = refused && messages.find(({ id }) => id === refused.about)
  const isGone = refused?.code === 'not_found' || message?.removed === true
  useEffect(() => {
    if (!isReady || !message || isGone || document.visibilityState === 'hidden') return
    if (takeBack(refused)) onReturn(message, refused.text)
  }, [isReady, message, isGone, refused, onReturn])
  return isReady && refused && (isGone || !message) ? { edit: refused, isGone } : undefined
}

interface LostProps {
  edit: EditEntry
  /** Else the message is not loaded. */
  isGone: boolean
}

/** Takes a refused edit out of the outbox, and says why it is back in the field. Returns false when another tab has it. */
function takeBack({ id, late, problem }: EditEntry): boolean {
  if (!entryOf(id)) return false
  discard(id)
  showNotice(
    late
      ? 'This message was edited on another device. Your text is in the field.'
      : `Couldn’t edit the message. ${problem ?? ''}`,
  )
  return true
}

/** Keeps the text of an edit whose message is gone, until its writer has seen it. */
export function keepLost(thread: string, text: string): void {
  keep({
    id: newIdempotencyKey(),
    endpoint: 'editMessage',
    about: 0,
    body: { message: text, revision: 0 },
    histories: [],
    thread,
    text,
    timestamp: nextTimestamp(),
    state: 'failed',
    code: 'not_found',
  })
}

/** Shows an edit whose message is gone, until its writer does not need the text any more. */
export function LostEdit({ edit: { id, text, problem }, isGone }: LostProps) {
  return (
    <section
      aria-label="An edit that was not saved"
      className="border-t border-line bg-warn-soft px-3 py-2 text-sm sm:px-4"
    >
      <div className="mx-auto grid max-w-3xl grid-cols-1 gap-1">
        <p role="alert" className="text-pretty wrap-anywhere">
          {isGone
            ? 'The message is gone. Your change was:'
            : `Couldn’t edit a message further up. ${problem ?? ''} Your change was:`}
        </p>
        <p dir="auto" className="max-h-24 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void copy(text, 'Text copied')}>Copy</Button>
          <Button variant="quiet" onClick={() => discard(id)}>
            Dismiss
          </Button>
        </div>
      </div>
    </section>
  )
}
