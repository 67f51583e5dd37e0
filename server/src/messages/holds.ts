// Legal holds. People delete as ever, and cannot tell: what is held of what they delete is kept aside, in the same transaction,
// until the hold ends. Which wallets and chats are held every instance has in memory (auth/standing.ts).

import type { Db } from '../db/pool.ts'
import { changing } from './changing.ts'
import { chatBucket, inOrder, pairBucket } from '../values/bucket.ts'

/** The wallets and chats that are held. */
export type Holds = readonly string[]

/** Deletes direct messages between two wallets by `act`: those with some ids, or what there is of all. */
export const keepingMessages = <T>(
  db: Db,
  holds: Holds,
  { between, ids }: { between: [string, string]; ids?: number[] },
  act: (db: Db) => Promise<T>,
): Promise<T> => changing(db, between, keeping(db, holds, between, ids, act))

const keeping = <T>(
  db: Db,
  holds: Holds,
  [one, other]: [string, string],
  ids: number[] | undefined,
  act: (db: Db) => Promise<T>,
): Promise<T> =>
  holds.includes(one) || holds.includes(other)
    ? db.transaction(async (tx) => {
        await tx.query('select keep_direct_messages_v1($1, $2, $3, $4, $5::bigint[]) as kept', [
          tx.now(),
          pairBucket(one, other),
          ...inOrder(one, other),
          ids ?? null,
        ])
        return act(tx)
      })
    : act(db)

/** Removes a message of a chat by `act`. */
export const keepingPost = <T>(
  db: Db,
  holds: Holds,
  { chat, id }: { chat: string; id: number },
  act: (db: Db) => Promise<T>,
): Promise<T> =>
  holds.length > 0
    ? db.transaction(async (tx) => {
        await tx.query('select keep_post_v1($1, $2, $3, $4, $5::text[]) as kept', [
          tx.now(),
          chatBucket(chat),
          chat,
          id,
          holds,
        ])
        return act(tx)
      })
    : act(db)
