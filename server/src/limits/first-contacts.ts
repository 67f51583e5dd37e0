// To how many wallets that do not take messages of everyone a wallet may write first, and all wallets of a network address
// together. The buckets are shared by all instances (exchange.ts). How a wallet's first contacts went makes its own cost more
// or less: each three wallets that others know and that reported it in a week halve what it may do, and it may do twice as much
// where more than half of twenty wrote back. Only a wallet that signed in here a week ago counts as writing back: a new one
// costs nothing. What somebody has decided without writing never counts, or a limit and a card would show it.
//
// That is counted in the background while the wallet begins others, at most every five minutes, and kept in the table
// first_contacts. A send waits for nothing of it.

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { repeat } from '../lib/repeat.ts'
import { walletBucket } from '../values/bucket.ts'
import type { Who } from './at-once.ts'
import { bucketOf, createMeter, type Meter, take } from './token-buckets.ts'
import { tooMany } from './too-many.ts'
import { dayOf } from './usage.ts'
import { findDays, week } from './written.ts'

export interface FirstContacts extends AsyncDisposable {
  /** Counts one, or throws 429. Call the answer when the message began nothing after all. */
  take: (who: Who | null) => () => void
  meters: Meter[]
}

interface Tools {
  db: Db
  config: Pick<Config, 'rateLimits' | 'firstContacts' | 'ipLimitFactor'>
  log: Logger
}

/** Tokens of one first contact of a wallet of which nothing is known. What is exchanged is whole numbers. */
const tokens = 4
const pause = 5_000
const lifetime = 300_000
const mostWaiting = 10_000

export function openFirstContacts({ db, config, log }: Tools): FirstContacts {
  if (!config.rateLimits) return { take: () => () => {}, meters: [], [Symbol.asyncDispose]: async () => {} }
  const { burst, perSecond: perHour } = config.firstContacts
  const rateOf = (factor: number) => ({
    burst: burst * tokens * factor,
    perSecond: (perHour * tokens * factor) / 3600,
  })
  const ofWallet = createMeter('first-contacts', rateOf(1))
  const ofNetwork = createMeter('first-contacts-network', rateOf(config.ipLimitFactor))
  /** What one costs a wallet. */
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
    meters: [ofWallet, ofNetwork],
    take(who) {
      if (!who) return () => {}
      if (!costs.has(who.caller) && uncounted.size < mostWaiting) uncounted.add(who.caller)
      const now = performance.now()
      // The last answer counts until there is a newer one.
      const cost = costs.get(who.caller, { allowStale: true }) ?? tokens
      const from = [
        { meter: ofWallet, key: who.caller, cost, bucket: bucketOf(ofWallet, who.caller, now) },
        { meter: ofNetwork, key: who.network, cost: tokens, bucket: bucketOf(ofNetwork, who.network, now) },
      ]
      for (const { meter, bucket, cost: needed } of from)
        if (bucket.tokens < needed)
          throw refusal(meter === ofWallet, (needed - bucket.tokens) / meter.rate.perSecond)
      for (const { meter, key, bucket, cost: needed } of from) take(meter, key, bucket, needed)
      return () => {
        for (const { meter, key, bucket, cost: needed } of from) take(meter, key, bucket, -needed)
      }
    },
    [Symbol.asyncDispose]: () => counting[Symbol.asyncDispose](),
  }
}

function refusal(isWallet: boolean, wait: number) {
  const seconds = Math.max(1, Math.ceil(wait))
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

/** How many days count. */
const days = 30

const store = `
  insert into first_contacts as f (wbucket, walletaddr, day, asked, accepted)
  select l.bucket, $2, d.day, d.asked, d.accepted
  from buckets l join unnest($3::integer[], $4::integer[], $5::integer[]) as d (day, asked, accepted) on true
  where l.bucket = $1
  on conflict (wbucket, walletaddr, day) do update
    set asked = excluded.asked, accepted = excluded.accepted`

// Of a mob of fresh wallets nobody counts, and what an operator has closed no longer does.
const findReporters = `
  select count(distinct reporter) as reporters from reports
  where subject = $1 and not is_chat and status <> 'closed' and ms > $2 and weight > 1`

/** Counts how a wallet's first contacts went, keeps it, and answers what another one costs it. */
export async function countFirstContacts(db: Db, wallet: string): Promise<number> {
  const found = await findDays(db, wallet, (dayOf(db.now()) - days) * 86_400_000)
  if (found.length > 0)
    await db.query(store, [
      walletBucket(wallet),
      wallet,
      ...(['day', 'asked', 'accepted'] as const).map((name) => found.map((day) => day[name])),
    ])
  const [asked, accepted] = (['asked', 'accepted'] as const).map((name) =>
    found.reduce((sum, day) => sum + day[name], 0),
  ) as [number, number]
  const [reports] = await db.query<{ reporters: number }>(findReporters, [wallet, db.now() - week])
  return costOf({ asked, accepted, reporters: reports!.reporters })
}

/** How the first contacts of a wallet went in the last days, as it was counted last. */
export async function findFirstContacts(
  db: Db,
  wallet: string,
): Promise<{ asked: number; accepted: number }> {
  const [sums] = await db.query<{ asked: number; accepted: number }>(
    `select coalesce(sum(asked), 0)::integer as asked, coalesce(sum(accepted), 0)::integer as accepted
     from first_contacts where wbucket = $1 and walletaddr = $2 and day >= $3`,
    [walletBucket(wallet), wallet, dayOf(db.now()) - days],
  )
  return sums!
}

/** What one costs a wallet whose earlier ones went like this. */
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

/** Deletes what no longer counts. */
export const deleteOldFirstContacts = (db: Db) =>
  db.query('delete from first_contacts where day < $1', [dayOf(db.now()) - days])
