import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { type Cursor, createCursor } from './cursor.ts'
import { batchSize, type Item, readHead, readItems } from './log.ts'

/**
 * What a reader finds, with the position after it: an item, or no item where some may have been
 * missed for good.
 */
interface Finding {
  item: Item | undefined
  position: number | undefined
}

export interface Reader {
  /**
   * Settles when reading has begun: what is committed from then on is found. Fails when the
   * database is away.
   */
  begun: Promise<void>
  /**
   * What is found from now on, in the order in which it becomes visible and then of ids, until
   * `stop` is called.
   */
  read: () => AsyncGenerator<Finding, void, undefined>
  /** Reads what is new, soon. */
  poll: () => void
  stop: () => void
  /** Everything up to here has been handed out; undefined where that cannot be said yet. */
  readonly position: number | undefined
}

/** Between two polls, in milliseconds: many commits are read by one. */
const pause = 10
/** How many polls wait for transactions that were running when the reading began. */
const patience = 50

/**
 * Reads the log from now on, each time `poll` is called. A poll that fails is repeated by the next
 * one.
 */
export function createReader(db: Db, log: Logger): Reader {
  const beginning = Promise.withResolvers<void>()
  let hasBegun = false
  let position: number | undefined
  const stopping = new AbortController()
  let wanted = false
  let failing = false
  let wake = () => {}

  async function* read(): AsyncGenerator<Finding, void, undefined> {
    const start = await readHead(db).catch(beginning.reject)
    if (!start) return
    const { head, ...snapshot } = start
    const cursor = createCursor(head, snapshot)
    position = cursor.position
    try {
      for (let polls = 0; ; polls++) {
        // What is in flight at the start would be missed if it is not seen ending before the first
        // stream opens. If it takes long, a finding without an item says so when it has ended.
        if (position !== undefined || polls >= patience) begin()
        if (hasBegun && !wanted) await new Promise<void>((resolve) => (wake = resolve))
        if (stopping.signal.aborted) return
        wanted = false
        yield* pollOnce(cursor)
        await sleep(pause)
      }
    } finally {
      begin()
    }
  }

  function begin(): void {
    hasBegun = true
    beginning.resolve()
  }

  async function* pollOnce(cursor: Cursor): AsyncGenerator<Finding, void, undefined> {
    const batch = await readItems(db, cursor.ranges()).catch((error: Error) => {
      if (!failing) log.warn(`live events wait for the database: ${error.message}`)
      failing = true
    })
    if (!batch) return
    failing = false
    const { items, ...snapshot } = batch
    const isComplete = items.length < batchSize
    const ids = items.map(({ id }) => id)
    const { positions, lost } = cursor.advance(ids, snapshot, isComplete)
    for (const [i, item] of items.entries()) {
      if (stopping.signal.aborted) return
      yield { item, position: positions[i] }
      position = positions[i]
    }
    position = cursor.position
    if (lost && hasBegun) yield { item: undefined, position }
    if (!isComplete) wanted = true
  }

  function poll(): void {
    wanted = true
    wake()
  }

  return {
    begun: beginning.promise,
    read,
    poll,
    stop() {
      stopping.abort()
      poll()
    },
    get position() {
      return position
    },
  }
}
