import { ApiError } from '@parley/sdk/contract/errors.ts'
import { limitRefusals } from '../telemetry/metrics.ts'

/**
 * Makes the refusal of a caller that does something too often: 429, with the seconds until a retry is possible. It is counted
 * under the name of the limit.
 */
export function tooMany(limit: string, detail: string, retryAfter: number): ApiError {
  limitRefusals.inc({ limit })
  return new ApiError('rate_limited', detail, { retryAfter })
}
