import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import { day } from '../../lib/times.ts'
import { instant } from '../../messages/shared-sql.ts'

/** Selects what the wallet reported. The texts of the messages are in the lists of messages. */
const findLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('id', id, 'at', ${instant('ms')}, 'subject', subject, 'reason', reason, 'text', text,
       'status', case when status = 'closed' then 'closed' else 'open' end,
       'item_ids', (select json_agg(e->'id') from json_array_elements(items) e)))::text as item, json_build_array(id) as place
     from reports where reporter = $1 and id > $2::bigint order by id`,
    [0],
  )

const reportLifetime = 90 * day

/**
 * Forgets a reporter. What the wallet disclosed is stored for a while under a keyed hash of the wallet; its appeals name it, so
 * they go.
 */
async function forgetReporter(tx: Db, wallet: string, hash: Buffer): Promise<void> {
  await tx.query(`delete from reports where reporter = $1 and subject = $1`, [wallet])
  await tx.query(
    // The evidence of a direct message names its recipient: that is the reporter.
    `update reports set reporter = null, reporter_hash = $2, expires_ms = least(coalesce(expires_ms, $3), $3),
       evidence = replace(evidence, $4, '"toaddr":""') where reporter = $1`,
    [wallet, hash, tx.now() + reportLifetime, `"toaddr":${JSON.stringify(wallet)}`],
  )
}

export const tables: Tables = {
  reports: {
    exported: { lines: { 'reports_made.jsonl': findLines } },
    erased: forgetReporter,
    stays: 'what others have reported of it',
    ends: { column: 'expires_ms', days: 0 },
    access: 'for operators',
  },
}
