import { ApiError, type ErrorCode } from '@parley/sdk'

/** What went wrong, with words to show. */
export interface Problem {
  /**
   * The service's code of the failure, or one of these: `offline`, the service cannot be reached; `no_wallet`, there is no wallet
   * to sign with; `rejected`, the wallet did not sign; `encrypted`, the conversation is encrypted, and a hook cannot write there.
   */
  code: ErrorCode | 'offline' | 'no_wallet' | 'rejected' | 'encrypted'
  message: string
  /** Seconds after which it may succeed. */
  retryAfter?: number
}

/** Returns what a failed call means. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError))
    return {
      code: 'offline',
      message: 'The service can’t be reached. Check your connection, then try again.',
    }
  const { code, message, retryAfter } = error
  return { code, message, ...(retryAfter !== undefined && { retryAfter }) }
}
