import type { Rate } from '../config/parsers.ts'
import type { Bucket, Meter } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

/** The refusal of a request because of a bucket that is empty. */
export const tooManyRequests = (meter: Meter, bucket: Bucket) =>
  refuse(
    meter,
    bucket,
    (owner, { burst, perSecond }, wait) =>
      `Too many requests: ${owner} may make ${burst} of these at once and ${perSecond} a second. Try again in ${wait} s.`,
  )

export const tooManyBytes = (meter: Meter, bucket: Bucket) =>
  refuse(
    meter,
    bucket,
    (owner, { burst, perSecond }, wait) =>
      `Too much was read: ${owner} may be sent ${burst} KiB at once and ${perSecond} KiB a second. Ask for less with limit and after, or try again in ${wait} s.`,
  )

function refuse(
  { name, rate }: Meter,
  { tokens }: Bucket,
  say: (owner: string, rate: Rate, wait: number) => string,
): Error {
  const wait = Math.max(1, Math.ceil((1 - tokens) / rate.perSecond))
  return tooMany(name, say(ownerOf(name), rate, wait), wait)
}

const ownerOf = (meter: string): string => {
  if (meter.endsWith('-site')) return 'all of your IPv6 /48 together'
  if (meter.endsWith('-network')) return 'all wallets of your network address'
  return meter.endsWith('-anonymous') ? 'your network address without a sign-in' : 'your wallet'
}
