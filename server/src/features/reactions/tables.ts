import { portions } from '../../db/bucket-portions.ts'
import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { eventJson } from '../../messages/events.ts'
import { instant } from '../../messages/shared-sql.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('id', item_id, 'values', vals, 'time', ${instant('ms')})::text as item,
       json_build_array(item_id) as place
     from reactions where walletaddr = $1 and item_id > $2 order by item_id`,
    [0],
  )

/** Others get the events that they get when a wallet takes its reactions back. */
async function deleteReactions(db: Db, wallet: string): Promise<void> {
  // The function adds which message and where it is.
  const ofDirect = eventJson({ type: 'reacted', id: 0, fromaddr: wallet, toaddr: '' })
  const ofPost = eventJson({ type: 'reacted', id: 0, nftaddr: '' })
  const all = await portions<number>(
    db,
    'select bucket, item_id as key from reactions where walletaddr = $1 order by bucket, item_id',
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.query('select erase_reactions_v1($1, $2, $3::bigint[], $4, $5, $6) as erased', [
      db.now(),
      bucket,
      keys,
      wallet,
      ofDirect,
      ofPost,
    ])
}

export const tables: Tables = {
  reactions: {
    exported: { lines: { 'reactions.jsonl': findLines } },
    erased: { before: deleteReactions },
    ends: 'retention',
    access: 'messages',
  },
  reaction_counts: ofNoWallet('retention', 'messages'),
}
