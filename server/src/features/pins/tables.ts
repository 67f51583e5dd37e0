import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
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

export const tables: Tables = {
  pins: {
    exported: { lines: { 'pins.jsonl': findLines } },
    erased: (tx: Db, wallet: string) => tx.query('delete from pins where walletaddr = $1', [wallet]),
    ends: 'retention',
    access: 'messages',
  },
}
