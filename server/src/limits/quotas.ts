// What a wallet may store, begin and write in a day (UTC), and what all wallets of a network address may
// together: a wallet costs nothing. The networks of an IPv6 /48 share more. Which endpoint uses which
// quota stands in the contract.
//
// A send must stay one round trip in the bucket of its conversation, so what it uses is counted in
// memory and added to the table wallet_usage once a second, for all of them together. A
// network address is there as a keyed hash. The answer of that statement is what all instances have
// counted of these wallets, so they see each other's
// within a second of a wallet's next write. A kill loses the counts of a second. An instance that
// does not know a wallet yet, or no longer, learns what it has used a second after its first write.
// Until then a wallet may exceed a quota by what its rate limits allow in that second.
//
// Communities and bookmarks of a wallet are counted exactly, by the statements that make them. Of a
// network address communities are counted here.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { mac } from '../lib/mac.ts'
import type { Who } from './at-once.ts'
import { siteOf } from './network.ts'
import { tooMany } from './too-many.ts'
import { mebibyte, type Owned, quotasOf } from './quota-sizes.ts'
import {
  type Counted,
  type Counts,
  dayOf,
  erasureHash,
  moveUsage,
  newUsage,
  none,
  rowOfErased,
  sendRegularly,
  type Usage,
} from './usage.ts'

/** What a request uses: of each quota how much. */
type Uses = [Counted, number][]

export interface Quotas extends AsyncDisposable {
  /**
   * Does the work of a request, and counts what it uses of the caller's quotas. Throws 429 when
   * that is more than is left. Work that fails, or that was done before, uses nothing.
   */
  charge: <T>(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<T>,
  ) => Promise<T>
  /** The same for bytes that are stored for a wallet without a request of it. */
  chargeBytes: (wallet: string, bytes: number, work: () => Promise<boolean>) => Promise<boolean>
  /** The same for bytes that a request copies, besides those of its body; `isNew` says of what was done whether they were stored. */
  chargeCopies: <T>(
    who: Who | null,
    bytes: number,
    work: () => Promise<T>,
    isNew: (done: T) => boolean,
  ) => Promise<T>
  /** The same for a community; `isNew` says of what was done whether one was created. */
  chargeCommunity: <T>(who: Who | null, work: () => Promise<T>, isNew: (done: T) => boolean) => Promise<T>
  /** What a wallet uses that is erased is kept under a keyed hash, until it signs in again. */
  erase: (wallet: string) => void
  welcome: (wallet: string) => Promise<void>
  /** Whether another conversation may be begun today. */
  mayBegin: (who: Who | null) => boolean
  countBegun: (who: Who | null) => void
  /** The error of a caller that may begin no other conversation. */
  refusalToBegin: (who: Who | null) => ApiError
}

interface Tools {
  db: Db
  config: Config & { jwtSecret: string }
  log: Logger
}

/** Who has quotas: a wallet, a network address, or a /48. */
interface Owner {
  kind: Owned
  key: string
  most: Counts
}

const mostKnown = 100_000

/** Counts in memory, and in the table once a second until disposed of. */
export function openQuotas({ db, config, log }: Tools): Quotas {
  const most = quotasOf(config)
  const known = new LRUCache<string, Usage>({ maxSize: mostKnown, sizeCalculation: () => 1 })
  const changed = new Map<string, Usage>()
  const ownersOf = (who: Who | null): Owner[] => {
    if (!who || !config.rateLimits) return []
    const site = siteOf(who.network)
    const all: Owner[] = [
      { kind: 'wallet', key: who.caller, most: most.wallet },
      { kind: 'network', key: `network ${who.network}`, most: most.network },
    ]
    return site === undefined ? all : [...all, { kind: 'site', key: `network ${site}`, most: most.site }]
  }
  const rowOf = ({ kind, key }: Owner) =>
    kind === 'wallet' ? key : `network ${mac(config.jwtSecret, 'quota', key).toString('base64url')}`
  const usageOf = (owner: Owner): Usage => {
    const { key } = owner
    const day = dayOf(db.now())
    const usage = known.get(key) ?? changed.get(key) ?? newUsage(rowOf(owner), day)
    if (usage.day !== day) Object.assign(usage, { day, stored: none() })
    known.set(key, usage)
    return usage
  }
  /** The one whose quota would be exceeded. */
  const fullOne = (all: Owner[], quota: Counted, by: number) =>
    all.find((owner) => {
      const { stored, sending, unsent } = usageOf(owner)
      return stored[quota] + sending[quota] + unsent[quota] + by > owner.most[quota]
    })
  const count = (all: Owner[], quota: Counted, by: number) => {
    for (const owner of all) {
      const usage = usageOf(owner)
      usage.unsent[quota] += by
      changed.set(owner.key, usage)
    }
  }
  const spend = async <T>(all: Owner[], uses: Uses, work: () => Promise<T>, isNew: (done: T) => boolean) => {
    for (const [quota, by] of uses) {
      const full = fullOne(all, quota, by)
      if (full) throw refusal(full, quota, db.now())
    }
    for (const [quota, by] of uses) count(all, quota, by)
    let isCounted = false
    try {
      const done = await work()
      isCounted = isNew(done)
      return done
    } finally {
      if (!isCounted) for (const [quota, by] of uses) count(all, quota, -by)
    }
  }
  const sender = sendRegularly(db, log, changed)

  return {
    async charge({ quotas }, { caller, who, headers, body }, reply, work) {
      if (caller?.kind !== 'wallet' || !quotas) return work()
      const uses: Uses = []
      if (quotas.includes('bytes')) uses.push(['bytes', sizeOf(headers['content-length'], body)])
      if (quotas.includes('comments')) uses.push(['comments', 1])
      if (quotas.includes('reports')) uses.push(['reports', 1])
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
      // Those of the wallet are counted by the statement.
      spend(ownersOf(who).slice(1), [['communities', 1]], work, isNew),
    ...ofErased({ db, config }, (wallet) => [known.get(wallet), changed.get(wallet)]),
    mayBegin: (who) => !fullOne(ownersOf(who), 'strangers', 1),
    countBegun: (who) => count(ownersOf(who), 'strangers', 1),
    refusalToBegin: (who) => {
      const all = ownersOf(who)
      return refusal(fullOne(all, 'strangers', 1) ?? all[0]!, 'strangers', db.now())
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  }
}

function ofErased(
  { db, config }: Pick<Tools, 'db' | 'config'>,
  usagesOf: (wallet: string) => (Usage | undefined)[],
): Pick<Quotas, 'erase' | 'welcome'> {
  const nameRow = (wallet: string, row: string) => {
    for (const usage of usagesOf(wallet)) if (usage) usage.row = row
  }
  const erasedRowOf = (wallet: string) => rowOfErased(erasureHash(config.jwtSecret, wallet))
  return {
    erase: (wallet) => nameRow(wallet, erasedRowOf(wallet)),
    async welcome(wallet) {
      await db.transaction((tx) => moveUsage(tx, erasedRowOf(wallet), wallet))
      nameRow(wallet, wallet)
    },
  }
}

/** Bytes of a body; one that came in chunks has no length. */
const sizeOf = (length: string | undefined, body: unknown): number =>
  length === undefined ? Buffer.byteLength(JSON.stringify(body) ?? '') : Number(length)

const owners: Record<Owned, { name: string; has: string; again: string }> = {
  wallet: { name: 'Your wallet', has: 'has', again: 'It' },
  network: { name: 'All wallets of your network address together', has: 'have', again: 'They' },
  site: { name: 'All wallets of your IPv6 /48 together', has: 'have', again: 'They' },
}

function refusal({ kind, most }: Owner, quota: Counted, now: number): ApiError {
  const { has } = owners[kind]
  const what = {
    bytes: `store ${most.bytes / mebibyte} MiB a day, and this would be more`,
    strangers: `begin ${most.strangers} conversations a day, and ${has} begun them; you can write to wallets that you have written to before, or that have written to you`,
    comments: `write ${most.comments} comments a day, and ${has} written them`,
    communities: `create ${most.communities} communities a day, and ${has} created them`,
    reports: `report ${most.reports} times a day, and ${has} done so`,
  }
  return dayRefusal(`quota-${quota}`, what[quota], now, kind)
}

/** A quota of a day frees at midnight. */
export function dayRefusal(limit: string, what: string, now: number, kind: Owned = 'wallet'): ApiError {
  const seconds = Math.ceil(((dayOf(now) + 1) * 86_400_000 - now) / 1000)
  const left = seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
  const { name, again } = owners[kind]
  return tooMany(limit, `${name} may ${what}. ${again} may do so again after 00:00 UTC, in ${left}.`, seconds)
}
