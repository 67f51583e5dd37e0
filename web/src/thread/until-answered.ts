// How often and how long an entry is sent again, and what its writer reads about it.

import { ApiError } from '@parley/sdk'
import { describeError } from '../service/describe-error.ts'
import { change, type Entry } from './entries.ts'

/** Returns why a message could not be sent, for its writer. */
export const problemOf = ({ uploads }: Pick<Entry, 'uploads'>, error: unknown): string =>
  uploads && error instanceof ApiError && error.code === 'request_pending'
    ? 'You can send files when they reply.'
    : describeError(error)

export const untilAnswered = (id: string) => ({
  attempts: Infinity,
  // A daily quota frees in hours: then the message is shown as not sent, with the reason.
  longestWait: 600_000,
  onRetry: (error: unknown, wait: number) =>
    change(id, ({ problem: _before, ...entry }) => ({
      ...entry,
      state: 'waiting',
      // Slow mode in a chat is an example: a wait of a moment needs no sentence.
      ...(error instanceof ApiError && wait > 3000 && { problem: describeError(error) }),
    })),
})
