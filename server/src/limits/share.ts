// What one request may hold of the service while others wait. Requests of a wallet that are in
// progress have a limit, and so have those of a network address; more wait in line. Long reads take
// turns, one for each caller at a time. What is sent counts by its bytes.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { createTurns, type Turns, type Who } from './turns.ts'
import { createWaitingBytes, type WaitingBytes } from './waiting-bytes.ts'

/** A request's share of the service. */
export interface Share {
  /** Db.long; each statement waits for its turn. */
  readonly long: Db
  /** Counts bytes that are about to be sent; the answer releases them. Throws 503 without room. */
  hold: (bytes: number) => () => void
  /** Waits until there is room for more bytes. */
  room: () => Promise<void>
}

export interface Shares {
  /** Begins a request; it ends when its answer has been sent. Waits while there are too many. */
  begin: (who: Who, reply: FastifyReply) => Promise<void> | void
  of: (request: FastifyRequest) => Share
}

declare module 'fastify' {
  interface FastifyRequest {
    who: Who | null
  }
}

const longTurns = { total: 4, caller: 1, network: 2, waiting: 100 }

export function createShares(db: Db, { requestsAtOnce, ipLimitFactor }: Config): Shares {
  const requests = createTurns({
    total: Infinity,
    caller: requestsAtOnce,
    network: requestsAtOnce * ipLimitFactor,
    waiting: 1000,
  })
  const reads = createTurns(longTurns)
  const bytes = createWaitingBytes()
  return {
    begin(who, reply) {
      const turn = requests.take(who)
      const endWith = (end: () => void) => {
        if (reply.raw.closed) end()
        else reply.raw.once('close', end)
      }
      return turn instanceof Promise ? turn.then(endWith) : endWith(turn)
    },
    of: ({ who }) => (who ? shareOf(who, { db, reads, bytes }) : all(db)),
  }
}

/** Without limits. */
export const all = (db: Db): Share => ({ long: db.long, hold: () => () => {}, room: async () => {} })

const shareOf = (who: Who, { db, reads, bytes }: { db: Db; reads: Turns; bytes: WaitingBytes }): Share => {
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = await reads.take(who)
    try {
      return await work()
    } finally {
      end()
    }
  }
  const long: Db = {
    ...db.long,
    query: (sql, values, as) => inTurn(() => db.long.query(sql, values, as)),
    transaction: (work) => inTurn(() => db.long.transaction(work)),
    get long() {
      return long
    },
  }
  return { long, hold: (count) => bytes.hold(who, count), room: () => bytes.room(who) }
}
