// Mails about direct messages. A send does not enqueue them: this reads the log in the background,
// at most a few seconds later, and enqueues a job for each wallet that wants mails and got messages.
//
// Its row in log_readers says how far it has come: so every message is read once, whichever
// instance takes the next step, and also after all of them have stopped.
//
// Ids become visible out of their order (cursor.ts). So a step first notes the head of the sequence
// and then the xid to be given out next: a transaction that drew an id up to that head has a lesser xid, by
// draw_ids_v1. A later step whose snapshot's xmin has reached that xid sees all of these messages
// that will ever exist, and reads them.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { enqueueEach } from '../jobs/queue.ts'
import { repeat } from '../lib/repeat.ts'
import { lastIdOf, numberOfId } from '../values/bucket.ts'
import { moveOn as moveOnBuckets, readNumbers } from './cluster-log.ts'
import type { Snapshot } from './cursor.ts'
import { snapshot } from './log.ts'

const every = 1000
/** How many messages a step reads at most. */
const pageSize = 1000

/**
 * What a step did: read messages of which there may be more, wait for others (another instance, or
 * transactions that have not ended), or nothing, because all that was sent is read.
 */
export type Step = 'read' | 'waiting' | 'settled'

/** Reads messages until disposed. */
export const followMessages = ({ db, log }: { db: Db; log: Logger }): AsyncDisposable =>
  followSteps('mails about messages', log, () => followStep(db))

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

const reader = 'dm-mails'

/** Up to which id all messages have been read: none with a lesser one becomes visible later. */
export async function followedTo(db: Db): Promise<number> {
  const [row] = await db.query<Pick<Row, 'id'>>(`select id from log_readers where name = '${reader}'`)
  return row!.id
}

/** Takes one step. */
export async function followStep(db: Db): Promise<Step> {
  const head = await readHead(db)
  if ((await followedTo(db)) >= head) return 'settled'
  if (db.isCluster) return followClusterStep(db, head)
  // After the head, and outside of the transaction below, which has an xid itself.
  const [{ next } = { next: 0 }] = await db.query<Snapshot>(`select * from (${snapshot}) s`)
  return db.transaction(async (tx) => {
    const [at] = await tx.query<Row & { xmin: number }>(
      `select id, seen_id, seen_xid, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin
       from log_readers where name = '${reader}' for update skip locked`,
    )
    if (!at) return 'waiting'
    // An xid far from being given out is of another server, from which the rows were copied.
    const isForeign = at.seen_xid > next + 1_000_000
    const isSettled = at.seen_xid <= at.xmin || isForeign
    const id = isSettled ? await readPage(tx, at) : at.id
    // What was noted stays until all of it has been read.
    const isNoted = id < at.seen_id || head <= at.seen_id
    const [seenId, seenXid] = isNoted ? [at.seen_id, at.seen_xid] : [head, next]
    if (id > at.id || !isNoted) await tx.query(moveOn, [id, seenId, seenXid])
    return id > at.id && id < at.seen_id ? 'read' : 'waiting'
  })
}

const moveOn = `update log_readers set id = $1, seen_id = $2, seen_xid = $3 where name = '${reader}'`

/** On a cluster all messages up to the least number of the buckets are visible (cluster-log.ts). */
async function followClusterStep(db: Db, head: number): Promise<Step> {
  await moveOnBuckets(db, numberOfId(head))
  const seenId = lastIdOf(Math.min(...(await readNumbers(db)).values()))
  return db.transaction(async (tx) => {
    const [at] = await tx.query<Pick<Row, 'id'>>(
      `select id from log_readers where name = '${reader}' for update skip locked`,
    )
    if (!at) return 'waiting'
    const id = await readPage(tx, { id: at.id, seen_id: seenId })
    if (id > at.id) await tx.query(moveOn, [id, seenId, 0])
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
async function readPage(tx: Db, { id, seen_id }: Pick<Row, 'id' | 'seen_id'>): Promise<number> {
  if (id >= seen_id) return id
  const [page] = await tx.query<Page>(pageOfMessages, [id, seen_id])
  const { messages, last, due } = page!
  if (due) await tx.query(enqueueDue, [due])
  return messages < pageSize ? seen_id : last
}

interface Page {
  messages: number
  last: number
  /** The wallets that want mails and got messages; null when there are none. */
  due: string[] | null
}

const pageOfMessages = `
  with page as materialized (
    select id, fromaddr, toaddr, withheld from direct_messages where id > $1 and id <= $2 order by id limit ${pageSize}
  )
  select (select count(*) from page) as messages, (select max(id) from page) as last, (
    select array_agg(distinct p.toaddr) from page p
    join settings s on s.walletaddr = p.toaddr and s.notifydm and s.verified
    where p.fromaddr <> p.toaddr and not p.withheld
  ) as due`

const enqueueDue = enqueueEach(
  'send-dm-mail',
  `json_build_object('toaddr', toaddr)`,
  `'send-dm-mail ' || toaddr`,
  'select toaddr from unnest($1::text[]) as d (toaddr)',
)
