// Legal holds. People delete as usual, and cannot notice a hold: deleted messages under a hold are copied in the same
// transaction, and stored until the hold ends. Every instance has in memory which wallets and chats are held (auth/standing.ts).

import type { Db } from '../db/pool.ts'
import { chatBucket, inOrder, pairBucket } from '../values/bucket.ts'

/** These wallets and chats are held. */
export type Holds = readonly string[]

/** Deletes direct messages between two wallets by `act`: those with some ids, or all of them. */
export const keepingMessages = <T>(
  db: Db,
  holds: Holds,
  { between, ids }: { between: [string, string]; ids?: number[] },
  act: (db: Db) => Promise<T>,
): Promise<T> => db.layout.copies.changing(db, between, keeping(db, holds, between, ids, act))

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
