import type { NewKey, PublishedKey } from '@parley/sdk/contract/keys.ts'
import type { Db } from '../../db/pool.ts'
import { ownKeyColumns, publicKeyColumns } from '../../messages/rows.ts'

export const upsertKey = (db: Db, { address, public_key, signature, backup }: NewKey) =>
  db.query<PublishedKey>(
    `insert into keys (address, public_key, signature, backup) values ($1, $2, $3, $4)
     on conflict (address) do update set
       public_key = excluded.public_key, signature = excluded.signature, backup = excluded.backup, updated_at = now()
     returning ${ownKeyColumns}`,
    [address, public_key, signature, backup],
  )

/** What anyone may read of a wallet's key. */
export const findKey = (db: Db, address: string) =>
  db.query<PublishedKey>(`select ${publicKeyColumns} from keys where address = $1`, [address])

/** A wallet's key with its backup, for the wallet itself. */
export const findOwnKey = (db: Db, address: string) =>
  db.query<PublishedKey>(`select ${ownKeyColumns} from keys where address = $1`, [address])
