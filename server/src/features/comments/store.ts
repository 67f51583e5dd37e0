import type { Comment } from '@parley/sdk/contract/comments.ts'
import { type JsonList, list, listOf, type PageQuery } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { commentItem } from '../../messages/rows.ts'
import { nameOf, textOf } from '../../messages/shared-sql.ts'
import { tokenBucket } from '../../values/bucket.ts'

/** An NFT, its id in decimal digits: a JavaScript number could not hold it. */
export interface Token {
  nftaddr: string
  nftid: string
}

export async function insertComment(
  db: Db,
  { nftaddr, nftid, fromaddr, message }: Token & Pick<Comment, 'fromaddr' | 'message'>,
  { withheld }: { withheld: boolean },
): Promise<JsonList<Comment>> {
  const [stored] = await db.query<{ item: string }>(
    `select ${commentItem(textOf('c.sender_name'))} as item
     from (select *, $5::text as fromaddr, $6::text as message from add_comment_v2($1, $2, $3, $4, $5, $6, $7)) c,
       (select $3::text as nftaddr, $4::numeric as nftid) t`,
    [db.now(), tokenBucket(nftaddr, nftid), nftaddr, nftid, fromaddr, message, withheld],
  )
  return listOf(stored!.item)
}

/** The comments that a wallet sees. */
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

/** How many comments a wallet sees. */
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

/** Removes a wallet's comments on an NFT. */
export async function deleteComments(db: Db, { nftaddr, nftid }: Token, fromaddr: string): Promise<void> {
  const bucket = tokenBucket(nftaddr, nftid)
  const [found] = await db.query<{ id: number }>(`select id ${thread}`, [bucket, nftaddr, nftid])
  if (found) await db.query('select delete_comments_v2($1, $2, $3) as deleted', [bucket, found.id, fromaddr])
}
