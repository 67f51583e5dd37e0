import type { Comment } from '@parley/sdk/contract/comments.ts'
import { type JsonList, listByPages, listOf, pageColumns, type PageQuery, readPage } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { commentRow } from '../../messages/rows.ts'

/** An NFT, its id in decimal digits: a JavaScript number could not hold it. */
export interface Token {
  nftaddr: string
  nftid: string
}

/**
 * The thread's row is locked until the commit, so the ids and times on an NFT become visible in
 * their order.
 */
export async function insertComment(
  db: Db,
  { nftaddr, nftid, fromaddr, message }: Token & Pick<Comment, 'fromaddr' | 'message'>,
): Promise<JsonList<Comment>> {
  const [stored] = await db.query<{ item: string }>(
    `with t as (
       insert into comment_threads as t (nftaddr, nftid, comments, last_time)
       values ($1, $2::numeric, 1, date_trunc('milliseconds', clock_timestamp()))
       on conflict (nftaddr, nftid) do update set
         comments = t.comments + 1,
         last_time = greatest(excluded.last_time, t.last_time + interval '1 ms')
       returning *
     ), c as (
       insert into comments (thread_id, fromaddr, message, timestamp)
       select t.id, $3, $4, t.last_time from t
       returning *
     )
     select ${commentRow} as item from c, t`,
    [nftaddr, nftid, fromaddr, message],
  )
  return listOf(stored!.item)
}

export const findComments = (db: Db, { nftaddr, nftid }: Token, page: PageQuery): JsonList<Comment> =>
  listByPages(({ after, before, limit, newest }) => {
    const direction = newest ? 'desc' : 'asc'
    return readPage(
      db,
      `select ${pageColumns} from (
         select c.id, ${commentRow} as item from comment_threads t
         cross join lateral (
           select * from comments where thread_id = t.id and id > $3 and id < $4 order by id ${direction} limit $5
         ) c
         where t.nftaddr = $1 and t.nftid = $2::numeric
       ) page`,
      [nftaddr, nftid, after, before, limit],
    )
  }, page)

export async function countComments(db: Db, { nftaddr, nftid }: Token): Promise<number> {
  const [thread] = await db.query<{ comments: number }>(
    `select comments from comment_threads where nftaddr = $1 and nftid = $2::numeric`,
    [nftaddr, nftid],
  )
  return thread?.comments ?? 0
}

/**
 * Removes a wallet's comments on an NFT. The thread's time stays, so the times of later comments
 * are greater.
 */
export const deleteComments = (db: Db, { nftaddr, nftid }: Token, fromaddr: string) =>
  db.transaction(async (tx) => {
    // Two statements: the second must see what was written while the first waited for the lock.
    const [thread] = await tx.query<{ id: number }>(
      `select id from comment_threads where nftaddr = $1 and nftid = $2::numeric for update`,
      [nftaddr, nftid],
    )
    if (!thread) return
    await tx.query(
      `with deleted as (delete from comments where thread_id = $1 and fromaddr = $2 returning 1)
       update comment_threads set comments = comments - (select count(*) from deleted) where id = $1`,
      [thread.id, fromaddr],
    )
  })
