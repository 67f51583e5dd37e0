// Counts wrong codes of a wallet. Nobody guesses one of 98 random bits with any number of wallets: a limit for all of them together
// would only let some keep others from theirs.

import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { slidingWindow } from '../../limits/sliding-window.ts'
import { tooMany } from '../../limits/too-many.ts'

const wrong = slidingWindow('wrong_codes', 'failures')

const limit = { most: 10, seconds: 3600 }

/** A wallet is stored as a hash, because these rows outlast its erasure. */
const keyOf = (wallet: string) => createHash('sha256').update(wallet).digest('base64url')

const refusal = (retryAfter: number) =>
  tooMany('wrong-codes', `Too many codes were wrong. Try again in ${retryAfter} s.`, retryAfter)

/** Throws 429 where too many codes were wrong. */
export async function requireTries({ db, config }: Context, wallet: string): Promise<void> {
  const wait = config.rateLimits ? await wrong.secondsToWait(db, keyOf(wallet), limit) : undefined
  if (wait !== undefined) throw refusal(wait)
}

/** Counts a wrong code. Of many at once only as many as the limit get an answer. */
export async function countWrong({ db, config }: Context, wallet: string): Promise<void> {
  if (config.rateLimits && !(await wrong.count(db, keyOf(wallet), limit))) throw refusal(limit.seconds)
}

export const deleteExpiredTries = wrong.deleteExpired
