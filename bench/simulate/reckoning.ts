// From what was measured to the machines that a population needs. Everything grows in proportion to the population: what does
// not (caches that are too small, longer indexes) is not reckoned.

import { type Action, actionsOf, type Habits, perDay } from './habits.ts'

/** What a wallet costs that is active on a day. */
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

/** What a machine may be asked for. */
export interface Room {
  /** How much of a core is used at the peak, from 0 to 1. */
  load: number
  /** Event streams of one process. */
  streamsOfProcess: number
}

export interface Needs {
  wallets: number
  /** Per second, at the peak. */
  sendsAtPeak: number
  /** Cores at the peak, with room left. */
  postgresCores: number
  serviceCores: number
  /** Bytes. */
  diskOfYear: number
  walOfDay: number
  streams: number
  /** Processes of the service: one for each core it needs, and for so many streams. */
  processes: number
}

/** Where messages stay. What other tables keep is bounded: a row for two wallets that know each other, events of some days. */
const messagesTable = 'direct_messages'

/** What a wallet costs in a day, by what so many actions cost together: seconds of CPU, bytes. */
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

/** What a wallet costs in a day by each action alone, of which the cost is given in microseconds of CPU: seconds of CPU. */
export const costAlone = (
  alone: ({ action: Action } & Record<Part, number>)[],
  habits: Habits,
  part: Part,
): number => alone.reduce((sum, one) => sum + (one[part] / 1e6) * perDay(habits)[one.action], 0)

/** Days' worth of work in a second of the peak, as a part of a day. */
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
 * What was reckoned on 22 November 2026 from CPU per request of `npm run bench`: 90 ms of PostgreSQL and 44 ms of service a
 * wallet and day, 600 bytes on disk and 1.9 to 8.8 KB of WAL a message. The population of each row: active wallets on a day.
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
