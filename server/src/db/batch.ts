// Shared commits. A durable commit costs the same for one row and for a hundred, so calls that arrive together, or while
// commits are in flight, go in one. Nothing waits on a timer: an idle service sends at once.
//
// A caller's promise settles only after the commit that carries its item. When a batch is refused because of its data, its
// items are tried one by one, so that a bad one fails alone; when one waits for a lock, beside the batches that follow. When
// the connection broke, the outcome is unknown and every caller of the batch is told so; trying again could store an item
// twice.

import type { Db } from './pool.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

interface Limits {
  /** How many statements may be in flight at once; those that take unusually long do not count. */
  inFlight: number
  /** How many items one statement may carry; looked at each time. */
  readonly size: number
  /** What a statement may wait for: rows, which some of its items need, or tables alone, which all need. */
  waitsFor: 'rows' | 'tables'
}

interface Queue<Item, Result> {
  waiting: Waiting<Item, Result>[]
  /** Statements in flight or about to be. */
  running: number
}

/** Milliseconds after which a statement in flight holds up others no more. */
const unusuallyLong = 100

/**
 * Makes a function of one item from one that takes many (and answers in the same order).
 * Inside a transaction the item goes alone, with that transaction.
 */
export function batched<Item, Result>(
  many: (db: Db, items: Item[]) => Promise<Result[]>,
  limits: Limits,
): (db: Db, item: Item) => Promise<Result> {
  const { inFlight, waitsFor } = limits
  const queues = new WeakMap<Db, Queue<Item, Result>>()

  const alone = async (db: Db, item: Item) => (await many(db, [item]))[0]!

  /** A few at a time: those that wait for a lock must not hold up the others, nor every connection. */
  const eachAlone = (db: Db, items: Iterator<Waiting<Item, Result>> & Iterable<Waiting<Item, Result>>) =>
    Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(async () => {
        for (const { item, resolve, reject } of items) await alone(db, item).then(resolve, reject)
      }),
    )

  async function run(db: Db, batch: Waiting<Item, Result>[]) {
    try {
      const results = await many(
        db,
        batch.map(({ item }) => item),
      )
      batch.forEach(({ resolve }, i) => resolve(results[i]!))
    } catch (error) {
      if (batch.length > 1 && waitsFor === 'rows' && isLocked(error)) void eachAlone(db, batch.values())
      else if (batch.length > 1 && wasRolledBack(error))
        for (const { item, resolve, reject } of batch) await alone(db, item).then(resolve, reject)
      else for (const { reject } of batch) reject(error)
    }
  }

  function pump(db: Db, queue: Queue<Item, Result>): void {
    const batch = queue.waiting.splice(0, limits.size)
    if (batch.length === 0) return void queue.running--
    let counts = true
    const goOn = () => {
      if (!counts) return
      counts = false
      clearTimeout(late)
      pump(db, queue)
    }
    const late = setTimeout(goOn, unusuallyLong)
    void run(db, batch).then(goOn)
  }

  return (db, item) => {
    if (db.inTransaction) return alone(db, item)
    const queue = queues.get(db) ?? { waiting: [], running: 0 }
    queues.set(db, queue)
    return new Promise((resolve, reject) => {
      queue.waiting.push({ item, resolve, reject })
      if (queue.running === inFlight) return
      queue.running++
      // Whatever else this turn of the event loop brings goes along.
      setImmediate(pump, db, queue)
    })
  }
}

/** Somebody holds a lock for long: `lock_timeout` (SQLSTATE 55P03). */
const isLocked = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03'

/** Data errors (SQLSTATE classes 22 and 23), deadlocks and serialisation failures (40): nothing of the statement was kept. */
const wasRolledBack = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(22|23|40)/.test(String(error.code))
