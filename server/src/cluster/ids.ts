// This file has ids as background readers of the log (follow.ts) need them: which may have been drawn, and up to which id all
// messages are visible.
//
// On one machine ids become visible out of their order (cursor.ts). So a step first notes the head of the sequence and then the
// xid to be given out next: a transaction that drew an id up to that head has a lesser xid, by draw_ids_v1. A later step whose
// snapshot's xmin has reached that xid sees all of these messages that will ever exist, and reads them. On a cluster all messages
// up to the least number of the buckets are visible (cluster-log.ts).

import type { Db } from '../db/pool.ts'
import { lastIdOf, numberOfId } from '../values/bucket.ts'
import { moveOn as moveOnBuckets, readNumbers } from './cluster-log.ts'
import type { Snapshot } from './cursor.ts'
import type { Reader, Step } from './follow.ts'
import { snapshot } from './log.ts'

export interface Ids {
  /** Returns the greatest id that may have been drawn. */
  readonly readHead: (db: Db) => Promise<number>
  /** Takes a step of a reader that has not come to `head`, which was read before. */
  readonly followStep: (db: Db, reader: Reader, head: number) => Promise<Step>
}

interface Row {
  id: number
  seen_id: number
  seen_xid: number
}

async function followMachineStep(db: Db, reader: Reader, head: number): Promise<Step> {
  // This comes after the head, and outside of the transaction below, which has an xid itself.
  const [{ next } = { next: 0 }] = await db.query<Snapshot>(`select * from (${snapshot}) s`)
  return db.transaction(async (tx) => {
    const [at] = await tx.query<Row & { xmin: number }>(
      `select id, seen_id, seen_xid, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin
       from log_readers where name = $1 for update skip locked`,
      [reader.name],
    )
    if (!at) return 'waiting'
    // An xid far beyond the next one belongs to another server, from which the rows were copied.
    const isForeign = at.seen_xid > next + 1_000_000
    const isSettled = at.seen_xid <= at.xmin || isForeign
    const id = isSettled ? await pageOf(tx, reader, at) : at.id
    // The noted values stay until everything up to them has been read.
    const isNoted = id < at.seen_id || head <= at.seen_id
    const [seenId, seenXid] = isNoted ? [at.seen_id, at.seen_xid] : [head, next]
    if (id > at.id || !isNoted) await tx.query(moveOn, [reader.name, id, seenId, seenXid])
    return id > at.id && id < at.seen_id ? 'read' : 'waiting'
  })
}

const moveOn = 'update log_readers set id = $2, seen_id = $3, seen_xid = $4 where name = $1'

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

/** Reads the next page of what is visible; returns up to where. */
const pageOf = async (tx: Db, { readPage }: Reader, { id, seen_id }: Pick<Row, 'id' | 'seen_id'>) =>
  id >= seen_id ? id : readPage(tx, id, seen_id)

export const machineIds: Ids = {
  async readHead(db) {
    const [row] = await db.query<{ number: number }>(
      'select last_value - (not is_called)::integer as number from item_numbers',
    )
    return lastIdOf(row!.number)
  },
  followStep: followMachineStep,
}

export const clusterIds: Ids = {
  readHead: async (db) => lastIdOf(Math.max(...(await readNumbers(db)).values())),
  followStep: followClusterStep,
}
