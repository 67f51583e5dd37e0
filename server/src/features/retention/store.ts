// Retention reads and deletes this. Ids grow with time, so the oldest messages are those with the least ids, over all buckets;
// one deletion stays within one bucket.

import type { Db } from '../../db/pool.ts'
import type { Holds } from '../../messages/holds.ts'

export interface OldMessage {
  bucket: number
  conversation_id: number
  id: number
  ms: number
}

export interface OldPost {
  bucket: number
  chat: string
  id: number
  ms: number
}

/** Returns the direct messages with the least ids after one. */
export const findOldest = (db: Db, after: number, limit: number): Promise<OldMessage[]> =>
  db.query<OldMessage>(
    'select bucket, conversation_id, id, ms from direct_messages where id > $1 order by id limit $2',
    [after, limit],
  )

/** Returns the posts with the least ids after one. */
export const findOldestPosts = (db: Db, after: number, limit: number): Promise<OldPost[]> =>
  db.query<OldPost>('select bucket, chat, id, ms from group_messages where id > $1 order by id limit $2', [
    after,
    limit,
  ])

/** Returns the posts that only their authors see, with the least ids after one. */
export const findOldestWithheld = (db: Db, after: number, limit: number): Promise<OldPost[]> =>
  db.query<OldPost>('select bucket, chat, id, ms from withheld_posts where id > $1 order by id limit $2', [
    after,
    limit,
  ])

/** Returns the chats that have a retention time of their own, with the rooms of those that are communities. */
export const findChats = (db: Db): Promise<{ bucket: number; chat: string; days: number }[]> =>
  db.query(`
    select bucket, chat, retention_days as days from chat_rules where retention_days > 0
    union all
    select m.bucket, m.chat, r.retention_days from chat_rules r join rooms m on m.bucket = r.bucket and m.parent = r.chat
    where r.retention_days > 0`)

/** Returns the posts of a chat with the least ids after one. */
export const findOldestOf =
  (bucket: number, chat: string) =>
  (db: Db, after: number, limit: number): Promise<OldPost[]> =>
    db.query<OldPost>(
      `select bucket, chat, id, ms from group_messages
       where bucket = $1 and chat = $2 and id > $3 order by bucket, chat, id limit $4`,
      [bucket, chat, after, limit],
    )

/** Returns the posts of a chat that only their authors see, with the least ids after one. */
export const findOldestWithheldOf =
  (bucket: number, chat: string) =>
  (db: Db, after: number, limit: number): Promise<OldPost[]> =>
    db.query<OldPost>(
      `select bucket, chat, id, ms from withheld_posts
       where bucket = $1 and chat = $2 and id > $3 order by id limit $4`,
      [bucket, chat, after, limit],
    )

/** Deletes direct messages of one bucket. Messages under a hold are stored aside. */
export function deleteMessages(db: Db, holds: Holds, bucket: number, messages: OldMessage[]) {
  const conversations = [...new Set(messages.map(({ conversation_id }) => conversation_id))]
  return db.layout.copies.changingSilently(db, bucket, conversations, (tx) =>
    tx.query('select expire_direct_messages_v1($1, $2, $3::bigint[], $4::bigint[], $5::text[]) as deleted', [
      tx.now(),
      bucket,
      conversations,
      messages.map(({ id }) => id),
      holds,
    ]),
  )
}

/** Deletes the posts of a chat up to an id. Posts under a hold are stored aside. */
export const deletePosts = (
  db: Db,
  holds: Holds,
  bucket: number,
  { chat, upTo }: { chat: string; upTo: number },
) =>
  db.query('select expire_posts_v1($1, $2, $3, $4, $5::text[]) as deleted', [
    db.now(),
    bucket,
    chat,
    upTo,
    holds,
  ])

/** Deletes the posts of a chat that only their authors see. Posts under a hold are stored aside. */
export const deleteWithheld = (
  db: Db,
  holds: Holds,
  bucket: number,
  { chat, upTo }: { chat: string; upTo: number },
) =>
  db.query('select expire_withheld_v1($1, $2, $3, $4, $5::text[]) as deleted', [
    db.now(),
    bucket,
    chat,
    upTo,
    holds,
  ])

/** Returns the wallets and chats that are held, as the database has them. */
export async function findHeld(db: Db): Promise<string[]> {
  const rows = await db.query<{ subject: string }>(
    `select subject from sanctions where kind = 'hold' and until_ms is null`,
  )
  return rows.map(({ subject }) => subject)
}

/** Deletes what a bucket has stored for wallets and chats that are no longer held. */
export const deleteReleased = (db: Db, bucket: number, held: string[]) =>
  db.query('select forget_released_v1($1, $2::text[]) as forgotten', [bucket, held])

/**
 * A client that resumes a stream from before a deleted message starts over. This also stores the greatest id that the log knows,
 * should the newest message of all be deleted (cluster/log.ts). So it comes first.
 */
export const forgetUpTo = (db: Db, id: number) =>
  db.query('update events_forgotten set id = $1 where id < $1', [id])
