// This module stores who is the team of the service. A change and its row in the log of operators are one transaction.

import { mostOfficial, type OfficialWallet } from '@parley/sdk/contract/official.ts'
import { officialColumns, officialOf, type OfficialRow } from '../../auth/officials.ts'
import type { Db } from '../../db/pool.ts'
import { append, type Queries } from '../../messages/operator-log.ts'

type Writes = Queries & Pick<Db, 'now'>

interface Change {
  operator: string
  address: string
}

const entryOf = (action: string, { operator, address }: Change, label: string) => ({
  operator,
  action,
  subject: address,
  until: null,
  reason: label,
  reports: [],
  item: null,
})

export const findOfficials = (db: Queries): Promise<OfficialRow[]> =>
  db.query<OfficialRow>(`select ${officialColumns} from officials order by since_ms, address`)

/**
 * Names a wallet as one of the team, or changes its label. Returns nothing when the team has its maximum. Changes take turns by
 * the row of the log's end, which is locked first.
 */
export async function addOfficial(
  tx: Writes,
  { operator, address, label }: Change & { label: string },
): Promise<{ official: OfficialWallet; isNew: boolean } | undefined> {
  await tx.query(`insert into moderation_head (id, hash) values (0, '') on conflict do nothing`)
  await tx.query('select id from moderation_head for update')
  const [before] = await tx.query<OfficialRow>(
    `select ${officialColumns} from officials where address = $1`,
    [address],
  )
  if (before?.label === label) return { official: officialOf(before), isNew: false }
  const [row] = await tx.query<OfficialRow>(
    `insert into officials (address, label, named_by, since_ms)
     select $1, $2, $3, $4::bigint where $5 or (select count(*) from officials) < ${mostOfficial}
     on conflict (address) do update set label = excluded.label, named_by = excluded.named_by
     returning ${officialColumns}`,
    [address, label, operator, tx.now(), before !== undefined],
  )
  if (!row) return undefined
  await append(tx, entryOf('official_add', { operator, address }, label))
  return { official: officialOf(row), isNew: true }
}

/** Takes a wallet off the team; returns false when it was not on it. */
export async function removeOfficial(tx: Writes, change: Change): Promise<boolean> {
  const [gone] = await tx.query<{ label: string }>(
    'delete from officials where address = $1 returning label',
    [change.address],
  )
  if (!gone) return false
  await append(tx, entryOf('official_remove', change, gone.label))
  return true
}
