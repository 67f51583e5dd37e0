import type { Rate } from '../config/parsers.ts'
import type { Meter } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

/** Makes the refusal of a request because of an empty bucket. */
export const tooManyRequests = (meter: Meter, wait: number) =>
  refuse(
    meter,
    wait,
    (owner, { burst, perSecond }) =>
      `Too many requests: ${owner} may make ${burst} of these at once and ${perSecond} a second. Try again in ${wait} s.`,
  )

export const tooManyBytes = (meter: Meter, wait: number) =>
  refuse(
    meter,
    wait,
    (owner, { burst, perSecond }) =>
      `Download limit of ${owner} reached: ${burst} KiB at once and ${perSecond} KiB a second. Ask for less with limit and after, or try again in ${wait} s.`,
  )

function refuse({ name, rate }: Meter, wait: number, say: (owner: string, rate: Rate) => string): Error {
  return tooMany(name, say(ownerOf(name), rate), wait)
}

const ownerOf = (meter: string): string => {
  if (meter.endsWith('-site')) return 'all of your IPv6 /48 together'
  if (meter.endsWith('-network')) return 'all wallets of your network address'
  return meter.endsWith('-anonymous') ? 'your network address without a sign-in' : 'your wallet'
}
