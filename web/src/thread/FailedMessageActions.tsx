import { discard, retry } from './outbox.ts'

/** Shows buttons for a message that could not be sent. `id` is its id in the outbox. */
export function FailedMessageActions({ id }: { id: string }) {
  return (
    <>
      <button
        type="button"
        className="min-h-8 pointer-coarse:min-h-11 font-semibold underline"
        onClick={() => retry(id)}
      >
        Try again
      </button>
      <button type="button" className="min-h-8 pointer-coarse:min-h-11 underline" onClick={() => discard(id)}>
        Delete
      </button>
    </>
  )
}
