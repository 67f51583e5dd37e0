// Gives the time in milliseconds since 1970 by the clock of the database, so that instances whose own clocks differ agree.

import type pg from 'pg'
import { day } from '../lib/times.ts'
import { databaseError } from './failures.ts'

export interface Clock {
  now: () => number
  /**
   * The database said `ms` at a moment between `sent` and `received`, both by this machine's clock.
   * The difference of the two clocks changes only when what was known contradicts that.
   */
  learn: (sent: number, ms: number, received: number) => void
}

export function createClock(): Clock {
  let difference = 0
  return {
    now: () => Date.now() + difference,
    learn(sent, ms, received) {
      difference = Math.min(Math.max(difference, ms - received), ms - sent)
    },
  }
}

/** Returns the day (UTC) of a time, counted since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / day)

/** Reads the time from the database; throws 25006 when the server accepts no writes. */
export async function readClock(on: pg.Pool | pg.ClientBase, clock: Clock): Promise<void> {
  const sent = Date.now()
  const { rows } = await on.query<{ ms: string; standby: boolean }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms, pg_is_in_recovery() as standby',
  )
  if (rows[0]!.standby) throw databaseError('25006', 'it is a standby, which takes no writes')
  clock.learn(sent, Number(rows[0]!.ms), Date.now())
}
