// Reads the log of a cluster. Each bucket counts by itself, in its row of `buckets`, which a writer locks until its commit
// (server/cluster/ids.sql). So a reader that sees a number there sees all of the bucket up to that number: a bucket is read
// without holes, and needs no snapshot over the nodes.
//
// The position is one number for all buckets: the least of theirs. A bucket without writes is moved on, so that it does not hold
// the others back: its next number is greater.

import type { Db } from '../db/pool.ts'
import { databaseFailure } from '../db/failures.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { alsoInLog } from '../messages/imported.ts'
import { notErasedBy, notHiddenFrom } from '../messages/shared-sql.ts'
import { bucketOfId, firstIdOf, lastIdOf, numberAt, numberOfId, numbersPerMs } from '../values/bucket.ts'
import { batchSize, type Item, itemsOf, type Log, maxMissed, type Tail } from './log.ts'

/** One reader runs at most this many statements at once. */
const atOnce = 4

/** Returns the last number of each bucket. */
export async function readNumbers(db: Db): Promise<Map<number, number>> {
  const rows = await db.query<{ bucket: number; number: number }>('select bucket, number from buckets')
  return new Map(rows.map(({ bucket, number }) => [bucket, number]))
}

/**
 * Moves buckets on to a number, those that are more than `least` below it. It does so one by one, because a statement that locks
 * several could deadlock with writers. A bucket in which a writer is busy stays where it is.
 */
export async function moveOn(db: Db, target: number, least = 0): Promise<void> {
  const behind = [...(await readNumbers(db))].filter(([, number]) => number < target - least)
  await forEachLimited(behind, atOnce, ([bucket]) =>
    db
      .query('update buckets set number = $2 where bucket = $1 and number < $2', [bucket, target])
      .catch((error: Error) => {
        if (databaseFailure(error) !== 'locked') throw error
      }),
  )
}

const itemsOfBucket = itemsOf({
  ids: (table, kind, limit) =>
    `(select '${kind}' as kind, id from ${table} where bucket = $1 and id between $2 and $3 ${alsoInLog(table)} order by id limit ${limit})`,
  row: (table) => `cross join lateral (select * from ${table} where bucket = $1 and id = p.id limit 1) m`,
  chat: 'join group_chats c on c.bucket = $1 and c.chat = m.chat',
})

/** Reads what a bucket has from one number to another, by ascending id: the first `batchSize` of it. */
const readBucket = (db: Db, bucket: number, from: number, to: number): Promise<Item[]> =>
  db.query<Item>(itemsOfBucket, [bucket, firstIdOf(from), lastIdOf(to)])

/** Buckets that are more than this many milliseconds behind are moved on; the same number is the pause between two rounds. */
const mostBehind = 1000

/** Each bucket is read up to its own number. */
async function openTail(db: Db): Promise<Tail> {
  await moveOn(db, numberAt(db.now()))
  let read = await readNumbers(db)
  const leastRead = () => Math.min(...read.values())
  let movedOn = Date.now()

  /** This runs in the background: a writer that is busy in a bucket does not hold up the others. */
  function moveOnSometimes(): void {
    if (Date.now() - movedOn < mostBehind) return
    movedOn = Date.now()
    // When the database is away, the next poll reports it.
    void moveOn(db, numberAt(db.now()), mostBehind * numbersPerMs).catch(() => {})
  }

  return {
    async poll() {
      moveOnSometimes()
      const numbers = await readNumbers(db)
      const items: Item[] = []
      const reached = new Map(read)
      // The bucket that is furthest behind comes first. The number of items limits the memory of a poll.
      for (const [bucket, upTo] of [...read].toSorted(([, one], [, other]) => one - other)) {
        if (items.length >= batchSize) break
        const number = numbers.get(bucket)!
        if (number <= upTo) continue
        const next = await readBucket(db, bucket, upTo + 1, number)
        reached.set(bucket, next.length < batchSize ? number : numberOfId(next.at(-1)!.id))
        items.push(...next)
      }
      items.sort((one, other) => one.id - other.id)
      const isComplete = [...reached].every(([bucket, upTo]) => upTo >= numbers.get(bucket)!)
      read = reached
      const least = leastRead()
      // Everything after an item has a greater number, or an earlier poll found it.
      const positionAfter = (i: number) =>
        lastIdOf(Math.min(least, numberOfId(items[i + 1]?.id ?? Infinity) - 1))
      return {
        found: items.map((item, i) => ({ item, position: positionAfter(i) })),
        lost: false,
        isComplete,
      }
    },
    get position() {
      return lastIdOf(leastRead())
    },
  }
}

async function readByIds(db: Db, ids: number[]): Promise<Item[]> {
  const items: Item[] = []
  await forEachLimited(ids, atOnce, async (id) => {
    items.push(...(await db.query<Item>(itemsOfBucket, [bucketOfId(id), id, id])))
  })
  return items.toSorted((one, other) => one.id - other.id)
}

const visible = `${notErasedBy('$1')} and ${notHiddenFrom('$1')}`

const missedOf = [
  `select m.id from direct_messages m where m.fromaddr = $1 and ${visible}`,
  `select m.id from direct_messages m where m.toaddr = $1 and ${visible}`,
  `select m.id from events m where m.walletaddr = $1`,
].map((sql) => `${sql} and m.id > $2 order by m.id limit ${maxMissed + 1}`)

const missedInChat = [
  ['group_messages', 'm.chat = $2 and $4::text is not null'],
  ['withheld_posts', 'm.chat = $2 and m.fromaddr = $4'],
  ['events', `m.walletaddr in ('chat ' || $2, 'chat ' || $2 || ' ' || $4)`],
].map(
  ([table = '', isOfIt]) => `
  select m.id from ${table} m where m.bucket = $1 and ${isOfIt} and m.id > $3 ${alsoInLog(table)} order by m.id limit ${maxMissed + 1}`,
)

/** This works without one snapshot: it queries last what was deleted already. */
async function findMissed(
  db: Db,
  wallet: string,
  after: number,
  closed: string[],
): Promise<number[] | undefined> {
  const ids = new Set<number>()
  const add = async (sql: string, values: unknown[]) => {
    for (const { id } of await db.query<{ id: number }>(sql, values)) ids.add(id)
  }
  const chats = await db.query<{ bucket: number; chat: string }>(
    `select bucket, chat from bookmarks where ${ofWallet} and chat <> all($3::text[])`,
    keyOf(wallet, closed),
  )
  await forEachLimited(missedOf, atOnce, (sql) => add(sql, [wallet, after]))
  await forEachLimited(chats, atOnce, async ({ bucket, chat }) => {
    for (const sql of missedInChat) await add(sql, [bucket, chat, after, wallet])
  })
  const numbers = await readNumbers(db)
  const [forgotten] = await db.query<{ id: number }>('select id from events_forgotten')
  const isAhead = after > lastIdOf(Math.max(...numbers.values()))
  if (ids.size > maxMissed || after < forgotten!.id || isAhead) return undefined
  return [...ids].toSorted((one, other) => one - other)
}

export const clusterLog: Log = { openTail, findMissed, readByIds }
