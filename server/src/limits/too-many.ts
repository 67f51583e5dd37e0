import { ApiError } from '@parley/sdk/contract/errors.ts'

/**
 * The refusal of what a caller does too often: 429, with the seconds after which it may try again.
 */
export const tooMany = (detail: string, retryAfter: number): ApiError =>
  new ApiError('rate_limited', detail, { retryAfter })
