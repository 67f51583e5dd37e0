// This computes the machines that a population needs from what was measured. Everything grows in proportion to the population:
// what does not (caches that are too small, longer indexes) is not included.

import { type Action, actionsOf, type Habits, perDay } from './habits.ts'

/** The cost of a wallet that is active on a day. */
export interface Cost {
  /** Seconds of CPU a day. */
  postgres: number
  service: number
  /** Bytes on disk of a message, with its part of the indexes. */
  diskOfMessage: number
  /** Bytes of WAL a day. */
  wal: number
}

type Part = 'service' | 'postgres'

/** The load that a machine may have. */
export interface Room {
  /** The share of a core that is used at the peak, from 0 to 1. */
  load: number
  /** Event streams of one process. */
  streamsOfProcess: number
}

export interface Needs {
  wallets: number
  /** The sends per second at the peak. */
  sendsAtPeak: number
  /** Cores at the peak, with room left. */
  postgresCores: number
  serviceCores: number
  /** The disk space of a year in bytes. */
  diskOfYear: number
  walOfDay: number
  streams: number
  /** The number of processes of the service: one for each core it needs, and enough for its streams. */
  processes: number
}

/**
 * Messages stay in this table. What other tables store is bounded: a row for two wallets that know each other, events of some
 * days.
 */
const messagesTable = 'direct_messages'

/** Returns the cost of a wallet in a day, from what `actions` cost together: seconds of CPU, bytes. */
export function costOf(
  {
    played,
    usage: { cpu, wal },
  }: { played: { wanted: number }; usage: { cpu: Record<Part, number>; wal: number } },
  habits: Habits,
  history: { messages: number; tables: Record<string, number> },
): Cost {
  const days = Math.max(1, played.wanted) / actionsOf(habits)
  return {
    postgres: cpu.postgres / days,
    service: cpu.service / days,
    wal: wal / days,
    diskOfMessage: (history.tables[messagesTable] ?? 0) / Math.max(1, history.messages),
  }
}

/** Returns the cost of a wallet in a day by each action alone, whose cost is given in microseconds of CPU: seconds of CPU. */
export const costAlone = (
  alone: ({ action: Action } & Record<Part, number>)[],
  habits: Habits,
  part: Part,
): number => alone.reduce((sum, one) => sum + (one[part] / 1e6) * perDay(habits)[one.action], 0)

/** Returns days' worth of work in a second of the peak, as a part of a day. */
export const peakOf = ({ busiestHour, peak }: Pick<Habits, 'busiestHour' | 'peak'>): number =>
  (busiestHour * peak) / 3600

export function reckon(wallets: number, habits: Habits, cost: Cost, room: Room): Needs {
  const atPeak = wallets * peakOf(habits)
  const serviceCores = (atPeak * cost.service) / room.load
  const streams = wallets * habits.streams
  return {
    wallets,
    sendsAtPeak: atPeak * habits.messages,
    postgresCores: (atPeak * cost.postgres) / room.load,
    serviceCores,
    diskOfYear: wallets * habits.messages * 365 * cost.diskOfMessage,
    walOfDay: wallets * cost.wal,
    streams,
    processes: Math.max(1, Math.ceil(serviceCores), Math.ceil(streams / room.streamsOfProcess)),
  }
}

/**
 * The estimate of 22 November 2026 from CPU per request of `npm run bench`: 90 ms of PostgreSQL and 44 ms of service a wallet and
 * day, 600 bytes on disk and 1.9 to 8.8 KB of WAL a message. The population of each row is the active wallets on a day.
 */
export const reckonedEarlier: [
  wallets: number,
  postgresCores: number,
  serviceCores: number,
  diskOfYear: number,
][] = [
  [1e4, 0.1, 0.1, 0.09e12],
  [1e5, 1, 0.5, 0.9e12],
  [3e5, 3, 1.5, 2.6e12],
  [1e6, 10, 5, 8.8e12],
  [3e6, 31, 15, 26e12],
  [1e7, 105, 51, 88e12],
]
