import { portions } from '../../db/bucket-portions.ts'
import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import { eventJson } from '../../messages/events.ts'
import { instant } from '../../messages/shared-sql.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('id', item_id, 'place', place, 'time', ${instant('ms')})::text as item,
       json_build_array(item_id) as place
     from pins where walletaddr = $1 and item_id > $2 order by item_id`,
    [0],
  )

/** Others get the events that they get when a wallet removes its pins. */
async function deletePins(db: Db, wallet: string): Promise<void> {
  // The function adds which message and where it is.
  const ofDirect = eventJson({ type: 'unpinned', id: 0, fromaddr: wallet, toaddr: '' })
  const ofPost = eventJson({ type: 'unpinned', id: 0, fromaddr: wallet, nftaddr: '' })
  const all = await portions<number>(
    db,
    'select bucket, item_id as key from pins where walletaddr = $1 order by bucket, item_id',
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.query('select erase_pins_v1($1, $2, $3::bigint[], $4, $5, $6) as erased', [
      db.now(),
      bucket,
      keys,
      wallet,
      ofDirect,
      ofPost,
    ])
}

export const tables: Tables = {
  pins: {
    exported: { lines: { 'pins.jsonl': findLines } },
    erased: { before: deletePins },
    ends: 'retention',
    access: 'messages',
  },
}
