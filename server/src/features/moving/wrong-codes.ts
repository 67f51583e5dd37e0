// Counts wrong codes, of a wallet and of all wallets together. Nobody guesses a code in their lifetime: the limit keeps those away who
// try.

import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { slidingWindow } from '../../limits/sliding-window.ts'
import { tooMany } from '../../limits/too-many.ts'

const wrong = slidingWindow('wrong_codes', 'failures')

const seconds = 3600
const ofWallet = { most: 10, seconds }
const ofAll = { most: 1000, seconds }

/** A wallet is stored as a hash, because these rows outlast its erasure. */
const keyOf = (wallet: string) => createHash('sha256').update(wallet).digest('base64url')
const windows = (wallet: string) => [[keyOf(wallet), ofWallet] as const, ['all', ofAll] as const]

const refusal = (retryAfter: number) =>
  tooMany('wrong-codes', `Too many codes were wrong. Try again in ${retryAfter} s.`, retryAfter)

/** Throws 429 where too many codes were wrong. */
export async function requireTries({ db, config }: Context, wallet: string): Promise<void> {
  if (!config.rateLimits) return
  for (const [key, limit] of windows(wallet)) {
    const wait = await wrong.secondsToWait(db, key, limit)
    if (wait !== undefined) throw refusal(wait)
  }
}

/** Counts a wrong code. Of many at once only as many as the limit get an answer. */
export async function countWrong({ db, config }: Context, wallet: string): Promise<void> {
  if (!config.rateLimits) return
  for (const [key, limit] of windows(wallet))
    if (!(await wrong.count(db, key, limit))) throw refusal(limit.seconds)
}

export const deleteExpiredTries = wrong.deleteExpired
