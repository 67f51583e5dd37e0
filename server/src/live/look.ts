// A look at the log: what was asked, and what one snapshot of the database answered. It is plain
// data, so that an instance can use the look of another one instead of the database (bus.ts).

import type { Range, Snapshot } from './cursor.ts'
import type { Item } from './item.ts'

/** A look at the log of one machine: at all numbers that lie in `ranges`. */
interface MachineLook extends Snapshot {
  ranges: Range[]
  /** By ascending id; when not complete, all there was up to the last one. */
  items: Item[]
  isComplete: boolean
}

/** A look at the log of a cluster: at each bucket, after one number up to another. */
interface ClusterLook {
  buckets: { bucket: number; after: number; upTo: number }[]
  /** By ascending id. */
  items: Item[]
  isComplete: boolean
}

export type Look = MachineLook | ClusterLook

/** Whether each of these ranges lies within one of those that were looked at. */
export const covers = (lookedAt: Range[], ranges: Range[]): boolean =>
  ranges.every(({ low, high }) => lookedAt.some((range) => range.low <= low && high <= range.high))

/** Whether a number lies in one of these ranges. */
export const isWithin = (ranges: Range[], number: number): boolean =>
  ranges.some(({ low, high }) => low <= number && number <= high)
