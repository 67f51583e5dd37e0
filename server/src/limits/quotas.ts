// What a wallet may store, begin and write in a day (UTC). Which endpoint uses which quota stands in
// the contract.
//
// A send must stay one round trip in the bucket of its conversation, so what it uses is counted in
// memory and added to the table wallet_usage once a second, for all wallets together. The answer of
// that statement is what all instances have counted of these wallets, so they see each other's
// within a second of a wallet's next write. A kill loses the counts of a second. An instance that
// does not know a wallet yet, or no longer, learns what it has used a second after its first write.
// Until then a wallet may exceed a quota by what its rate limits allow in that second.
//
// Communities and bookmarks are counted exactly, by the statements that make them.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { tooMany } from './too-many.ts'
import { type Counted, type Counts, dayOf, newUsage, none, sendRegularly, type Usage } from './usage.ts'

export interface Quotas extends AsyncDisposable {
  /**
   * Does the work of a request, and counts what it uses of the wallet's quotas. Throws 429 when
   * that is more than is left. Work that fails, or that was done before, uses nothing.
   */
  charge: <T>(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<T>,
  ) => Promise<T>
  /** Whether a wallet may begin another conversation today. */
  mayBegin: (wallet: string) => boolean
  countBegun: (wallet: string) => void
  /** The error of a wallet that has used up a quota. */
  refusalOf: (quota: Counted) => ApiError
}

interface Tools {
  db: Db
  config: Config
  log: Logger
}

const mostWallets = 100_000
const mebibyte = 2 ** 20

/** Counts in memory, and in the table once a second until disposed of. */
export function openQuotas({ db, config, log }: Tools): Quotas {
  const most: Counts = {
    bytes: config.storedADay * mebibyte,
    strangers: config.strangersADay,
    comments: config.commentsADay,
  }
  const refusalOf = (quota: Counted) => refusal(config, quota, db.now())
  if (!config.rateLimits)
    return {
      charge: (_endpoint, _request, _reply, work) => work(),
      mayBegin: () => true,
      countBegun: () => {},
      refusalOf,
      [Symbol.asyncDispose]: async () => {},
    }
  const wallets = new LRUCache<string, Usage>({ maxSize: mostWallets, sizeCalculation: () => 1 })
  const changed = new Map<string, Usage>()
  const usageOf = (wallet: string): Usage => {
    const day = dayOf(db.now())
    const usage = wallets.get(wallet) ?? changed.get(wallet) ?? newUsage(day)
    if (usage.day !== day) Object.assign(usage, { day, stored: none() })
    wallets.set(wallet, usage)
    return usage
  }
  const usedOf = ({ stored, sending, unsent }: Usage, quota: Counted) =>
    stored[quota] + sending[quota] + unsent[quota]
  const count = (wallet: string, quota: Counted, by: number) => {
    const usage = usageOf(wallet)
    usage.unsent[quota] += by
    changed.set(wallet, usage)
  }
  const sender = sendRegularly(db, log, changed)

  return {
    async charge(endpoint, { caller, headers, body }, reply, work) {
      if (caller?.kind !== 'wallet' || !endpoint.quotas) return work()
      const wallet = caller.address
      const uses: [Counted, number][] = []
      if (endpoint.quotas.includes('bytes')) uses.push(['bytes', sizeOf(headers['content-length'], body)])
      if (endpoint.quotas.includes('comments')) uses.push(['comments', 1])
      const usage = usageOf(wallet)
      for (const [quota, by] of uses) if (usedOf(usage, quota) + by > most[quota]) throw refusalOf(quota)
      for (const [quota, by] of uses) count(wallet, quota, by)
      let isDone = false
      try {
        const result = await work()
        isDone = !reply.hasHeader('idempotency-replayed')
        return result
      } finally {
        if (!isDone) for (const [quota, by] of uses) count(wallet, quota, -by)
      }
    },
    mayBegin: (wallet) => usedOf(usageOf(wallet), 'strangers') < most.strangers,
    countBegun: (wallet) => count(wallet, 'strangers', 1),
    refusalOf,
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  }
}

/** Bytes of a body; one that came in chunks has no length. */
const sizeOf = (length: string | undefined, body: unknown): number =>
  length === undefined ? Buffer.byteLength(JSON.stringify(body) ?? '') : Number(length)

function refusal(config: Config, quota: Counted, now: number): ApiError {
  const what = {
    bytes: `store ${config.storedADay} MiB a day, and this would be more`,
    strangers: `begin ${config.strangersADay} conversations a day, and has begun them; you can write to wallets that you have written to before, or that have written to you`,
    comments: `write ${config.commentsADay} comments a day, and has written them`,
  }
  return dayRefusal(what[quota], now)
}

/** A quota of a day frees at midnight. */
export function dayRefusal(what: string, now: number): ApiError {
  const seconds = Math.ceil(((dayOf(now) + 1) * 86_400_000 - now) / 1000)
  const left = seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
  return tooMany(`Your wallet may ${what}. It may do so again after 00:00 UTC, in ${left}.`, seconds)
}
