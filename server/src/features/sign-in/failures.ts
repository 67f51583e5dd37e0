// This module counts failed sign-ins for a wallet and the network address that tried: attempts from another address cannot lock
// out a wallet's owner. Only failures are stored, and a success clears none of them. Counting is part of the response: when it is
// not possible, the sign-in fails.

import { createHash } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Context } from '../../context.ts'
import { slidingWindow } from '../../limits/sliding-window.ts'
import { tooMany } from '../../limits/too-many.ts'

const minutes = 15

/** Nobody knows the wallet of a link that does not exist: all of a network address count together. */
export const byLink = Symbol('by link')

const failures = slidingWindow('failed_sign_ins', 'failures')

/** Runs a sign-in of a wallet, or by a link, unless too many have failed; counts it when it fails with 401. */
export async function countingFailures<T>(
  { db, config }: Context,
  network: string,
  address: string | typeof byLink,
  signIn: () => Promise<T>,
): Promise<T> {
  if (!config.rateLimits) return signIn()
  const of = address === byLink ? 'by link' : address
  const key = createHash('sha256').update(`${network} ${of}`).digest()
  const limit = { most: config.failedSignIns, seconds: minutes * 60 }
  const wait = await failures.secondsToWait(db, key, limit)
  if (wait !== undefined) throw refusal(address, limit.most, wait)
  try {
    return await signIn()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error
    // Each of many attempts at once is counted or refused, so that only as many as the limit get an answer.
    if (!(await failures.count(db, key, limit))) throw refusal(address, limit.most, limit.seconds)
    throw error
  }
}

const refusal = (address: string | typeof byLink, most: number, retryAfter: number) =>
  tooMany(
    'failed-sign-ins',
    `Too many sign-ins failed ${address === byLink ? 'by a link' : 'for this wallet'} from your network address: ${most} may in ${minutes} minutes. Try again in ${retryAfter} s.`,
    retryAfter,
  )

/** Deletes failures that no longer count. */
export const deleteExpiredFailures = failures.deleteExpired
