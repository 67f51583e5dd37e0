import { portions } from '../../db/bucket-portions.ts'
import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { nameOf } from '../../messages/shared-sql.ts'
import { commentItem } from './store.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select ${commentItem(nameOf('c.fromaddr'))} as item, json_build_array(c.bucket, c.thread_id, c.id) as place
     from comments c join comment_threads t on t.bucket = c.bucket and t.id = c.thread_id
     where c.fromaddr = $1 and (c.bucket, c.thread_id, c.id) > ($2::integer, $3::bigint, $4::bigint)
     order by c.bucket, c.thread_id, c.id`,
    [0, 0, 0],
  )

async function deleteComments(db: Db, wallet: string): Promise<void> {
  const all = await portions<number>(
    db,
    `select distinct bucket, thread_id as key from comments where fromaddr = $1 order by bucket, thread_id`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.query(
      `select delete_comments_v1($1, id, $3) as deleted from unnest($2::bigint[]) with ordinality as k (id, n) order by n`,
      [bucket, keys, wallet],
    )
}

export const tables: Tables = {
  comments: {
    exported: { lines: { 'comments.jsonl': findLines } },
    erased: { before: deleteComments },
    ends: 'erasure',
    access: 'public',
  },
  comment_threads: ofNoWallet({ column: 'last_ms', days: 1, row: { comments: 0 } }),
}
