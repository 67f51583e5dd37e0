// What went wrong, as a sentence. The first page shows it too, so this imports neither the client nor its cache.

import { ApiError, type ErrorCode } from '@parley/sdk/contract/errors.ts'
import { shortTime } from '../state/time.ts'

/** The service's texts for these errors are for callers of its interface. */
const words: Partial<Record<ErrorCode, string>> = {
  request_pending: 'You can write more when they reply.',
  old_sign_in: 'You signed in more than an hour ago. Sign in again for this. Nothing was changed.',
  sanctioned: 'You can’t write or post right now.',
}

/** The service writes times in this form. */
const instants = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g

/** Returns an error as a sentence for the reader. */
export function describeError(error: unknown): string {
  const said = error instanceof ApiError ? words[error.code] : undefined
  if (said) return said
  if (error instanceof TypeError) return `Can’t reach ${location.host}. Check your connection.`
  if (error instanceof Error) return error.message.replaceAll(instants, shortTime)
  return 'Something went wrong.'
}
