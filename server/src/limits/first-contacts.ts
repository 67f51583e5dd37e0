// Limits to how many wallets that do not accept messages from everyone a wallet may write first, and all wallets of a network
// address together. All instances share the buckets (exchange.ts). How a wallet's first contacts went makes its own cost higher
// or lower: each three wallets that others know and that reported it in a week halve what it may do, and it may do twice as much
// where more than half of twenty wrote back. Only a wallet that signed in here a week ago counts as writing back: a new one costs
// nothing. What somebody has decided without writing never counts, or a limit and a card would show it.
//
// That is counted in the background while the wallet begins others, at most every five minutes, and stored in the table
// first_contacts. A send does not wait for it.

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import { dayOf } from '../db/clock.ts'
import type { Db } from '../db/pool.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import { repeat } from '../lib/repeat.ts'
import { day, minute } from '../lib/times.ts'
import type { Who } from './concurrency.ts'
import { charge, createMeter, type Meter, refund } from './token-buckets.ts'
import { tooMany } from './too-many.ts'
import { findDays, week } from './written.ts'

export interface FirstContacts extends AsyncDisposable {
  /** Counts one, or throws 429. Call the returned function when the message began nothing after all. */
  take: (who: Who | null) => () => void
  meters: Meter[]
}

interface Tools {
  db: Db
  config: Pick<Config, 'rateLimits' | 'firstContacts' | 'ipLimitFactor'>
  log: Logger
}

/** A first contact of an unknown wallet costs this many tokens. Instances exchange whole numbers. */
const tokens = 4
const pause = 5_000
const lifetime = 5 * minute
const mostWaiting = 10_000

export function openFirstContacts({ db, config, log }: Tools): FirstContacts {
  if (!config.rateLimits) return { take: () => () => {}, meters: [], [Symbol.asyncDispose]: async () => {} }
  const { burst, perSecond: perHour } = config.firstContacts
  const rateOf = (factor: number) => ({
    burst: burst * tokens * factor,
    perSecond: (perHour * tokens * factor) / 3600,
  })
  const walletMeter = createMeter('first-contacts', rateOf(1))
  const networkMeter = createMeter('first-contacts-network', rateOf(config.ipLimitFactor))
  /** This has the cost of one first contact by wallet. */
  const costs = new LRUCache<string, number>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    ttl: lifetime,
    perf: { now: () => performance.now() },
  })
  const uncounted = new Set<string>()
  const counting = repeat(pause, async () => {
    for (const wallet of uncounted) {
      uncounted.delete(wallet)
      await countFirstContacts(db, wallet).then(
        (cost) => costs.set(wallet, cost),
        (error: Error) => log.warn(`first contacts of a wallet are not counted: ${error.message}`),
      )
    }
  })

  return {
    meters: [walletMeter, networkMeter],
    take(who) {
      if (!who) return () => {}
      if (!costs.has(who.caller) && uncounted.size < mostWaiting) uncounted.add(who.caller)
      // The last result counts until there is a newer one.
      const cost = costs.get(who.caller, { allowStale: true }) ?? tokens
      const from = [
        [walletMeter, who.caller, cost],
        [networkMeter, who.network, tokens],
      ] as const
      const { meter, wait } = charge(from)
      if (wait > 0) throw refusal(meter === walletMeter, wait)
      return () => refund(from)
    },
    [Symbol.asyncDispose]: () => counting[Symbol.asyncDispose](),
  }
}

function refusal(isWallet: boolean, seconds: number) {
  const [whose, they] = isWallet
    ? ['Your wallet has', 'it may']
    : ['All wallets of your network address together have', 'they may']
  const until = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return tooMany(
    isWallet ? 'first-contacts' : 'first-contacts-network',
    `${whose} written first to many wallets that choose who may write to them, and ${they} write to another one in ${until}. Until then you can write to those that have written to you or accepted you, and to those that take messages of everyone.`,
    seconds,
  )
}

/** This many days count. */
const days = 30

const store = `
  insert into first_contacts as f (wbucket, walletaddr, day, asked, accepted)
  select l.bucket, $2, d.day, d.asked, d.accepted
  from buckets l join unnest($3::integer[], $4::integer[], $5::integer[]) as d (day, asked, accepted) on true
  where l.bucket = $1
  on conflict (wbucket, walletaddr, day) do update
    set asked = excluded.asked, accepted = excluded.accepted`

// Fresh wallets do not count, even in large numbers, and neither do reports that an operator has closed.
const findReporters = `
  select count(distinct reporter) as reporters from reports
  where subject = $1 and not is_chat and status <> 'closed' and ms > $2 and weight > 1`

/** Counts how a wallet's first contacts went, stores it, and returns what another one costs the wallet. */
export async function countFirstContacts(db: Db, wallet: string): Promise<number> {
  const found = await findDays(db, wallet, (dayOf(db.now()) - days) * day)
  if (found.length > 0)
    await db.query(
      store,
      keyOf(wallet, ...(['day', 'asked', 'accepted'] as const).map((name) => found.map((one) => one[name]))),
    )
  const [asked, accepted] = (['asked', 'accepted'] as const).map((name) =>
    found.reduce((sum, one) => sum + one[name], 0),
  ) as [number, number]
  const [reports] = await db.query<{ reporters: number }>(findReporters, [wallet, db.now() - week])
  return costOf({ asked, accepted, reporters: reports!.reporters })
}

/** Returns how the first contacts of a wallet went in the last days, by the last count. */
export async function findFirstContacts(
  db: Db,
  wallet: string,
): Promise<{ asked: number; accepted: number }> {
  const [sums] = await db.query<{ asked: number; accepted: number }>(
    `select coalesce(sum(asked), 0)::integer as asked, coalesce(sum(accepted), 0)::integer as accepted
     from first_contacts where ${ofWallet} and day >= $3`,
    keyOf(wallet, dayOf(db.now()) - days),
  )
  return sums!
}

/** Returns the cost for a wallet whose earlier first contacts went like this. */
export function costOf({
  asked,
  accepted,
  reporters,
}: {
  asked: number
  accepted: number
  reporters: number
}): number {
  const isWelcome = asked >= 20 && accepted * 2 > asked
  return (tokens * 2 ** Math.floor(reporters / 3)) / (isWelcome ? 2 : 1)
}

/** Deletes rows that no longer count. */
export const deleteOldFirstContacts = (db: Db) =>
  db.query('delete from first_contacts where day < $1', [dayOf(db.now()) - days])
