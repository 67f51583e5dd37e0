import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/pool.ts'
import { type Cursor, createCursor } from './cursor.ts'
import { type Item, lookSize, readHead, readItems } from './log.ts'

export interface Reader {
  /** Begins after what is there now, unless it has begun. Fails when the database is away. */
  begin: () => Promise<void>
  /** Forgets where it was. */
  stop: () => void
  /** Reads what is new, soon. */
  look: () => void
  /** Everything up to here has been told; undefined where that cannot be said yet. */
  readonly position: number | undefined
}

interface Listener {
  /** Told of each item in the order of ids as they become visible, with the position after it. */
  onItem: (item: Item, position: number | undefined) => Promise<void>
  /** Items may have been missed for good. */
  onLost: (position: number | undefined) => Promise<void>
  /** Reading failed; it is tried again at the next look. Told once until it works again. */
  onTrouble: (error: Error) => void
}

/** Between two looks, in milliseconds: many commits are told in one. */
const pause = 10
/** How many pauses to wait for transactions that were running when the reading began. */
const patience = 50

/** Reads the log of events from now on, look by look. */
export function createReader(db: Db, { onItem, onLost, onTrouble }: Listener): Reader {
  let begun: Promise<void> | undefined
  let cursor: Cursor | undefined
  let position: number | undefined
  let reading: Promise<void> | undefined
  let isBeginning = false
  let wanted = false
  let inTrouble = false

  async function begin(): Promise<void> {
    const { head, ...first } = await readHead(db)
    const begunAt = createCursor(head, first)
    cursor = begunAt
    position = begunAt.position
    // What is in flight would be missed if it is not seen ending before the first stream opens. If it takes long, streams
    // are told to read again when it has ended.
    isBeginning = true
    for (let i = 0; i < patience && begunAt.position === undefined; i++) await read()
    isBeginning = false
  }

  async function lookOnce(at: Cursor): Promise<boolean> {
    const { items, ...seen } = await readItems(db, at.ranges())
    if (at !== cursor) return false
    const complete = items.length < lookSize
    const { positions, lost } = at.take(
      items.map(({ id }) => id),
      seen,
      complete,
    )
    for (const [i, item] of items.entries()) {
      await onItem(item, positions[i])
      position = positions[i]
    }
    if (at !== cursor) return false
    position = at.position
    if (lost && !isBeginning) await onLost(position)
    return !complete
  }

  async function readAll(): Promise<void> {
    for (let more = true; more; more = wanted && cursor !== undefined) {
      wanted = false
      try {
        if (cursor && (await lookOnce(cursor))) wanted = true
        inTrouble = false
      } catch (error) {
        if (!inTrouble) onTrouble(error as Error)
        inTrouble = true
      }
      await sleep(pause)
    }
    reading = undefined
  }

  function read(): Promise<void> {
    wanted = true
    return (reading ??= readAll())
  }

  return {
    begin: () =>
      (begun ??= begin().catch((error: unknown) => {
        begun = undefined
        throw error
      })),
    stop() {
      begun = cursor = position = undefined
    },
    look() {
      if (cursor) void read()
    },
    get position() {
      return position
    },
  }
}
