import type { NewKey, PublishedKey } from '@parley/sdk/contract/keys.ts'
import type { Db } from '../../db/pool.ts'
import { ownKeyColumns, publicKeyColumns } from '../../messages/rows.ts'
import { walletBucket } from '../../values/bucket.ts'

export const upsertKey = (db: Db, { address, public_key, signature, backup }: NewKey) =>
  db.query<PublishedKey>(
    `with stored as (
       insert into keys (wbucket, address, public_key, signature, backup, updated_ms) values ($1, $2, $3, $4, $5, $6)
     on conflict (wbucket, address) do update set public_key = excluded.public_key, signature = excluded.signature,
       backup = excluded.backup, updated_ms = excluded.updated_ms
       returning *
     )
     select ${ownKeyColumns} from stored`,
    [walletBucket(address), address, public_key, signature, backup, db.now()],
  )

/** What anyone may read of a wallet's key. */
export const findKey = (db: Db, address: string) =>
  db.query<PublishedKey>(`select ${publicKeyColumns} from keys where wbucket = $1 and address = $2`, [
    walletBucket(address),
    address,
  ])

/** A wallet's key with its backup, for the wallet itself. */
export const findOwnKey = (db: Db, address: string) =>
  db.query<PublishedKey>(`select ${ownKeyColumns} from keys where wbucket = $1 and address = $2`, [
    walletBucket(address),
    address,
  ])
