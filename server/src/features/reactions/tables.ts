import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { eraseMarks } from '../../messages/erase-marks.ts'
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

const deleteReactions = (db: Db, wallet: string) =>
  eraseMarks(db, wallet, {
    table: 'reactions',
    fn: 'erase_reactions_v1',
    ofMessage: eventJson({ type: 'reacted', id: 0, fromaddr: wallet, toaddr: '' }),
    ofPost: eventJson({ type: 'reacted', id: 0, nftaddr: '' }),
  })

export const tables: Tables = {
  reactions: {
    exported: { lines: { 'reactions.jsonl': findLines } },
    erased: { before: deleteReactions },
    ends: 'retention',
    access: 'messages',
  },
  reaction_counts: ofNoWallet('retention', 'messages'),
}
