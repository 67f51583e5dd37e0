// These functions retry calls and the event stream: after the `Retry-After` that the service sends, and not before an exponential
// backoff with jitter, so that many clients do not come back at once.

import { ApiError } from './contract/errors.ts'

export interface RetryOptions {
  /**
   * The maximum number of attempts of a call, the first one included; 4 when left out. With `Infinity` it is retried until it
   * succeeds, is refused or is aborted.
   */
  attempts?: number
  /**
   * The longest wait between two attempts, in milliseconds; 30,000 when left out. When `Retry-After` is longer, the error is
   * thrown at once.
   */
  longestWait?: number
  /** Is called before each wait with what was thrown and the wait in milliseconds. */
  onRetry?: (error: unknown, wait: number) => void
}

/** The backoff in milliseconds after the first failure of a call, and the longest one. */
const firstWait = 500
const longestBackOff = 15_000
/** The longest time in milliseconds that setTimeout accepts. */
const longestTimer = 2 ** 31 - 1

/** Returns true when a failure may be temporary: a broken connection, a rate limit or a server error. */
export const maybeTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.code === 'rate_limited'

/**
 * Repeats `attempt` while it fails with an error that `mayRepeat` accepts. Throws the last error,
 * or the signal's reason when that is aborted during a wait.
 */
export async function withRetry<T>(
  attempt: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  { attempts = 4, longestWait = 30_000, onRetry }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const longest = Math.min(longestBackOff, longestWait)
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = waitAfter(error, failures, firstWait, longest)
      if (signal?.aborted || failures >= attempts || wait > longestWait || !mayRepeat(error)) throw error
      onRetry?.(error, wait)
      await pause(wait, error, signal)
      signal?.throwIfAborted()
    }
  }
}

/**
 * Returns the milliseconds to wait after a number of failures in a row: `first` for one, doubled for each further one up to
 * `longest`, less up to half of it at random; or `Retry-After` when that is longer.
 */
export function waitAfter(error: unknown, failures: number, first: number, longest: number): number {
  const backOff = Math.min(longest, first * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
  return Math.max(backOff, retryAfterOf(error) * 1000)
}

const retryAfterOf = (error: unknown) => (error instanceof ApiError ? (error.retryAfter ?? 0) : 0)

/**
 * Waits. Ends early when the signal is aborted, and after a broken connection also when the browser
 * says that it is online again.
 */
export const pause = (milliseconds: number, error: unknown, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const online = 'addEventListener' in globalThis && !(error instanceof ApiError) ? globalThis : undefined
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      online?.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(milliseconds, longestTimer))
    signal?.addEventListener('abort', done)
    online?.addEventListener('online', done)
  })
