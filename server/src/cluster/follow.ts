// Readers of the log do later what follows from messages: a send pays nothing for them. A reader works in the background, at most
// a few seconds later, such as features/notifications/reader.ts, which enqueues mails.
//
// Its row in log_readers says how far it has come: so everything is read once, whichever instance takes the next step, and also
// after all of them have stopped.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { batchedCalls } from '../db/batch.ts'
import type { Db } from '../db/pool.ts'
import { repeat } from '../lib/repeat.ts'

const every = 1000

/** After a step a reader that can wait rests for as long as the step took, and up to this many times as long while calls wait. */
const longestRest = 24

/** This is a reader of the log. A migration adds its row to log_readers. */
export interface Reader {
  /** This is its key in log_readers. */
  name: string
  /** The log of the service names this purpose. */
  purpose: string
  /** This is true of a reader with much work that nobody waits for: it leaves most of the time to sends while they wait. */
  canWait?: boolean
  /**
   * Reads what has an id above `after` and up to `upTo`, all of which is visible, in the transaction that also moves the reader's
   * position. Returns up to where it has read: less than `upTo` when the page is full.
   */
  readPage: (tx: Db, after: number, upTo: number) => Promise<number>
}

/**
 * Says what a step did: it read messages and there may be others, it waits for others (another instance, or transactions that
 * have not ended), or it did nothing, because everything is read.
 */
export type Step = 'read' | 'waiting' | 'settled'

/** Reads the log until disposed. */
export const followLog = ({ db, log }: { db: Db; log: Logger }, reader: Reader): AsyncDisposable =>
  followSteps(reader.purpose, log, () => followStep(db, reader), reader.canWait)

/** Takes steps until disposed: at once while there is something to read, else about every second. */
function followSteps(
  what: string,
  log: Logger,
  step: () => Promise<Step>,
  canWait: boolean = false,
): AsyncDisposable {
  const stopping = new AbortController()
  let failing = false
  const repeating = repeat(every, async () => {
    try {
      for (let began = performance.now(); !stopping.signal.aborted; began = performance.now()) {
        if ((await step()) !== 'read') break
        if (canWait) await rest(performance.now() - began, stopping.signal)
      }
      failing = false
    } catch (error) {
      if (!failing) log.warn(`${what} wait for the database: ${(error as Error).message}`)
      failing = true
    }
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await repeating[Symbol.asyncDispose]()
    },
  }
}

/** Waits for some milliseconds, again and again while most calls of the service wait for a statement. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; n < longestRest && !signal.aborted; n++) {
    const before = { ...batchedCalls }
    await sleep(ms, undefined, { signal }).catch(() => {})
    const made = batchedCalls.made - before.made
    if ((batchedCalls.waited - before.waited) * 2 <= made) return
  }
}

/** Returns up to which id all messages have been read: none with a lesser one becomes visible later. */
export async function followedTo(db: Db, { name }: Pick<Reader, 'name'>): Promise<number> {
  const [row] = await db.query<{ id: number }>('select id from log_readers where name = $1', [name])
  return row!.id
}

export async function followStep(db: Db, reader: Reader): Promise<Step> {
  const head = await db.layout.ids.readHead(db)
  if ((await followedTo(db, reader)) >= head) return 'settled'
  return db.layout.ids.followStep(db, reader, head)
}

/** Applies copies of conversations that an instance left undone, until disposed; it does nothing on one machine. */
export function followCopies({ db, log }: { db: Db; log: Logger }): AsyncDisposable | undefined {
  const { followStep: step } = db.layout.copies
  return step && followSteps('copies of conversations', log, () => step(db))
}
