import { draftDays } from '@parley/sdk/contract/drafts.ts'
import { byPages } from '../../db/export-lines.ts'
import { deleteOwn, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import { draftJson } from './store.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    keyOf(wallet),
    `select ${draftJson('d')}::text as item, json_build_array(slot) as place
     from drafts d where ${ofWallet} and slot > $3::smallint order by slot`,
    [0],
  )

export const tables: Tables = {
  drafts: {
    exported: { lines: { 'drafts.jsonl': findLines } },
    erased: deleteOwn('drafts'),
    ends: { column: 'created_ms', days: draftDays },
    access: { grant: 'drafts' },
  },
}
