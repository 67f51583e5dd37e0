import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import { eraseMarks } from '../../messages/erase-marks.ts'
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

const deletePins = (db: Db, wallet: string) =>
  eraseMarks(db, wallet, {
    table: 'pins',
    fn: 'erase_pins_v1',
    ofMessage: eventJson({ type: 'unpinned', id: 0, fromaddr: wallet, toaddr: '' }),
    ofPost: eventJson({ type: 'unpinned', id: 0, fromaddr: wallet, nftaddr: '' }),
  })

export const tables: Tables = {
  pins: {
    exported: { lines: { 'pins.jsonl': findLines } },
    erased: { before: deletePins },
    ends: 'retention',
    access: 'messages',
  },
}
