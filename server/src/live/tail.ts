// What is new in the log of one machine, whose numbers come from one sequence: it is read over all
// buckets at once, by the cursor with holes. In a cluster each bucket counts by itself, so
// cluster-tail.ts reads bucket by bucket. All else knows only the positions: a position is the
// greatest id of its number, and what comes after it has a greater id.

import type { Db } from '../db/pool.ts'
import { firstIdOf, lastIdOf, numberOfId } from '../values/bucket.ts'
import { createCursor } from './cursor.ts'
import { openClusterTail } from './cluster-tail.ts'
import { batchSize, type Tail } from './items.ts'
import { readHead, readItems } from './log.ts'

/** Opens the log at its end: what is committed from now on is found. */
export const openTail = (db: Db): Promise<Tail> => (db.isCluster ? openClusterTail(db) : openMachineTail(db))

async function openMachineTail(db: Db): Promise<Tail> {
  const { head, ...first } = await readHead(db)
  const cursor = createCursor(numberOfId(head), first)
  const positionOf = (number: number | undefined) => (number === undefined ? undefined : lastIdOf(number))
  return {
    async poll() {
      const ranges = cursor.ranges().map(({ low, high }) => ({
        low: firstIdOf(low),
        high: Math.min(lastIdOf(high), Number.MAX_SAFE_INTEGER),
      }))
      const { items, ...snapshot } = await readItems(db, ranges)
      const isComplete = items.length < batchSize
      const numbers = items.map(({ id }) => numberOfId(id))
      const { positions, lost } = cursor.advance(numbers, snapshot, isComplete)
      const found = items.map((item, i) => ({ item, position: positionOf(positions[i]) }))
      return { found, lost, isComplete }
    },
    get position() {
      return positionOf(cursor.position)
    },
  }
}
