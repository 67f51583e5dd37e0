// Says which wallets the people are that were imported from elsewhere. A claim changes no message: it says who is behind an address
// such as discord:1234.

import type { ImportedClaim } from '@parley/sdk/contract/moving.ts'
import { importedFrom } from '@parley/sdk/imported.ts'
import type { Db } from '../db/pool.ts'
import { instant, nameOf } from './shared-sql.ts'

const columns = `c.address, c.walletaddr, ${nameOf('c.address')} as name, ${instant('c.since_ms')} as since`

/** Returns those of some imported people who have a wallet here, as a reader sees it. */
export const findClaims = (db: Db, addresses: string[], reader: string): Promise<ImportedClaim[]> =>
  db.query<ImportedClaim>(
    `select ${columns} from imported_claims c
     where address = any($1::text[]) and walletaddr is not null and (not unseen or walletaddr = $2) order by address`,
    [addresses, reader],
  )

/** Returns the imported people that a wallet has taken over. */
export const findOwnClaims = (db: Db, wallet: string): Promise<ImportedClaim[]> =>
  db.query<ImportedClaim>(
    `select ${columns} from imported_claims c where walletaddr = $1 order by since_ms, address`,
    [wallet],
  )

/** Returns whether an author was imported, and is this wallet. */
export async function isClaimedBy(db: Db, author: string, wallet: string): Promise<boolean> {
  if (importedFrom(author) === undefined) return false
  const rows = await db.query('select 1 as one from imported_claims where address = $1 and walletaddr = $2', [
    author,
    wallet,
  ])
  return rows.length > 0
}
