// Applies copies of conversations (copies.ts) whose instance did not: it was killed after its commit, or could not reach the
// bucket of a wallet. About every second this reads what the log has since the last time, and applies what a copy does not show
// yet. Its row in log_readers says how far it has come, whichever instance takes the next step. It runs on a cluster only.

import type { Db } from '../db/pool.ts'
import { type Change, findBehind } from './copies-upkeep.ts'
import { applyCopies, type Pair } from './copies.ts'
import { lastIdOf, numberOfId } from '../values/bucket.ts'
import { moveOn, readNumbers } from './cluster-log.ts'
import type { Step } from './follow.ts'

/** A silent change has a log entry with this name: no wallet has it, so no stream shows it. */
export const silentChange = 'changed conversations'

const reader = 'conversation-copies'

/** A step reads at most this many messages, and as many events. */
const pageSize = 1000

export async function followCopiesStep(db: Db): Promise<Step> {
  const head = Math.max(...(await readNumbers(db)).values())
  const [known] = await db.query<{ id: number }>(`select id from log_readers where name = '${reader}'`)
  if (known!.id >= lastIdOf(head)) return 'settled'
  await moveOn(db, head)
  // All messages up to the least number of the buckets are visible (cluster-log.ts).
  const seen = lastIdOf(Math.min(...(await readNumbers(db)).values()))
  return db.transaction(async (tx) => {
    const [at] = await tx.query<{ id: number }>(
      `select id from log_readers where name = '${reader}' for update skip locked`,
    )
    if (!at || at.id >= seen) return 'waiting'
    const { changes, upTo } = await readChanges(tx, at.id, seen)
    await applyCopies(db, await findBehind(db, changes))
    await tx.query(`update log_readers set id = $1 where name = '${reader}'`, [upTo])
    return upTo < seen ? 'read' : 'waiting'
  })
}

interface Entry {
  id: number
  pairs: Pair[]
  /** This is true when the entry lies in the bucket of the conversation. */
  isBeside: boolean
}

const messages = `
  select id, json_build_array(json_build_array(fromaddr, toaddr)) as pairs, true as "isBeside"
  from direct_messages where id > $1 and id <= $2 order by id limit ${pageSize}`

// The events about a contact lie in the wallet's bucket. Events of chats and wallets have no pair.
const events = `
  select id, not event ? 'peer' as "isBeside", case
    when walletaddr = '${silentChange}' then event->'pairs'
    when event ? 'peer' then jsonb_build_array(jsonb_build_array(walletaddr, event->>'peer'))
    when event ? 'toaddr' then jsonb_build_array(jsonb_build_array(event->>'fromaddr', event->>'toaddr'))
    else '[]' end as pairs
  from events where id > $1 and id <= $2 order by id limit ${pageSize}`

/** Reads what the log has after one id and up to another: all of it, or up to the end of a page. */
async function readChanges(db: Db, after: number, to: number): Promise<{ changes: Change[]; upTo: number }> {
  const pages = [await db.query<Entry>(messages, [after, to]), await db.query<Entry>(events, [after, to])]
  const upTo = Math.min(to, ...pages.map((page) => (page.length < pageSize ? to : page.at(-1)!.id)))
  const entries = pages.flat().filter(({ id }) => id <= upTo)
  const changes = entries.flatMap(({ id, pairs, isBeside }) =>
    pairs.map((pair): Change => ({ pair, number: isBeside ? numberOfId(id) : undefined })),
  )
  return { changes, upTo }
}
