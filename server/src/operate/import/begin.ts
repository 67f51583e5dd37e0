// Says how far the import of a chat is, and begins one.

import type { Db } from '../../db/pool.ts'
import { drawEvents } from '../../messages/events.ts'
import { chatBucket, numberAt } from '../../values/bucket.ts'

export interface Begun {
  digest: string
  first_number: number
  total: number
  done: number
  ended_ms: number | null
}

/** Returns the import of a chat, as far as it is. */
export async function getImport(db: Db, chat: string): Promise<Begun | undefined> {
  const [row] = await db.query<Begun>(
    'select digest, first_number, total, done, ended_ms from imports where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  return row
}

/** Returns whether a chat has, or ever had, a message. */
export async function isUsed(db: Db, chat: string): Promise<boolean> {
  const [row] = await db.query<{ used: boolean }>(
    'select posted > 0 or last_ms > 0 or withheld_ms > 0 as used from group_chats where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  return row?.used ?? false
}

/**
 * Begins an import: takes the numbers of all its messages at once, so that they precede everything that is posted meanwhile. Whoever
 * reads the log is behind them when the first one is stored.
 */
export const begin = (
  db: Db,
  chat: string,
  { kind, digest, total }: { kind: string; digest: string; total: number },
): Promise<number> =>
  db.transaction(async (tx) => {
    const bucket = chatBucket(chat)
    const first =
      tx.layout.name === 'cluster' ? await takeOfBucket(tx, bucket, total) : await takeOfSequence(tx, total)
    // This event is for nobody: an open stream then has a position behind the numbers, and never looks among them.
    const event = { type: 'inbox', change: 'left', nftaddr: chat } as const
    await (await drawEvents(tx, [{ wallet: `import:${chat}`, event }])).announce()
    await tx.query(
      `insert into imports (bucket, chat, kind, digest, first_number, total, started_ms)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [bucket, chat, kind, digest, first, total, tx.now()],
    )
    return first
  })

async function takeOfBucket(tx: Db, bucket: number, total: number): Promise<number> {
  const [row] = await tx.query<{ number: number }>(
    'update buckets set number = greatest(number, $2) + $3 where bucket = $1 returning number',
    [bucket, numberAt(tx.now()), total],
  )
  return row!.number - total
}

/** Nobody else draws a number until the commit. */
async function takeOfSequence(tx: Db, total: number): Promise<number> {
  await tx.query(`alter sequence item_numbers increment by ${Math.trunc(total)}`)
  const [row] = await tx.query<{ first: number }>(
    `select nextval('item_numbers') as first, nextval('item_numbers') as last`,
  )
  await tx.query('alter sequence item_numbers increment by 1')
  return row!.first
}
