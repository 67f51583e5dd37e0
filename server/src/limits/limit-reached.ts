import { ApiError } from '@parley/sdk/contract/errors.ts'

/**
 * Makes the refusal of one more than the maximum; `how` says how to make room. The maximum is a number, or a text where the
 * addition itself exceeds it.
 */
export type Full = (most: number | string, how: string) => ApiError

/** Only the handler of an endpoint that declares `adds` in the contract gets one; `adds` is that text. */
export const fullOf =
  (adds: string): Full =>
  (most, how) => {
    const said =
      typeof most === 'number'
        ? adds.replace('{most}', most.toLocaleString('en'))
        : `With this there would be more than ${most}`
    return new ApiError('limit_reached', `${said}, the maximum. ${how}`)
  }
