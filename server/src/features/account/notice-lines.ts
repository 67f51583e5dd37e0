import { noticed } from '@parley/sdk/contract/moderation-actions.ts'
import type { Db } from '../../db/pool.ts'
import { instant } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { byPages } from './store.ts'

/** What operators did with the wallet, of what it is told. */
export const findNoticeLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('id', id, 'at', ${instant('ms')}, 'action', action, 'until', ${instant('until_ms')},
       'reason', reason))::text as item, json_build_array(id) as place
     from moderation_log where subject = $1 and action in (${noticed.map((action) => `'${action}'`).join(', ')}) and id > $2::bigint order by id`,
    [0],
  )

/** What was added that reads or writes for the wallet. */
export const findAccessNoticeLines = (db: Db, wallet: string) =>
  byPages(
    db,
    [walletBucket(wallet), wallet],
    `select json_build_object('id', id, 'at', ${instant('ms')}, 'action', action, 'reason', about)::text as item, json_build_array(id) as place
     from access_notices where wbucket = $1 and walletaddr = $2 and id > $3::bigint order by id`,
    [0],
  )

/** What the wallet may not do now. Of a shadow mute it is not told. */
export const findSanctionLines = (db: Db, wallet: string) =>
  byPages(
    db,
    [wallet, db.now()],
    `select json_strip_nulls(json_build_object('kind', kind, 'until', ${instant('until_ms')}))::text as item, json_build_array(kind) as place
     from sanctions where subject = $1 and coalesce(until_ms > $2, true) and kind in ('mute', 'ban') and kind > $3 order by kind`,
    [''],
  )

/** What the wallet reported. What the messages say stands in the lists of messages. */
export const findReportLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('id', id, 'at', ${instant('ms')}, 'subject', subject, 'reason', reason, 'text', text,
       'status', case when status = 'closed' then 'closed' else 'open' end,
       'item_ids', (select json_agg(e->'id') from json_array_elements(items) e)))::text as item, json_build_array(id) as place
     from reports where reporter = $1 and id > $2::bigint order by id`,
    [0],
  )
