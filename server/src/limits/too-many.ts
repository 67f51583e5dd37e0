import { ApiError } from '@parley/sdk/contract/errors.ts'
import { limitRefusals } from '../telemetry/metrics.ts'

/**
 * The refusal of what a caller does too often: 429, with the seconds after which it may try again. It is counted
 * under the name of the limit.
 */
export function tooMany(limit: string, detail: string, retryAfter: number): ApiError {
  limitRefusals.inc({ limit })
  return new ApiError('rate_limited', detail, { retryAfter })
}
