// Limits what a wallet may store, begin and write in a day (UTC), and what all wallets of a network address may together: a
// wallet costs nothing. The networks of an IPv6 /48 share a larger quota. The contract says which endpoint uses which quota;
// charges.ts says what a call uses.
//
// A send must stay one round trip in the bucket of its conversation, so its use is counted in memory and added to the table
// wallet_usage once a second, for all of them together. A network address is there as a keyed hash. That statement returns what
// all instances have counted of these wallets, so they see each other's counts within a second of a wallet's next write. A kill
// loses the counts of a second. An instance that does not know a wallet yet, or no longer, learns its use a second after its
// first write. Until then a wallet may exceed a quota by what its rate limits allow in that second.
//
// The statements that create communities and bookmarks of a wallet count them exactly. Communities of a network address are
// counted here.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import { dayOf } from '../db/clock.ts'
import type { Db } from '../db/pool.ts'
import { mac } from '../lib/mac.ts'
import { mebibyte } from '../lib/amounts.ts'
import { day } from '../lib/times.ts'
import { quotaUses } from '../telemetry/metrics.ts'
import type { Who } from './concurrency.ts'
import { type Uses, usesOf } from './charges.ts'
import { ofErased } from './erased-usage.ts'
import { tooMany } from './too-many.ts'
import { type Owned, quotasOf } from './quota-sizes.ts'
import { type Counted, type Counts, newUsage, none, sendRegularly, type Usage } from './daily-usage.ts'

export interface Quotas extends AsyncDisposable, ReturnType<typeof ofErased> {
  /**
   * Does the work of a request, and counts its use of the caller's quotas. Throws 429 when that is more than is left. Work that
   * fails, or that was done before, uses nothing.
   */
  charge: <T>(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<T>,
  ) => Promise<T>
  /** Does the same for bytes that are stored for a wallet without its request. */
  chargeBytes: (wallet: string, bytes: number, work: () => Promise<boolean>) => Promise<boolean>
  /**
   * Does the same for bytes that a request copies, besides those of its body; `isNew` says of the result whether they were
   * stored.
   */
  chargeCopies: <T>(
    who: Who | null,
    bytes: number,
    work: () => Promise<T>,
    isNew: (done: T) => boolean,
  ) => Promise<T>
  /** Does the same for a community; `isNew` says of the result whether one was created. */
  chargeCommunity: <T>(who: Who | null, work: () => Promise<T>, isNew: (done: T) => boolean) => Promise<T>
  /**
   * Returns true when one is left today, where only the work itself finds out whether it uses it; and counts one that was used.
   */
  hasLeft: (quota: 'strangers' | 'changes', who: Who | null) => boolean
  countUsed: (quota: 'strangers' | 'changes', who: Who | null) => void
  /** Makes the error for a caller that may begin no other conversation. */
  refusalToBegin: (who: Who | null) => ApiError
}

interface Tools {
  db: Db
  config: Config & { jwtSecret: string }
  log: Logger
  /** The milliseconds between two exchanges with the table; a second when left out. */
  refreshEvery?: number | undefined
}

/** Owns quotas: a wallet, a network address, or a /48. */
interface Owner {
  kind: Owned
  /** No wallet is written as a network address is, and no /48 as another network. */
  key: string
  most: Counts
}

const mostKnown = 100_000

/** Returns the wallet of a request, its network address, and its /48 where it has one. */
function ownersAmong(most: Record<Owned, Counts>, who: Who | null): Owner[] {
  if (!who) return []
  const { site } = who
  const all: Owner[] = [
    { kind: 'wallet', key: who.caller, most: most.wallet },
    { kind: 'network', key: who.network, most: most.network },
  ]
  if (site !== undefined) all.push({ kind: 'site', key: site, most: most.site })
  return all
}

/** Counts in memory, and regularly in the table until disposed of. */
export function openQuotas({ db, config, log, refreshEvery }: Tools): Quotas {
  const most = quotasOf(config)
  const known = new LRUCache<string, Usage>({ maxSize: mostKnown, sizeCalculation: () => 1 })
  const changed = new Map<string, Usage>()
  const ownersOf = (who: Who | null) => (config.rateLimits ? ownersAmong(most, who) : [])
  const rowOf = ({ kind, key }: Owner) =>
    kind === 'wallet'
      ? key
      : `network ${mac(config.jwtSecret, 'quota', `network ${key}`).toString('base64url')}`
  const usageOf = (owner: Owner): Usage => {
    const { key } = owner
    const today = dayOf(db.now())
    let usage = known.get(key)
    if (!usage) known.set(key, (usage = changed.get(key) ?? newUsage(rowOf(owner), today)))
    if (usage.day !== today) Object.assign(usage, { day: today, stored: none() })
    return usage
  }
  /** Returns the first owner that would exceed a quota, and this quota. */
  const fullOne = (all: Owner[], uses: Uses): [Owner, Counted] | undefined => {
    for (const owner of all) {
      const { stored, sending, unsent } = usageOf(owner)
      for (const [quota, by] of uses)
        if (stored[quota] + sending[quota] + unsent[quota] + by > owner.most[quota]) return [owner, quota]
    }
    return undefined
  }
  const count = (all: Owner[], uses: Uses, sign: 1 | -1) => {
    for (const owner of all) {
      const usage = usageOf(owner)
      for (const [quota, by] of uses) usage.unsent[quota] += sign * by
      changed.set(owner.key, usage)
    }
  }
  const spend = async <T>(all: Owner[], uses: Uses, work: () => Promise<T>, isNew: (done: T) => boolean) => {
    const full = fullOne(all, uses)
    if (full) throw refusal(...full, db.now())
    count(all, uses, 1)
    let isCounted = false
    try {
      const done = await work()
      isCounted = isNew(done)
      return done
    } finally {
      if (isCounted) for (const [quota, by] of uses) quotaUses.inc({ quota }, by)
      else count(all, uses, -1)
    }
  }
  const sender = sendRegularly(db, log, changed, config.jwtSecret, refreshEvery)

  return {
    async charge(endpoint, { caller, who, headers, body }, reply, work) {
      if (caller?.kind !== 'wallet') return work()
      const uses = usesOf(endpoint, () => sizeOf(headers['content-length'], body))
      if (uses.length === 0) return work()
      return spend(ownersOf(who), uses, work, () => !reply.hasHeader('idempotency-replayed'))
    },
    chargeBytes: (key, bytes, work) =>
      spend(
        config.rateLimits ? [{ kind: 'wallet', key, most: most.wallet }] : [],
        [['bytes', bytes]],
        work,
        (isNew) => isNew,
      ),
    chargeCopies: (who, bytes, work, isNew) => spend(ownersOf(who), [['bytes', bytes]], work, isNew),
    chargeCommunity: (who, work, isNew) =>
      // The statement counts those of the wallet.
      spend(ownersOf(who).slice(1), [['communities', 1]], work, isNew),
    ...ofErased({ db, config }, (wallet) => [known.get(wallet), changed.get(wallet)]),
    hasLeft: (quota, who) => !fullOne(ownersOf(who), [[quota, 1]]),
    countUsed(quota, who) {
      count(ownersOf(who), [[quota, 1]], 1)
      quotaUses.inc({ quota })
    },
    refusalToBegin: (who) => {
      const all = ownersOf(who)
      const [owner] = fullOne(all, [['strangers', 1]]) ?? all
      return refusal(owner, 'strangers', db.now())
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  }
}

/** Returns the bytes of a body; one that came in chunks has no length. */
const sizeOf = (length: string | undefined, body: unknown): number =>
  length === undefined ? Buffer.byteLength(JSON.stringify(body) ?? '') : Number(length)

const owners: Record<Owned, { name: string; has: string; pronoun: string }> = {
  wallet: { name: 'Your wallet', has: 'has', pronoun: 'It' },
  network: { name: 'All wallets of your network address together', has: 'have', pronoun: 'They' },
  site: { name: 'All wallets of your IPv6 /48 together', has: 'have', pronoun: 'They' },
}

function refusal({ kind, most }: Owner, quota: Counted, now: number): ApiError {
  const { has } = owners[kind]
  const what = {
    bytes: `store ${most.bytes / mebibyte} MiB a day, and this would be more`,
    pictures: `store ${most.pictures / mebibyte} MiB of pictures a day, and this would be more`,
    strangers: `begin ${most.strangers} conversations a day, and ${has} begun them; you can write to wallets that you have written to before, or that have written to you`,
    comments: `write ${most.comments} comments a day, and ${has} written them`,
    communities: `create ${most.communities} communities a day, and ${has} created them`,
    reports: `report ${most.reports} times a day, and ${has} done so`,
    files: `upload ${most.files} files a day, and ${has} done so`,
    changes: `make ${most.changes} changes a day (marks, deletions, contacts, settings and the like), and ${has} made them`,
  }
  return dayRefusal(`quota-${quota}`, what[quota], now, kind)
}

/** A daily quota is free again at midnight. */
export function dayRefusal(limit: string, what: string, now: number, kind: Owned = 'wallet'): ApiError {
  const seconds = Math.ceil(((dayOf(now) + 1) * day - now) / 1000)
  const left = seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
  const { name, pronoun } = owners[kind]
  return tooMany(
    limit,
    `${name} may ${what}. ${pronoun} may do so again after 00:00 UTC, in ${left}.`,
    seconds,
  )
}
