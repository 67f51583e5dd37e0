// Failed sign-ins, counted for a wallet and the network address that tried: whoever tries from elsewhere cannot lock a wallet's
// owner out. Only failures are written down, and no success clears them. Counting is part of the answer: when it
// cannot be done, the sign-in fails.

import { createHash } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { tooMany } from '../../limits/too-many.ts'

const minutes = 15

/** Runs a sign-in unless too many have failed; counts it when it fails with 401. */
export async function countingFailures<T>(
  { db, config }: Context,
  network: string,
  address: string,
  signIn: () => Promise<T>,
): Promise<T> {
  if (!config.rateLimits) return signIn()
  const key = createHash('sha256').update(`${network} ${address}`).digest()
  const values = [key, minutes * 60, config.failedSignIns]
  const [full] = await db.query<{ seconds: number }>(secondsToWait, values)
  if (full) throw refusal(config.failedSignIns, full.seconds)
  try {
    return await signIn()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error
    // Of many at once each is counted or refused, so that no more than the limit get an answer.
    const [counted] = await db.query(countOne, values)
    if (!counted) throw refusal(config.failedSignIns, minutes * 60)
    throw error
  }
}

const refusal = (most: number, retryAfter: number) =>
  tooMany(
    `Too many sign-ins failed for this wallet from your network address: ${most} may in ${minutes} minutes. Try again in ${retryAfter} s.`,
    retryAfter,
  )

const recent = `unnest(f.failures) t where t > now() - $2 * interval '1 s'`

const secondsToWait = `
  select greatest(1, ceil(extract(epoch from min(t) + $2 * interval '1 s' - now())))::int as seconds
  from failed_sign_ins f, ${recent} and f.key = $1 having count(*) >= $3`

const countOne = `
  insert into failed_sign_ins as f (key, failures, expires_at) values ($1, array[now()], now() + $2 * interval '1 s')
  on conflict (key) do update
    set failures = array(select t from ${recent}) || now(), expires_at = excluded.expires_at
    where (select count(*) from ${recent}) < $3
  returning true as counted`

/** Forgets failures that no longer count. */
export const deleteExpiredFailures = (db: Db) =>
  db.query(`delete from failed_sign_ins where expires_at < now()`)
