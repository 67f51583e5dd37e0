import { byPages, pageSize } from '../../db/export-lines.ts'
import { deleteOwn, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import { forever, instant } from '../../messages/shared-sql.ts'

/** Yields the wallet's stances to others, and its names for them, by the other wallet. */
async function* findLines(db: Db, wallet: string): AsyncGenerator<string, void, undefined> {
  yield* byPages(
    db,
    wallet,
    `select json_strip_nulls(json_build_object('peer', peer, 'state', case when blocked then 'blocked'
       when state = 1 then 'accepted' when state = 2 then 'ignored' else 'unknown' end))::text as item, json_build_array(peer) as place
     from (
       (select b as peer, state_a as state, blocked_a as blocked from conversations
        where a = $1 and b > $2 and b <> $1 and (state_a <> 0 or blocked_a) order by a, b limit ${pageSize})
       union all
       (select a, state_b, blocked_b from conversations
        where b = $1 and a > $2 and a <> $1 and (state_b <> 0 or blocked_b) order by b, a limit ${pageSize})
     ) c order by peer collate "C"`,
    [''],
  )
  yield* byPages(
    db,
    keyOf(wallet),
    `select json_strip_nulls(json_build_object('peer', peer, 'alias', alias, 'muted_until',
         case when muted_until_ms = ${forever} then 'forever' else ${instant('muted_until_ms')} end, 'since', ${instant('since_ms')}))::text as item,
       json_build_array(peer) as place
     from contacts where ${ofWallet} and peer > $3 order by peer`,
    [''],
  )
}

export const tables: Tables = {
  contacts: {
    exported: { lines: { 'contacts.jsonl': findLines } },
    erased: deleteOwn('contacts'),
    stays: 'what others think of it',
    ends: 'erasure',
    access: 'what the wallet thinks of others',
  },
}
