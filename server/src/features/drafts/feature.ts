import { draftDays, drafts } from '@parley/sdk/contract/drafts.ts'
import { byPages } from '../../db/export-lines.ts'
import { deleteOwn, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { deleteOldDrafts, draftJson } from './store.ts'

const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    keyOf(wallet),
    `select ${draftJson('d')}::text as item, json_build_array(slot) as place
     from drafts d where ${ofWallet} and slot > $3::smallint order by slot`,
    [0],
  )

export const draftsFeature = feature({
  endpoints: [endpoints('Drafts', drafts, handlers)],
  chores: [deleteOldDrafts],
  tables: {
    drafts: {
      exported: { lines: { 'drafts.jsonl': findLines } },
      erased: deleteOwn('drafts'),
      ends: { column: 'created_ms', days: draftDays },
      access: { grant: 'drafts' },
    },
  },
})
