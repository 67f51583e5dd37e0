// What one request may hold of the service while others wait. Requests of a wallet that are in
// progress have a limit, and so have those of a network address; more wait in line. Long reads take
// turns, one for each caller at a time. What is sent counts by its bytes.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { createTurns, type Turns, type Who } from './turns.ts'
import { createWaitingBytes, noRoom, twoPages, type WaitingBytes } from './waiting-bytes.ts'

/** A request's share of the service. */
export interface Share {
  /** Db.long; each statement waits for its turn, the first one also for room for its answer. */
  readonly long: Db
  /**
   * Counts bytes that are about to be sent, until they are released or the answer has ended. Throws
   * 503 where there is no room, unless the answer has begun.
   */
  hold: (bytes: number) => () => void
}

export interface Shares {
  /** Begins a request; it ends when its answer has been sent. Waits while there are too many. */
  begin: (who: Who, reply: FastifyReply) => Promise<void> | void
  of: (request: FastifyRequest, reply: FastifyReply) => Share
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
    of: ({ who }, reply) => (who ? shareOf(who, reply, { db, reads, bytes }) : all(db)),
  }
}

/** Without limits. */
export const all = (db: Db): Share => ({ long: db.long, hold: () => () => {} })

interface Parts {
  db: Db
  reads: Turns
  bytes: WaitingBytes
}

function shareOf(who: Who, { raw }: FastifyReply, { db, reads, bytes }: Parts): Share {
  // Asked once: an answer that has begun is not held up, so that it ends the sooner. Until its second
  // page is there, it counts as two.
  let isAdmitted = false
  let held = 0
  let release = () => {}
  const admit = (count = 0): boolean => {
    if (isAdmitted || !bytes.hasRoom(who)) return isAdmitted
    isAdmitted = true
    release = holdUntilEnd(count)
    return true
  }
  const holdUntilEnd = (count: number) => {
    if (raw.closed) return () => {}
    const releaseBytes = bytes.hold(who, count)
    const end = () => {
      raw.off('close', end)
      releaseBytes()
    }
    raw.on('close', end)
    return end
  }
  const turn = async (): Promise<() => void> => {
    for (;;) {
      if (!isAdmitted) await bytes.room(who)
      const end = await reads.take(who)
      if (admit(twoPages)) return end
      end()
    }
  }
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = await turn()
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
  return {
    long,
    hold(count) {
      if (!admit()) throw noRoom()
      if (++held === 2) release()
      return holdUntilEnd(count)
    },
  }
}
