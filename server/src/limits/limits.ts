// Limits how many requests a caller may make, and how many bytes it may receive. A signed-in wallet has a token bucket for each
// class of requests; all wallets of one network address share a larger one, so that several wallets do not mean a larger budget,
// and all networks of one IPv6 /48 a still larger one. Requests without a valid token count by network address only. The contract
// has the class of an endpoint; all other paths (the docs, the web client, what is not found) count as `static`. Bytes are
// counted when a response has been sent, in KiB: a caller that received more than its bucket held is refused until the bucket
// holds something again.
//
// Buckets are in memory, and exchange.ts makes those of all instances one. When it cannot, each instance goes on by itself: no
// request is refused because a table is out of reach. (Failed sign-ins are counted in sliding-window.ts, and are strict.)
//
// Responses say what is left by the fields of draft-ietf-httpapi-ratelimit-headers: `q` at once, `w` seconds until an empty
// bucket is full, `r` left, `t` seconds until this bucket is full.

import type { Endpoint, LimitClass } from '@parley/sdk/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import type { Standby } from '../db/standby.ts'
import type { Caller } from '../auth/tokens.ts'
import { networkOf, proxyTest, siteOf } from './network.ts'
import type { Rate } from '../config/parsers.ts'
import type { Config } from '../config/settings.ts'
import { exchangeRegularly } from './exchange.ts'
import { createTurns, type Who } from './concurrency.ts'
import { tooManyBytes, tooManyRequests } from './refusals.ts'
import { createShares, hasLeft, type ShareOf } from './long-reads.ts'
import { countStreams, countUnlimited, type HoldStream } from './streams.ts'
import { bucketOf, charge, createMeter, type Meter, secondsUntil, stateOf, take } from './token-buckets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    who: Who | null
    /** Counts the bytes sent since the last call, and returns whether that was too much. Only long responses need it. */
    isSpent: () => boolean
  }
}

export interface Limits extends AsyncDisposable {
  /** Counts a request and writes what is left into the response's header, or throws 429. */
  take: (limit: LimitClass, caller: Caller | null, request: FastifyRequest, reply: FastifyReply) => void
  /** Counts an action for a wallet without its request, or throws 429. */
  takeFor: (limit: LimitClass, wallet: string) => void
  /**
   * Begins a request that was counted; it ends when its response has been sent. Waits while its caller has too many in progress.
   */
  begin: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void
  /** Returns what a long response may hold of the service. */
  shareOf: ShareOf
  holdStream: HoldStream
}

export const limitOf = ({ limit, method }: Endpoint): LimitClass =>
  limit ?? (method === 'GET' ? 'read' : 'write')

/** This has the buckets of a class: for signed-in callers, and for network addresses without a sign-in. */
type ClassMeters = Record<'wallet' | 'network' | 'site' | 'anyone' | 'anyoneSite', Meter>

interface Tools {
  db: Db
  standby?: Standby | undefined
  config: Config
  log: Logger
  others: Meter[]
  /** The milliseconds between two exchanges with other instances; a second when left out. */
  refreshEvery?: number | undefined
}

/** Opens the buckets of this instance; every caller begins with full ones. */
export function openLimits({ db, standby, config, log, others, refreshEvery }: Tools): Limits {
  if (!config.rateLimits) return unlimited(db, standby)
  const read = metersOf('read', config.readLimit, config)
  const { anyone, anyoneSite } = metersOf('count', config.publicCountLimit, config)
  const publicReads = metersOf('public-read', config.publicReadLimit, config)
  const classes: Record<LimitClass, ClassMeters> = {
    read,
    'public-count': { ...read, anyone, anyoneSite },
    'public-read': {
      ...read,
      anyone: publicReads.anyone,
      anyoneSite: publicReads.anyoneSite,
    },
    picture: metersOf('picture', config.pictureReadLimit, config),
    search: metersOf('search', config.searchLimit, config),
    write: metersOf('write', config.writeLimit, config),
    account: metersOf('account', config.accountLimit, config),
    static: metersOf('static', config.staticLimit, config),
  }
  const bytes = metersOf('bytes', config.bytesLimit, config)
  const meters = [...Object.values(classes), bytes].flatMap((of) => Object.values(of)).concat(others)
  const { requestsAtOnce, uploadsAtOnce, ipLimitFactor } = config
  const requests = createTurns({
    name: 'requests',
    total: Infinity,
    caller: requestsAtOnce,
    network: requestsAtOnce * ipLimitFactor,
    site: Infinity,
    waiting: 1000,
  })
  const uploads = createTurns({
    name: 'uploads',
    total: Infinity,
    caller: uploadsAtOnce,
    network: uploadsAtOnce * 4,
    site: uploadsAtOnce * 4,
    waiting: 100,
  })
  const exchange = exchangeRegularly(db, log, meters, refreshEvery)
  const isProxy = proxyTest(config.trustedProxies)
  return {
    take(limit, caller, request, reply) {
      // Requests of a proxy itself, such as a health check, are never refused.
      if (limit === 'static' && isProxy(request.ip)) return
      const { network, site } = addressOf(request)
      const wallet = caller?.kind === 'wallet' ? caller.address : undefined
      request.who = { caller: wallet ?? network, network, site }
      const bucketsOf = (of: ClassMeters) => {
        const buckets: [Meter, string][] = [[caller ? of.network : of.anyone, network]]
        if (wallet !== undefined) buckets.unshift([of.wallet, wallet])
        if (site !== undefined) buckets.push([caller ? of.site : of.anyoneSite, site])
        return buckets
      }
      countRequest(bucketsOf(classes[limit]), reply)
      if (limit !== 'static') countBytes(bucketsOf(bytes), request, reply)
    },
    takeFor(limit, wallet) {
      const { meter, wait } = charge([[classes[limit].wallet, wallet]])
      if (wait > 0) throw tooManyRequests(meter, wait)
    },
    begin({ who, headers }, { raw }) {
      const turn = who ? (hasLargeBody(headers) ? uploads : requests).take(who) : () => {}
      const endWith = (end: () => void) => {
        if (!raw.closed) return void raw.once('close', end)
        end()
        // Nothing begins for somebody who has left: a hundred such requests would run at once.
        throw hasLeft()
      }
      return turn instanceof Promise ? turn.then(endWith) : endWith(turn)
    },
    shareOf: createShares(db, standby),
    holdStream: countStreams(config),
    [Symbol.asyncDispose]: () => exchange[Symbol.asyncDispose](),
  }
}

interface Address {
  ip: string
  network: string
  site: string | undefined
}

const addresses = new WeakMap<FastifyRequest['socket'], Address>()

/** Returns the network address of a request, and its /48. It is computed once for a connection, and again behind a proxy. */
function addressOf(request: FastifyRequest): Address {
  const { ip, socket } = request
  const known = addresses.get(socket)
  if (known?.ip === ip) return known
  const network = networkOf(request)
  const address = { ip, network, site: siteOf(network) }
  addresses.set(socket, address)
  return address
}

const unlimited = (db: Db, standby?: Standby): Limits => ({
  take: () => {},
  takeFor: () => {},
  begin: () => {},
  shareOf: createShares(db, standby),
  holdStream: countUnlimited,
  [Symbol.asyncDispose]: async () => {},
})

/** A body of this many bytes is large: it is in memory several times, and what stores it keeps the database busy. */
const largeBody = 16 * 1024

/** A body without a length may be large. */
const hasLargeBody = (headers: FastifyRequest['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBody

function metersOf(name: string, rate: Rate, { ipLimitFactor, ipv6Factor }: Config): ClassMeters {
  const ofAll = times(rate, ipLimitFactor)
  return {
    wallet: createMeter(name, rate),
    network: createMeter(`${name}-network`, ofAll),
    site: createMeter(`${name}-site`, times(ofAll, ipv6Factor)),
    anyone: createMeter(`${name}-anonymous`, rate),
    anyoneSite: createMeter(`${name}-anonymous-site`, times(rate, ipv6Factor)),
  }
}

const times = ({ burst, perSecond }: Rate, factor: number): Rate => ({
  burst: burst * factor,
  perSecond: perSecond * factor,
})

/** Counts a request in each bucket, or refuses it. */
function countRequest(from: [Meter, string][], reply: FastifyReply): void {
  const { meter, bucket, wait } = charge(from)
  reply.header('ratelimit-policy', from.map(([{ policy }]) => policy).join(', '))
  reply.header('ratelimit', stateOf(meter, bucket))
  if (wait > 0) throw tooManyRequests(meter, wait)
}

/** Refuses a caller that received too many bytes, and counts those of this response. */
function countBytes(from: [Meter, string][], request: FastifyRequest, { raw }: FastifyReply): void {
  const begun = performance.now()
  for (const [meter, who] of from) {
    const wait = secondsUntil(1, meter, bucketOf(meter, who, begun))
    if (wait > 0) throw tooManyBytes(meter, wait)
  }
  const { socket } = request
  let counted = socket.bytesWritten
  request.isSpent = () => {
    // A request that a test injects has no real socket.
    const sent = (socket.bytesWritten - counted || 0) / 1024
    counted = socket.bytesWritten
    const now = performance.now()
    let isSpent = false
    for (const [meter, who] of from) {
      const bucket = bucketOf(meter, who, now)
      take(meter, who, bucket, sent)
      if (secondsUntil(1, meter, bucket) > 0) isSpent = true
    }
    return isSpent
  }
  raw.once('close', request.isSpent)
}
