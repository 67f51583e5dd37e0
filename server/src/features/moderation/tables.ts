import { noticed } from '@parley/sdk/contract/moderation-actions.ts'
import { byPages } from '../../db/export-lines.ts'
import { deleteOwn, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { instant } from '../../messages/shared-sql.ts'

/** Selects the actions of operators about which the wallet gets a notice. */
const findNoticeLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('id', id, 'at', ${instant('ms')}, 'action', action, 'until', ${instant('until_ms')},
       'reason', reason))::text as item, json_build_array(id) as place
     from moderation_log where subject = $1 and action in (${noticed.map((action) => `'${action}'`).join(', ')}) and id > $2::bigint order by id`,
    [0],
  )

/** Selects the grants that were added to the wallet. */
const findAccessNoticeLines = (db: Db, wallet: string) =>
  byPages(
    db,
    keyOf(wallet),
    `select json_build_object('id', id, 'at', ${instant('ms')}, 'action', action, 'reason', about)::text as item, json_build_array(id) as place
     from access_notices where ${ofWallet} and id > $3::bigint order by id`,
    [0],
  )

/** Selects what the wallet may not do now. It leaves out a shadow mute, which the wallet must not notice. */
const findSanctionLines = (db: Db, wallet: string) =>
  byPages(
    db,
    [wallet, db.now()],
    `select json_strip_nulls(json_build_object('kind', kind, 'until', ${instant('until_ms')}))::text as item, json_build_array(kind) as place
     from sanctions where subject = $1 and coalesce(until_ms > $2, true) and kind in ('mute', 'ban') and kind > $3 order by kind`,
    [''],
  )

export const tables: Tables = {
  access_notices: {
    exported: { lines: { 'access-notices.jsonl': findAccessNoticeLines } },
    erased: deleteOwn('access_notices'),
    ends: { column: 'ms', days: 90 },
    access: 'says what was added',
  },
  moderation_log: {
    exported: { lines: { 'notices.jsonl': findNoticeLines } },
    erased: 'stays, because it is a chain',
    stays: 'what operators did: rows of a chain',
    ends: 'operators',
    access: 'what was done',
  },
  moderation_head: ofNoWallet('fixed'),
  sanctions: {
    exported: { lines: { 'sanctions.jsonl': findSanctionLines } },
    erased: 'stays, or erasing would end a ban',
    stays: 'what an operator has forbidden: erasing would end it',
    ends: { column: 'ms', days: 1, row: { until_ms: 0, kind: 'mute' } },
    access: 'takes away',
  },
  blocked_files: {
    exported: 'what operators decided about files',
    erased: 'stays',
    stays: 'the operator who blocked a file',
    ends: 'operators',
    access: 'hashes of files',
  },
  operators: {
    exported: 'a word of the operator',
    erased: 'stays',
    stays: 'the operator removes it',
    ends: 'operators',
    access: 'added by the operator',
  },
  unseen_changes: {
    exported: 'in place of what others see: name.jsonl, communities.jsonl, the pictures',
    erased: deleteOwn('unseen_changes'),
    ends: { column: 'ms', days: 1, row: { kind: 'name' } },
    access: 'names and pictures',
  },
}
