import type { Db } from '../db/pool.ts'
import { lastIdOf, numberAt, numberOfId, numbersPerMs } from '../values/bucket.ts'
import { moveOn, readBucket, readNumbers } from './cluster-log.ts'
import { batchSize, type Item, type Tail } from './items.ts'

/** Buckets that are more milliseconds behind are moved on, this often. */
const behind = 1000

/** What is new in the log of a cluster: each bucket is read up to a number of its own. */
export async function openClusterTail(db: Db): Promise<Tail> {
  await moveOn(db, numberAt(db.now()))
  let read = await readNumbers(db)
  const leastRead = () => Math.min(...read.values())
  let movedOn = Date.now()

  /** In the background: a writer that is busy in a bucket does not hold up the others. */
  function moveOnSometimes(): void {
    if (Date.now() - movedOn < behind) return
    movedOn = Date.now()
    // When the database is away, the next poll says so.
    void moveOn(db, numberAt(db.now()), behind * numbersPerMs).catch(() => {})
  }

  return {
    async poll() {
      moveOnSometimes()
      const numbers = await readNumbers(db)
      const items: Item[] = []
      // Kept when all of it has been read: a poll that fails is repeated from where it began.
      const reached = new Map(read)
      // What is furthest behind comes first. The number of items bounds the memory of a poll.
      for (const [bucket, upTo] of [...read].toSorted(([, one], [, other]) => one - other)) {
        if (items.length >= batchSize) break
        const number = numbers.get(bucket)!
        if (number <= upTo) continue
        const next = await readBucket(db, bucket, upTo + 1, number)
        reached.set(bucket, next.length < batchSize ? number : numberOfId(next.at(-1)!.id))
        items.push(...next)
      }
      read = reached
      items.sort((one, other) => one.id - other.id)
      const isComplete = [...read].every(([bucket, upTo]) => upTo >= numbers.get(bucket)!)
      const least = leastRead()
      // What comes after an item has a greater number, or was found by an earlier poll.
      const positionAfter = (i: number) =>
        lastIdOf(Math.min(least, numberOfId(items[i + 1]?.id ?? Infinity) - 1))
      const found = items.map((item, i) => ({ item, position: positionAfter(i) }))
      return { found, lost: false, isComplete }
    },
    get position() {
      return lastIdOf(leastRead())
    },
  }
}
