// Readers of the log, for what follows from messages later: a send pays nothing for them. A reader works in the background, at
// most a few seconds later, such as features/notifications/reader.ts, which enqueues mails.
//
// Its row in log_readers says how far it has come: so everything is read once, whichever
// instance takes the next step, and also after all of them have stopped.
//
// Ids become visible out of their order (cursor.ts). So a step first notes the head of the sequence
// and then the xid to be given out next: a transaction that drew an id up to that head has a lesser xid, by
// draw_ids_v1. A later step whose snapshot's xmin has reached that xid sees all of these messages
// that will ever exist, and reads them.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { repeat } from '../lib/repeat.ts'
import { lastIdOf, numberOfId } from '../values/bucket.ts'
import { moveOn as moveOnBuckets, readNumbers } from './cluster-log.ts'
import type { Snapshot } from './cursor.ts'
import { snapshot } from './log.ts'

const every = 1000

/** A reader of the log. A migration adds its row to log_readers. */
export interface Reader {
  /** Its key in log_readers. */
  name: string
  /** What it is for, in the log of the service. */
  purpose: string
  /**
   * Reads what has an id above `after` and up to `upTo`, all of which is visible, in the transaction that also moves the
   * reader's position. Answers up to where it has read: less than `upTo` when the page is full.
   */
  readPage: (tx: Db, after: number, upTo: number) => Promise<number>
}

/**
 * What a step did: read messages of which there may be more, wait for others (another instance, or
 * transactions that have not ended), or nothing, because all that was sent is read.
 */
export type Step = 'read' | 'waiting' | 'settled'

/** Reads the log until disposed. */
export const followLog = ({ db, log }: { db: Db; log: Logger }, reader: Reader): AsyncDisposable =>
  followSteps(reader.purpose, log, () => followStep(db, reader))

/** Takes steps until disposed: at once while there is more to read, else about every second. */
export function followSteps(what: string, log: Logger, step: () => Promise<Step>): AsyncDisposable {
  const stopping = new AbortController()
  let failing = false
  const repeating = repeat(every, async () => {
    try {
      while (!stopping.signal.aborted && (await step()) === 'read');
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

interface Row {
  id: number
  seen_id: number
  seen_xid: number
}

/** Up to which id all messages have been read: none with a lesser one becomes visible later. */
export async function followedTo(db: Db, { name }: Pick<Reader, 'name'>): Promise<number> {
  const [row] = await db.query<Pick<Row, 'id'>>('select id from log_readers where name = $1', [name])
  return row!.id
}

/** Takes one step. */
export async function followStep(db: Db, reader: Reader): Promise<Step> {
  const head = await readHead(db)
  if ((await followedTo(db, reader)) >= head) return 'settled'
  if (db.isCluster) return followClusterStep(db, reader, head)
  // After the head, and outside of the transaction below, which has an xid itself.
  const [{ next } = { next: 0 }] = await db.query<Snapshot>(`select * from (${snapshot}) s`)
  return db.transaction(async (tx) => {
    const [at] = await tx.query<Row & { xmin: number }>(
      `select id, seen_id, seen_xid, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin
       from log_readers where name = $1 for update skip locked`,
      [reader.name],
    )
    if (!at) return 'waiting'
    // An xid far from being given out is of another server, from which the rows were copied.
    const isForeign = at.seen_xid > next + 1_000_000
    const isSettled = at.seen_xid <= at.xmin || isForeign
    const id = isSettled ? await pageOf(tx, reader, at) : at.id
    // What was noted stays until all of it has been read.
    const isNoted = id < at.seen_id || head <= at.seen_id
    const [seenId, seenXid] = isNoted ? [at.seen_id, at.seen_xid] : [head, next]
    if (id > at.id || !isNoted) await tx.query(moveOn, [reader.name, id, seenId, seenXid])
    return id > at.id && id < at.seen_id ? 'read' : 'waiting'
  })
}

const moveOn = 'update log_readers set id = $2, seen_id = $3, seen_xid = $4 where name = $1'

/** On a cluster all messages up to the least number of the buckets are visible (cluster-log.ts). */
async function followClusterStep(db: Db, reader: Reader, head: number): Promise<Step> {
  await moveOnBuckets(db, numberOfId(head))
  const seenId = lastIdOf(Math.min(...(await readNumbers(db)).values()))
  return db.transaction(async (tx) => {
    const [at] = await tx.query<Pick<Row, 'id'>>(
      'select id from log_readers where name = $1 for update skip locked',
      [reader.name],
    )
    if (!at) return 'waiting'
    const id = await pageOf(tx, reader, { id: at.id, seen_id: seenId })
    if (id > at.id) await tx.query(moveOn, [reader.name, id, seenId, 0])
    return id > at.id && id < seenId ? 'read' : 'waiting'
  })
}

/** The greatest id that may have been drawn. */
async function readHead(db: Db): Promise<number> {
  if (db.isCluster) return lastIdOf(Math.max(...(await readNumbers(db)).values()))
  const [row] = await db.query<{ number: number }>(
    'select last_value - (not is_called)::integer as number from item_numbers',
  )
  return lastIdOf(row!.number)
}

/** Reads the next page of what is settled; answers up to where. */
const pageOf = async (tx: Db, { readPage }: Reader, { id, seen_id }: Pick<Row, 'id' | 'seen_id'>) =>
  id >= seen_id ? id : readPage(tx, id, seen_id)
