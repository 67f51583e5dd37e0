// What one long answer may hold of the service while others wait. Long reads take turns, one for each
// caller at a time. What is sent counts by its bytes.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/pool.ts'
import type { Standby } from '../db/standby.ts'
import { createTurns, type Turns, type Who } from './at-once.ts'
import { createWaitingBytes, noRoom, onePage, type WaitingBytes } from './waiting-bytes.ts'

/** A request's share of the service. */
export interface Share {
  /**
   * Db.long, or a standby that has caught up with it; each statement waits for its turn, the first
   * one also for room for its answer.
   */
  readonly long: Db
  /**
   * Counts bytes that are about to be sent, until they are released or the answer has ended. Throws
   * 503 where there is no room, unless the answer has begun.
   */
  hold: (bytes: number) => () => void
}

/** The share of a request. */
export type ShareOf = (request: FastifyRequest, reply: FastifyReply) => Share

const longTurns = { name: 'long-reads', total: 4, caller: 1, network: 2, site: 2, waiting: 100 }

export function createShares(db: Db, standby?: Standby): ShareOf {
  const reads = createTurns(longTurns)
  const bytes = createWaitingBytes()
  return ({ who }, reply) => {
    const all = unlimitedShare(db, standby)
    return who ? shareOf(who, reply, { long: all.long, reads, bytes }) : all
  }
}

/** Without limits. */
const unlimitedShare = (db: Db, standby?: Standby): Share => ({
  long: standby?.caughtUp(db.long) ?? db.long,
  hold: () => () => {},
})

interface Parts {
  long: Db
  reads: Turns
  bytes: WaitingBytes
}

function shareOf(who: Who, { raw }: FastifyReply, { long: read, reads, bytes }: Parts): Share {
  // Asked once: an answer that has begun is not held up, so that it ends the sooner. Until its first
  // page is there, it counts as one.
  let isAdmitted = false
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
      if (admit(onePage)) return end
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
    ...read,
    query: (sql, values, as) => inTurn(() => read.query(sql, values, as)),
    transaction: (work) => inTurn(() => read.transaction(work)),
    get long() {
      return long
    },
  }
  return {
    long,
    hold(count) {
      if (!admit()) throw noRoom()
      release()
      return holdUntilEnd(count)
    },
  }
}
