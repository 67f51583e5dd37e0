import type { Message } from '../messages/message.ts'
import { mayEdit, useThreadChanges } from './changes.ts'
import { discard, retry } from './outbox.ts'

/** Shows buttons for a message that could not be sent. Its key is its id in the outbox. */
export function FailedMessageActions({ message }: { message: Message }) {
  const changes = useThreadChanges()
  const { key } = message
  return (
    <>
      <button type="button" className={`${button} font-semibold`} onClick={() => retry(key)}>
        Try again
      </button>
      {changes && mayEdit(message, changes.way) && (
        <button type="button" className={button} onClick={() => changes.begin({ kind: 'edit', message })}>
          Edit
        </button>
      )}
      <button type="button" className={button} onClick={() => discard(key)}>
        Delete
      </button>
    </>
  )
}

const button = 'min-h-8 pointer-coarse:min-h-11 underline'
