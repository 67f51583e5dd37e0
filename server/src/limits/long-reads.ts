// Limits what one long response may hold of the service while others wait. Long reads take turns, one for each caller at a time.
// Sent data counts by its bytes.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Db, withOwnLong } from '../db/pool.ts'
import type { Standby } from '../db/standby.ts'
import { createTurns, type Turns, type Who } from './concurrency.ts'
import { counted, createWaitingBytes, onePage, type WaitingBytes } from './unsent-bytes.ts'

/** This is a request's share of the service. */
export interface Share {
  /**
   * This is Db.long, or a standby that has caught up with it; each statement waits for its turn, the first one also for room for
   * its response.
   */
  readonly long: Db
  /**
   * Counts bytes that are about to be sent, until they are released or the response has ended. A long page waits for room, unless
   * the response has begun; it throws 503 when there is none in time.
   */
  hold: (bytes: number) => Promise<() => void>
}

export type ShareOf = (request: FastifyRequest, reply: FastifyReply) => Share

/** Nobody reads this: the connection was closed before the turn of its request. */
export const hasLeft = () => new ApiError('unavailable', 'The connection was closed.')

const longTurns = { name: 'long-reads', total: 4, caller: 1, network: 2, site: 2, waiting: 100 }

/** Those who read without a sign-in take turns among themselves: a crowd of them does not delay a wallet. */
const turnsOfStrangers = { ...longTurns, name: 'reads-of-strangers', total: 2, waitingOfAll: 200 }

export function createShares(db: Db, standby?: Standby): ShareOf {
  const ofWallets = createTurns(longTurns)
  const ofStrangers = createTurns(turnsOfStrangers)
  const bytes = createWaitingBytes()
  return ({ who }, reply) => {
    const all = unlimitedShare(db, standby)
    if (!who) return all
    const reads = who.caller === who.network ? ofStrangers : ofWallets
    return shareOf(who, reply, { long: all.long, reads, bytes })
  }
}

/** This share has no limits. */
const unlimitedShare = (db: Db, standby?: Standby): Share => ({
  long: standby?.caughtUp(db.long) ?? db.long,
  hold: async () => () => {},
})

interface Parts {
  long: Db
  reads: Turns
  bytes: WaitingBytes
}

function shareOf(who: Who, { raw }: FastifyReply, { long: read, reads, bytes }: Parts): Share {
  // Admission is checked once: a response that has begun does not wait, so that it ends sooner. Until its first page is read, it
  // counts as one page.
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
      if (!raw.closed && admit(onePage)) return end
      end()
      // Many requests whose readers left while they waited would each read their data at once.
      if (raw.closed) throw hasLeft()
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
  return {
    long: withOwnLong({
      ...read,
      query: (sql, values, as) => inTurn(() => read.query(sql, values, as)),
      transaction: (work) => inTurn(() => read.transaction(work)),
    }),
    async hold(count) {
      // A short page is not counted, so it needs no room.
      if (count < counted) admit()
      else while (!admit()) await bytes.roomForRead(who)
      release()
      return holdUntilEnd(count)
    },
  }
}
