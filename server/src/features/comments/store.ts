import type { Comment } from '@parley/sdk/contract/comments.ts'
import type { Publishing } from '../../auth/publishing.ts'
import { jsonMade, jsonObject, jsonText } from '../../db/json.ts'
import { type JsonList, JsonText, list, type PageQuery } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { day } from '../../lib/times.ts'
import { instant, nameOf, textOf } from '../../messages/shared-sql.ts'
import { tokenBucket } from '../../values/bucket.ts'

/** An NFT with its id in decimal digits: a JavaScript number could not hold it. */
export interface Token {
  nftaddr: string
  nftid: string
}

/**
 * Returns SQL for a comment `c` of a thread by somebody of this name as JSON text in the shape of the contract; `nftid` is a
 * number with all its digits. The row `thread` has the columns of the thread.
 */
export const commentItem = (name: string, thread = 't', c = 'c'): string =>
  jsonObject(
    `${c}.id`,
    jsonText('fromaddr', `${c}.fromaddr`),
    jsonText('message', `${c}.message`),
    jsonText('nftaddr', `${thread}.nftaddr`),
    jsonMade(`',"nftid":' || ${thread}.nftid::text`),
    jsonText('name', name),
    jsonText('timestamp', instant(`${c}.ms`)),
  )

export async function insertComment(
  db: Db,
  { nftaddr, nftid, fromaddr, message }: Token & Pick<Comment, 'fromaddr' | 'message'>,
  { isUnseen: withheld }: Publishing,
): Promise<JsonText<Comment[]>> {
  const [stored] = await db.query<{ item: string }>(
    `select ${commentItem(textOf('c.sender_name'))} as item
     from (select *, $5::text as fromaddr, $6::text as message from add_comment_v1($1, $2, $3, $4, $5, $6, $7)) c,
       (select $3::text as nftaddr, $4::numeric as nftid) t`,
    [db.now(), tokenBucket(nftaddr, nftid), nftaddr, nftid, fromaddr, message, withheld],
  )
  return new JsonText(`[${stored!.item}]`)
}

/** Returns the comments that a wallet sees. */
export const findComments = (
  db: Db,
  { nftaddr, nftid }: Token,
  reader: string,
  page: PageQuery,
): JsonList<Comment> => comments(db, { bucket: tokenBucket(nftaddr, nftid), nftaddr, nftid, reader }, page)

const comments = list<Comment, 'bucket' | 'reader' | keyof Token>({
  types: { bucket: 'integer', nftaddr: 'text', nftid: 'numeric', reader: 'text' },
  rows: (direction) => `
    select c.*, t.nftaddr, t.nftid from comment_threads t cross join lateral (
      select * from comments where bucket = :bucket and thread_id = t.id and id > :after and id < :before
        and (not withheld or fromaddr = :reader)
      order by bucket ${direction}, thread_id ${direction}, id ${direction} limit :limit
    ) c where t.bucket = :bucket and t.nftaddr = :nftaddr and t.nftid = :nftid`,
  item: commentItem(nameOf('m.fromaddr'), 'm', 'm'),
  texts: ['m.message'],
})

const thread = 'from comment_threads where bucket = $1 and nftaddr = $2 and nftid = $3::numeric'

/** Returns how many comments a wallet sees. */
export async function countComments(db: Db, { nftaddr, nftid }: Token, reader: string): Promise<number> {
  const [found] = await db.query<{ comments: number }>(
    `select comments + (
       select count(*) from comments c
       where c.bucket = $1 and c.thread_id = t.id and c.fromaddr = $4 and c.withheld
     ) as comments from comment_threads t where t.bucket = $1 and t.nftaddr = $2 and t.nftid = $3::numeric`,
    [tokenBucket(nftaddr, nftid), nftaddr, nftid, reader],
  )
  return found?.comments ?? 0
}

/** Deletes the threads without comments, after a day: later comments have later times by then, whatever the clock did. */
export const deleteEmptyThreads = (db: Db) =>
  db.query(
    `delete from comment_threads t where comments = 0 and last_ms < $1
       and not exists (select 1 as one from comments c where c.bucket = t.bucket and c.thread_id = t.id)`,
    [db.now() - day],
  )

/** Removes a wallet's comments on an NFT. */
export async function deleteComments(db: Db, { nftaddr, nftid }: Token, fromaddr: string): Promise<void> {
  const bucket = tokenBucket(nftaddr, nftid)
  const [found] = await db.query<{ id: number }>(`select id ${thread}`, [bucket, nftaddr, nftid])
  if (found) await db.query('select delete_comments_v1($1, $2, $3) as deleted', [bucket, found.id, fromaddr])
}
