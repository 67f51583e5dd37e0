// This is the result of one poll of the log: the ranges it read, and what one snapshot of the database showed. It is plain data,
// so that an instance can use the poll of another one instead of the database (bus.ts).

import type { Range, Snapshot } from './cursor.ts'
import type { Item } from './item.ts'

/** This is a poll of the log of one machine: it has all numbers that lie in `ranges`. */
interface MachinePoll extends Snapshot {
  ranges: Range[]
  /** Items are in the order of ids; when it is not complete, these are all up to the last one. */
  items: Item[]
  isComplete: boolean
}

/** This is a poll of the log of a cluster: for each bucket, it covers the numbers after one and up to another. */
interface ClusterPoll {
  buckets: { bucket: number; after: number; upTo: number }[]
  /** Items are in the order of ids. */
  items: Item[]
  isComplete: boolean
}

export type PollResult = MachinePoll | ClusterPoll

/** Returns true when each of these ranges lies within one that was polled. */
export const covers = (polled: Range[], ranges: Range[]): boolean =>
  ranges.every(({ low, high }) => polled.some((range) => range.low <= low && high <= range.high))

/** Returns true when a number lies in one of these ranges. */
export const isWithin = (ranges: Range[], number: number): boolean =>
  ranges.some(({ low, high }) => low <= number && number <= high)
